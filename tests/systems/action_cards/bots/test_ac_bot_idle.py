"""Bots of levels 2 and 3 bring all their groups into the match."""

from __future__ import annotations

import pytest

from engine.core.bots.bot import Bot, run_inline
from engine.core.bots.selfplay import SelfPlay, SelfPlayView
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level2, Level3, Player
from engine.rulesets.action_cards.bots.bot_look import choice_and_group
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from tests.support.systems.shipped import resolved_scenario

pytestmark = pytest.mark.slow

SEATS = {"harrow_cross": 4, "low_water": 6}


def living(play: SelfPlay[Skirmish]) -> set[str]:
    return {f"group/{id}" for id in play.match.state.groups}


def at_half_time(level: type[Player], scenario: str, seed: int) -> tuple[int, int]:
    """Return the groups that have never acted when half of the rows are over, and those that live then."""
    resolved, seats = resolved_scenario(scenario)
    id = MatchId(f"m{seed}")
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, id, MatchDice(seed.to_bytes(32, "big"), id)), watched=False)
    play.begin(Start(id, seats, resolved))
    bots: dict[Seat, Bot] = {Seat(seat): level(1000 * seed + seat) for seat in range(SEATS[scenario])}
    acted: set[str] = set()
    rows: dict[int, tuple[int, int]] = {}
    while (seat := play.next_seat()) is not None and (prompt := play.projector.prompt(seat)) is not None:
        rows[play.match.state.turn] = len(living(play) - acted), len(living(play))
        reply = run_inline(bots[seat].decide(SelfPlayView(play, seat, prompt)))
        try:
            play.submit(seat, reply)
            acted.add(choice_and_group(reply)[1])
        except IllegalIntent as refused:
            bots[seat].refused(reply, refused.refusal.code)
    return list(rows.values())[len(rows) // 2 - 1]


def check_half_time(level: type[Player], matches: int) -> None:
    found = [at_half_time(level, scenario, seed) for seed in range(matches // 2) for scenario in SEATS]
    idle, alive = [sum(counts) for counts in zip(*found, strict=True)]
    assert 5 * idle <= alive, found


@pytest.mark.long("bots")
@pytest.mark.parametrize("level", [Level2, Level3])
def test_at_half_time_one_group_in_five_at_most_has_never_acted(level: type[Player]) -> None:
    check_half_time(level, 20)


def test_in_a_few_matches_all_groups_of_level_2_act_early() -> None:
    check_half_time(Level2, 4)
