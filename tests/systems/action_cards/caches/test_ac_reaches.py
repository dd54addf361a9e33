"""Regions of moves carried from state to state equal those worked out afresh."""

from __future__ import annotations

import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.kit.board import reaches
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.movement import moves as space_moves
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import squared
from protocol.ids import FigureId, GroupId, MatchId
from tests.support.systems.shipped import resolved_scenario

MATCH = MatchId("m")

CORNER = 3
"""Hundredths of an inch along a path in which cutting its points to hundredths tells."""


def afresh(state: Skirmish, group_id: GroupId, lead: FigureId) -> tuple[Outline, ...]:
    """Work out the regions without a memo, and with nothing left out as too far away."""
    group, start = state.groups[group_id], state.figures[lead].at
    exits = tuple(
        (area, moves.exits(state, group, area)) for area in table.board(state).scenery.areas if area.holds(start)
    )
    return tuple(
        reaches.regions_afresh(moves.way_of(state, group, lead), start, moves.allowance_of(state, group), exits)
    )


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["harrow_cross", "low_water"])
def test_kept_regions_are_those_worked_out_afresh(scenario: str) -> None:
    resolved, seats = resolved_scenario(scenario)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    bots = {Seat(seat): Level1(seat) for seat in range(seats)}
    kept = 0
    for turn in range(24):
        before = play.match.state
        assert play.decide(bots)
        for state in (play.match.state, before):
            for group in list(state.groups.values())[turn % 4 :: 4]:
                lead = group.figures[0]
                known = state.resolved.memo.last(("reach", lead))
                found = moves.regions(state, group.id, lead)
                kept += known is not None and known.regions is found
                assert found == afresh(state, group.id, lead), (turn, group.id)
    assert kept, "nothing was kept: this compares nothing"


def test_guessing_where_a_path_meets_something_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exception is a path so close to a corner that its points, cut to hundredths, lie before and behind it in
    turn: then either end is correct."""
    resolved, seats = resolved_scenario("last_train")
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    bots = {Seat(seat): Level1(seat) for seat in range(seats)}
    for _ in range(30):
        assert play.decide(bots)
    state = play.match.state
    guessed = [afresh(state, id, group.figures[0]) for id, group in state.groups.items()]
    monkeypatch.setattr(space_moves, "_AROUND", ())
    halved = [afresh(state, id, group.figures[0]) for id, group in state.groups.items()]
    ends = [
        (a, b)
        for one, other in zip(guessed, halved, strict=True)
        for outline, same in zip(one, other, strict=True)
        for a, b in zip(outline, same, strict=True)
    ]
    apart = [squared(a, b) for a, b in ends if a != b]
    assert len(ends) > 500
    assert len(apart) <= 2
    assert all(gap <= CORNER**2 for gap in apart)
