"""Cached lines of sight equal those worked out without a cache."""

from __future__ import annotations

import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.kit.board.sightlines import Sight
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import GroupId, MatchId
from tests.support.systems.shipped import resolved_scenario

MATCH = MatchId("m")


def afresh(state: Skirmish, shooters: GroupId, target: GroupId) -> Sight:
    """Return the sight without a cache."""
    others = [table.board(state).standing[id].formation for id in state.groups if id not in (shooters, target)]
    formations = table.board(state).standing[shooters].formation, table.board(state).standing[target].formation
    return table.sight_between(table.board(state).scenery, *formations, others)


@pytest.mark.parametrize("scenario", ["harrow_cross", "low_water"])
def test_kept_sights_are_those_worked_out_afresh(scenario: str) -> None:
    resolved, seats = resolved_scenario(scenario)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    bots = {Seat(seat): Level1(seat) for seat in range(seats)}
    for turn in range(24):
        before = play.match.state
        assert play.decide(bots)
        # every third pair, other ones each turn: some are asked for again only when much has moved
        for state in (play.match.state, before):
            pairs = [
                (a, b) for a in state.groups for b in state.groups if state.groups[a].owner != state.groups[b].owner
            ]
            for a, b in pairs[turn % 3 :: 3]:
                kept, plain = table.sight(state, a, b), afresh(state, a, b)
                assert (kept.lines, kept.blocker) == (plain.lines, plain.blocker), (turn, a, b)
