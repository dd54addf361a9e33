"""Properties of the engine under random legal play of the action-card skirmish."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from tests.support.play.checked_play import play_and_check
from tests.support.play.observed import Observed
from tests.support.play.secrecy import check_conditions, check_deck, check_events
from tests.support.systems.shipped import resolved_scenario

SCENARIOS = st.sampled_from(["low_water", "harrow_cross", "salt_road", "last_train"])


def _observed(seed: int, scenario: str) -> tuple[Observed[Skirmish], dict[Seat, RandomBot]]:
    resolved, seats = resolved_scenario(scenario, seed % 64)
    table: Observed[Skirmish] = Observed(system, MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), resolved, seats)
    return table, {Seat(s): RandomBot(seed + s) for s in range(seats)}


def _play_and_check(seed: int, scenario: str, decisions: int, undo_every: int) -> int:
    """Play random legal acts; check log, rebuild and views at each question and now and then."""
    table, bots = _observed(seed, scenario)
    play_and_check(table, bots, decisions, undo_every)
    return table.play.intents


@given(st.integers(0, 2**32), SCENARIOS, st.integers(2, 20))
def test_fold_rebuild_and_projection_agree(seed: int, scenario: str, undo_every: int) -> None:
    _play_and_check(seed, scenario, 60, undo_every)


@given(st.integers(0, 2**32), SCENARIOS, st.integers(1, 9))
def test_nobody_learns_which_event_comes(seed: int, scenario: str, turn: int) -> None:
    check_events(system, seed, scenario, turn)


@given(st.integers(0, 2**32), SCENARIOS, st.integers(1, 30))
def test_nobody_learns_the_order_of_the_deck(seed: int, scenario: str, turn: int) -> None:
    check_deck(system, seed, scenario, turn)


@given(st.integers(0, 2**32), SCENARIOS, st.integers(1, 5))
def test_nobody_learns_the_secret_conditions_of_others(seed: int, scenario: str, turn: int) -> None:
    check_conditions(system, seed, scenario, turn)


@pytest.mark.long("properties")
def test_three_hundred_pairs_of_matches_keep_their_secrets() -> None:
    for seed in range(150):
        scenario = ("low_water", "harrow_cross", "salt_road")[seed % 3]
        check_deck(system, seed, scenario, 1 + seed % 30)
        check_conditions(system, seed, scenario, 1 + seed % 5)
        check_events(system, seed, scenario, 1 + seed % 9)


@pytest.mark.long("properties")
def test_over_ten_thousand_random_legal_intents() -> None:
    intents, seed = 0, 0
    while intents < 10_000 and seed < 400:
        intents += _play_and_check(seed, ("low_water", "harrow_cross", "salt_road")[seed % 3], 1_500, 7)
        seed += 1
    assert intents >= 10_000
