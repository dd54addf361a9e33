"""The engine's properties in battles of random legal play and of bots, with hidden units, by side."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import Chance, RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.sides import allies_of
from engine.rulesets.apocalypse_earth.rules.table import ground, traits
from engine.rulesets.apocalypse_earth.state.state import ABOARD, TABLE, Battle
from engine.rulesets.apocalypse_earth.system import system
from engine.space.terrain.contact import Base
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import squared
from protocol.ids import MatchId
from tests.support.play.checked_play import play_and_check
from tests.support.play.knowledge import check_knowledge, packed
from tests.support.play.observed import Observed
from tests.support.systems import ae_shipped

MATCH: Final = MatchId("m")
TABLES: Final = st.sampled_from(["meeting_engagement:four", "the_hummvees", "three_flags", "loophole:four"])

pytestmark = pytest.mark.slow


def resolved(scenario: str) -> bytes:
    """Return the content of a match of ready forces, as it is stored."""
    return msgspec.msgpack.encode(ae_shipped.resolved(scenario))


def bots_of(kind: str, seed: int, seats: int) -> dict[Seat, Bot]:
    """Return a bot of a kind for each seat."""
    make = system.bots.get(kind, RandomBot)
    return {Seat(seat): make(seed + seat) for seat in range(seats)}


def sound(state: Battle) -> None:
    """Check the invariants of every table."""
    units = [unit for unit in state.units.values() if unit.figures and unit.where != "gone"]
    named = [figure for unit in units for figure in unit.figures]
    assert sorted(named) == sorted(set(named))
    assert set(named) <= set(state.figures)
    figures = [figure for unit in units if unit.where == TABLE for figure in state.members(unit)]
    assert all(figure.at != (-1, -1) for figure in figures)
    discs = [base for figure in figures if isinstance(base := traits.base(state, figure), Base)]
    houses = ground.buildings(state)
    for number, one in enumerate(discs):
        for other in discs[number + 1 :]:
            apart = squared(one.at, other.at) >= (one.radius + other.radius) ** 2
            assert apart or any(contains(one.at, area.outline) for area in houses), (one, other)
    scenery = ground.scenery_of(state)
    assert all(scenery.has_disc(base.at, base.radius) for base in discs)
    assert all(state.units[unit.vessel].where == TABLE for unit in units if unit.where == ABOARD)


def checked(seed: int, scenario: str, kind: str, decisions: int) -> Observed[Battle]:
    """Play so many decisions, checked at each question and now and then else."""
    dice = MatchDice(seed.to_bytes(32, "big"), MatchId("m1"))
    seats = ae_shipped.content().forms[scenario].seats
    table: Observed[Battle] = Observed(system, dice, resolved(scenario), seats)
    play_and_check(table, bots_of(kind, seed, seats), decisions, 9, sound)
    return table


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 2**32), TABLES)
def test_fold_rebuild_and_projection_agree_in_random_play(seed: int, scenario: str) -> None:
    checked(seed, scenario, "random", 60)


def hidden_looks(scenario: str, seed: int) -> int:
    """Check the knowledge of who acts, and of the seats in turn, now and then in random play past the largest set-up;
    return how often something was hidden from one."""
    seats = ae_shipped.content().forms[scenario].seats
    play = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)), watched=False)
    play.begin(Start(MATCH, seats, resolved(scenario)))
    bots = bots_of("random", seed, seats)
    hid = 0
    for turn in range(120):
        acting = play.next_seat()
        if acting is None:
            break
        # who acts is often the one who hides
        for seat in {acting, Seat(turn // 9 % seats)} if turn % 9 == 0 else ():
            check_knowledge(play.match, seat, turn)
            hid += packed(play.match.known(seat)) != packed(play.match.state)
        play.decide(bots)
    return hid


@pytest.mark.parametrize("scenario", ["out_of_the_treeline", "city_of_the_brotherhood"])
def test_what_a_seat_gets_follows_from_what_its_side_knows(scenario: str) -> None:
    assert any(hidden_looks(scenario, seed) for seed in range(3, 9))


def test_all_seats_of_a_side_know_the_same() -> None:
    play = SelfPlay(Match(system, MATCH, MatchDice(bytes(31) + b"\2", MATCH)), watched=False)
    play.begin(Start(MATCH, 4, resolved("meeting_engagement:four")))
    bots = bots_of("random", 5, 4)
    for _ in range(60):
        play.decide(bots)
        state = play.match.state
        for seat in state.players:
            known = [system.known(state, ally) for ally in allies_of(state.sides, seat)]
            assert all(one is known[0] for one in known)
            assert system.known(system.imagine(known[0], Chance(1)), Seat(seat)) == known[0]


@pytest.mark.long("properties")
@pytest.mark.parametrize("scenario", sorted(ae_shipped.content().forms))
def test_a_whole_battle_of_each_form_keeps_the_properties(scenario: str) -> None:
    assert checked(1, scenario, "random", 4_000).match.state.ended
