"""AC-HTH-05: survivors regroup into groups of their faction's size."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.board import combats
from engine.rulesets.action_cards.rules.close_combat import aftermath
from engine.rulesets.action_cards.state.combat_events import CombatEnded, GroupRetreated, GroupsReformed
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Assign
from protocol.scene.nodes import Reply
from tests.support.systems.melee import Answers, Ran, charge, field_of, only_combat, run


def after(state: Skirmish, answers: Answers | None = None) -> Ran:
    """Run the aftermath of the only combat."""
    return run(state, aftermath.aftermath, only_combat(state).id, answers=answers)


def lost(state: Skirmish, *figures: str) -> Skirmish:
    """Remove these figures."""
    return FiguresRemoved(-1, tuple(map(FigureId, figures))).apply(state)


def _remnants(champions: tuple[str, ...] = (), left: tuple[int, ...] = (2, 2, 1)) -> Skirmish:
    """Return a state in which groups a, c and d of seat 0 (of four each) have so many survivors; seat 1 is gone."""
    groups: dict[str, tuple[int, list[Point]]] = {"b": (1, [(2000, 1000)])}
    for number, id in enumerate(("a", "c", "d")):
        groups[id] = (0, [(1000 + 110 * n, 1000 + 300 * number) for n in range(4)])
    state = field_of(groups, champions=champions)
    state = charge(state, GroupId("a"), FigureId("a.1"), (1900, 1000))
    state = charge(state, GroupId("c"), FigureId("c.1"), (2000, 1100))
    state = charge(state, GroupId("d"), FigureId("d.1"), (2000, 900))
    dead = [f"{id}.{n}" for id, count in zip(("a", "c", "d"), left, strict=True) for n in range(count + 1, 5)]
    return lost(state, "b.1", *dead)


@pytest.mark.rule("AC-HTH-05")
def test_survivors_form_the_fewest_groups_of_their_factions_size() -> None:
    """Five survivors of three groups of four: one of four and one of one, by figure id, without a question."""
    ran = after(_remnants())
    [formed] = ran.of(GroupsReformed)
    assert formed.groups == {"a": ("a.1", "a.2", "c.1", "c.2"), "c": ("d.1",)}
    assert formed.dissolved == ("d",)
    assert ran.questions == []
    assert set(ran.state.groups) == {"a", "c"}


@pytest.mark.rule("AC-HTH-05")
def test_the_owner_says_who_is_in_which_group_where_figures_differ() -> None:
    state = _remnants(champions=("a.1", "c.1"))
    slots = {"piece/a.1": "group/c", "piece/a.2": "group/a", "piece/c.1": "group/c", "piece/c.2": "group/c"}
    ran = after(state, {("regroup", 0): Reply("regroup", {"groups": {**slots, "piece/d.1": "group/a"}})})
    [question] = ran.questions
    [ask] = question.asks.values()
    [field] = ask.choices[0].fields
    assert isinstance(field, Assign)
    assert field.room == {"group/a": 4, "group/c": 4}
    assert {id: group.figures for id, group in ran.state.groups.items()} == {
        "a": ("a.2", "d.1"),
        "c": ("a.1", "c.1", "c.2"),
    }


@pytest.mark.rule("AC-HTH-05")
def test_one_group_that_is_left_whole_needs_no_reorganising() -> None:
    ran = after(lost(_remnants(champions=("a.1",), left=(4, 1, 1)), "c.1", "d.1"))
    assert ran.of(GroupsReformed) == []
    assert ran.questions == []


@pytest.mark.rule("AC-HTH-05")
def test_figures_that_share_a_base_stay_in_one_group() -> None:
    state = _remnants(champions=("d.1",))
    crew = {
        id: msgspec.structs.replace(state.figures[id], base="gun", at=(1900, 1000))
        for id in (FigureId("a.1"), FigureId("a.2"))
    }
    state = msgspec.structs.replace(state, figures={**state.figures, **crew})
    split = {"piece/a.1": "group/a", "piece/a.2": "group/c"}
    rest = {f"piece/{id}": "group/a" for id in ("c.1", "c.2", "d.1")}
    with pytest.raises(IllegalIntent, match="regroup/shared-base"):
        after(state, {("regroup", 0): Reply("regroup", {"groups": {**split, **rest}})})


@pytest.mark.rule("AC-HTH-05")
def test_both_sides_regroup_before_they_part() -> None:
    groups = {"a": (0, [(1400, 1000), (1400, 1110)]), "b": (1, [(2000, 1000)]), "c": (0, [(1400, 1400), (1400, 1510)])}
    state = charge(field_of(groups, size=(7200, 4800)), GroupId("a"), FigureId("a.1"), (1900, 1000), _2=(1900, 1110))
    state = charge(state, GroupId("c"), FigureId("c.1"), (2000, 1100), _2=(2000, 1210))
    ran = after(state)
    names = [type(event).__name__ for event in ran.of(GroupsReformed, GroupRetreated, CombatEnded)]
    assert names == ["GroupsReformed", "GroupRetreated", "GroupRetreated", "CombatEnded"]
    assert ran.state.groups[GroupId("a")].figures == ("a.1", "a.2", "c.1", "c.2")
    assert combats.combat_of(ran.state, GroupId("a")) is None
