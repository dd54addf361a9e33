"""Votes of bots on a person's proposals, which can succeed at a table of one person and bots."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from engine.core.bots.bot import run_inline
from engine.core.rules.audience import Seat
from engine.core.rules.system import all_parts
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.special_actions.proposals import Propose
from engine.rulesets.action_cards.state.events import ProposalVoted
from engine.rulesets.action_cards.state.model import Condition
from engine.rulesets.action_cards.view import scene
from protocol.ids import GroupId, NodeId, PromptId
from protocol.scene.nodes import AnyNode, Prompt
from tests.support.systems import skirmish
from tests.support.systems.skirmish import FACTIONS, Play, area, barrier, line_up, role

SEATS = {
    "0.1": line_up(4, 1000, 1000),
    "1.1": line_up(3, 1000, 4000),
    "2.1": line_up(4, 5000, 1000),
    "3.1": line_up(2, 5000, 4000),
}
WALL = barrier("wall", "wall", (500, 2000), (2000, 2000))
BARN = area("barn", "building", 900, 3900, 1400, 4300, (900, 4000))
STAY = Condition("stay", "survive", "condition.survive", "condition.survive", points=2, goal=1)
ROLES = [role() for _ in FACTIONS]
LEVELS = sorted(system.bots)


def table(roles: Any = ROLES) -> Play:
    """Return a table at which seat 0 is a person whose card is being played; the others are bots."""
    return Play(skirmish.table(SEATS, [WALL, BARN], roles=tuple(roles)))


def votes(play: Play, level: str) -> dict[int, str]:
    """Let all bots vote on the open proposal and return their votes."""
    asked = play.match.question
    assert asked is not None
    for seat, ask in asked.asks.items():
        state = play.state
        parts = [*all_parts(scene.public(state)), *scene.private(state, Seat(seat))]
        nodes: Mapping[NodeId, AnyNode] = {part.id: part.make() for part in parts}
        prompt = Prompt(PromptId("v"), ask.title, ask.choices, default=ask.default.choice)
        view: Any = SimpleNamespace(seat=int(seat), nodes=nodes, prompt=prompt)
        play.answer(int(seat), run_inline(system.bots[level](1).decide(view)))
    play.expire()
    [voted] = play.events(ProposalVoted)
    return dict(voted.votes)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("effect", "about", "against"),
    [("again", "", ()), ("open", "barn", ()), ("other", "", ()), ("clear", "wall", ()), ("clear", "barn", (1,))]
    + [("stun", f"{seat}.1", (seat,)) for seat in (1, 2, 3)],
)
def test_bots_allow_what_costs_them_nothing(level: str, effect: str, about: str, against: tuple[int, ...]) -> None:
    """The seat whose group or shelter is affected votes no, the others yes."""
    play = table().do(0, Propose(GroupId("0.1"), effect, "Shout at it", False, about))
    assert votes(play, level) == {seat: "no" if seat in against else "yes" for seat in (1, 2, 3)}
    assert [event.allowed for event in play.events(ProposalVoted)] == [True]


@pytest.mark.parametrize("level", LEVELS)
def test_bots_allow_nothing_to_who_is_ahead_of_them(level: str) -> None:
    """Seat 3 has as many points as the proposer."""
    play = table([role(STAY), role(), role(), role(STAY)]).do(0, Propose(GroupId("0.1"), "again", "Run", False, ""))
    assert votes(play, level) == {1: "no", 2: "no", 3: "yes"}
    assert [event.allowed for event in play.events(ProposalVoted)] == [False]
