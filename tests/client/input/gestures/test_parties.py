"""Parties: groups that act together are exchanged by clicks on them before it is done."""

from __future__ import annotations

import pytest

from client.input.gestures.parties import party_of
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Forecast, Gesture, Target
from protocol.scene.fields import Option, Pieces
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Surveyed
from tests.client.input.gestures.test_controller import ENEMY, MINE, OTHER, SHOOT, TARGETS, Server

THIRD = NodeId("group/3")
OPTIONS = (Option(MINE), Option(OTHER), Option(THIRD))
FIRST = Pieces("first", Text("first"), options=OPTIONS)
SECOND = Pieces("second", Text("second"), options=OPTIONS)
MORE = Pieces("more", Text("more"), options=OPTIONS, least=0, auto=True)
LINKED = Choice(
    "linked", Text("linked"), (FIRST, SECOND, MORE, TARGETS), gesture=Gesture("first", "target", "group", 1)
)
CROWD = Pieces("crowd", Text("crowd"), options=OPTIONS, least=1, most=3)
STORM = Choice("storm", Text("storm"), (CROWD, TARGETS), gesture=Gesture("crowd", "target", "group"))
PROMPT = Prompt(PromptId("p1"), Text("act"), (SHOOT, LINKED))
ALL: dict[str, object] = {"first": [MINE], "second": [OTHER], "more": [THIRD], "target": [ENEMY]}


@pytest.fixture
def server() -> Server:
    """A table at which linked fire of three groups is proposed, whatever must be confirmed."""
    server = Server(PROMPT)
    server.click((0, 0), MINE)
    server.say(
        Surveyed(1, "shoot", targets=(Target(ENEMY),), more=True),
        Surveyed(1, "linked", targets=(Target(ENEMY),)),
    )
    server.click((5000, 0), ENEMY, corner=True)
    server.propose(fields=ALL, forecast=Forecast(mean=300))
    return server


def test_an_act_of_several_groups_waits_to_be_accepted(server: Server) -> None:
    assert server.asked[-1] == ("linked", {"first": [MINE], "target": [ENEMY]})
    assert server.gestures.held
    assert server.gestures.members() == [MINE, OTHER, THIRD]
    assert server.sent == []
    server.click((5000, 0), ENEMY)
    assert server.sent == [Reply("linked", ALL)]


def test_a_plain_click_is_the_shot_of_one_group() -> None:
    server = Server(PROMPT)
    server.click((0, 0), MINE)
    server.say(Surveyed(1, "shoot", targets=(Target(ENEMY),), more=True), Surveyed(1, "linked"))
    server.click((5000, 0), ENEMY)
    server.propose()
    assert [reply.choice for reply in server.sent] == ["shoot"]


def test_a_click_takes_a_group_out_and_in_again_and_the_forecast_follows(server: Server) -> None:
    server.wait(0.1)
    server.click((0, 0), OTHER)
    fewer = {**ALL, "second": [THIRD], "more": []}
    assert server.asked[-1] == ("linked", fewer)
    server.propose(fields=fewer, forecast=Forecast(mean=200))
    assert server.gestures.members() == [MINE, THIRD]
    assert server.gestures.proposals.shown is not None
    assert server.gestures.proposals.shown.forecast == Forecast(mean=200)
    assert server.gestures.held
    server.wait(0.1)
    server.click((0, 0), OTHER)
    assert server.asked[-1] == ("linked", {**ALL, "second": [THIRD], "more": [OTHER]})
    server.propose()
    assert server.gestures.accept()
    assert server.sent == [Reply("linked", {**ALL, "second": [THIRD], "more": [OTHER]})]


def test_a_group_whose_change_is_refused_stays_and_it_is_said_why(server: Server) -> None:
    server.wait(0.1)
    server.click((0, 0), OTHER)
    server.propose(code="linked/no", text=Text("no"))
    assert server.gestures.note is not None
    assert server.gestures.members() == [MINE, OTHER, THIRD]
    assert server.gestures.accept()
    assert server.sent == [Reply("linked", ALL)]


@pytest.mark.parametrize(
    ("now", "thing", "again", "then"),
    [
        ([MINE, OTHER], OTHER, False, [MINE, MINE]),  # two shots must be: the first shoots twice
        ([MINE, MINE], OTHER, False, [MINE, OTHER]),
        ([MINE, OTHER], MINE, True, [MINE, OTHER, MINE]),
        ([MINE, OTHER, THIRD], MINE, False, [OTHER, THIRD]),
        ([MINE, OTHER, MINE], MINE, False, [MINE, OTHER]),
        ([MINE, OTHER, MINE], THIRD, False, [MINE, OTHER, THIRD]),
        ([MINE, MINE], MINE, False, [MINE, MINE]),
    ],
)
def test_groups_are_exchanged_within_the_least_and_the_most(
    now: list[NodeId], thing: NodeId, again: bool, then: list[NodeId]
) -> None:
    party = party_of(LINKED, {})
    assert party is not None
    assert party.members(party.exchanged(now, thing, again=again)) == then


def test_one_field_of_several_groups_is_a_party_too() -> None:
    party = party_of(STORM, {})
    assert party is not None
    assert party.exchanged([MINE, OTHER], THIRD, again=False) == {"crowd": [MINE, OTHER, THIRD]}
    assert party_of(SHOOT, {}) is None
