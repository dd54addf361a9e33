"""The contract of a rule system: its parts, its content, its refusals."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import ContentRefused, SetupRefused
from engine.core.rules.system import Part, ScenarioInfo, Section, Setup, Turn, all_parts, own_content
from protocol.ids import NodeId
from protocol.scene.nodes import Table
from protocol.text import Text
from tests.support.systems.haggle import Pass


def part(id: NodeId) -> Part:
    return Part(id, (), lambda: Table((1, 1)))


def test_all_parts_are_those_inside_sections_too_in_their_order() -> None:
    inner = Section("inner", (), lambda: [part(NodeId("b")), part(NodeId("c"))])
    outer = Section("outer", (), lambda: [inner, part(NodeId("d")), Section("none", (), list)])
    assert [found.id for found in all_parts([part(NodeId("a")), outer, part(NodeId("e"))])] == list("abcde")


def test_content_is_given_back_to_its_own_system_only() -> None:
    content = {"scenario": 1}
    assert own_content(content, dict) is content
    with pytest.raises(TypeError, match="not content of this system: dict"):
        own_content(content, list)


def test_problems_say_what_is_wrong() -> None:
    content = ContentRefused(["a:1: x", "b:2: y"])
    assert content.problems == ("a:1: x", "b:2: y")
    assert str(content) == "a:1: x; b:2: y"
    setup = SetupRefused(Text("too-cold", {"by": 3}))
    assert setup.text == Text("too-cold", {"by": 3})
    assert str(setup) == "too-cold"


def test_what_is_usual_need_not_be_said() -> None:
    assert Turn(Pass()).clock == "decision"
    assert Setup("fair", ("", "")).lists == ()
    scenario = ScenarioInfo("fair", Text("fair"), Text("fair"), 3, (), 5)
    assert (scenario.form_of, scenario.usual, scenario.points) == ("", (), 0)
    assert [scenario._replace(points=350).points_of(seat) for seat in (0, 2)] == [350, 350]
    uneven = scenario._replace(points=700, seat_points=(350, 350, 700))
    assert [uneven.points_of(seat) for seat in (0, 2)] == [350, 700]
