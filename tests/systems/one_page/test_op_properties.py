"""The engine's properties in whole battles of bots and of random legal play."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.one_page.rules import ground, traits
from engine.rulesets.one_page.state.state import TABLE, Battle
from engine.rulesets.one_page.system import system
from engine.space.terrain.contact import overlaps
from protocol.ids import MatchId
from tests.support.play.checked_play import play_and_check
from tests.support.play.observed import Observed
from tests.support.systems import op_shipped

MATCH = MatchId("m")

pytestmark = pytest.mark.slow

TABLES = st.sampled_from(["open_field_3000", "crossroads_3000"])


def bots_of(kind: str, seed: int) -> dict[Seat, Bot]:
    """Two bots of a kind."""
    make = system.bots.get(kind, RandomBot)
    return {Seat(seat): make(seed + seat) for seat in range(2)}


def sound(state: Battle) -> None:
    """Check the invariants of every table."""
    units = [unit for unit in state.units.values() if unit.figures]
    named = [figure for unit in units for figure in unit.figures]
    assert sorted(named) == sorted(state.figures)
    bases = [base for unit in units if unit.where == TABLE for base in traits.bases(state, unit)]
    bases.sort(key=lambda base: base.at)
    for number, one in enumerate(bases):
        for other in bases[number + 1 :]:
            if other.at[0] - one.at[0] > one.radius + other.radius:
                break
            assert not overlaps(one, other), (one, other)
    scenery = ground.scenery_of(state)
    assert all(scenery.has_disc(base.at, base.radius) for base in bases)
    assert all(state.units[unit.vessel].where == TABLE for unit in units if unit.where == "aboard")


def checked(seed: int, scenario: str, kind: str, decisions: int) -> Observed[Battle]:
    """So many decisions, checked at each question and now and then else."""
    dice = MatchDice(seed.to_bytes(32, "big"), MatchId("m1"))
    table: Observed[Battle] = Observed(system, dice, op_shipped.resolved(scenario, seed % 16), 2)
    play_and_check(table, bots_of(kind, seed), decisions, 9, sound)
    return table


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 2**32), TABLES)
def test_fold_rebuild_and_projection_agree_in_random_play(seed: int, scenario: str) -> None:
    checked(seed, scenario, "random", 70)


def test_a_whole_battle_of_bots_folds_rebuilds_projects_and_ends() -> None:
    table = checked(6, "crossroads_3000", "level2", 2_000)
    state = table.match.state
    assert state.ended in ("rounds", "destroyed")
    result = system.result(state)
    assert result is not None
    assert sum(seat.score for seat in result.seats) > 0
    points, figures, lost, luck = table.match.series()
    assert [row[-1] for row in points.rows] == [seat.score for seat in result.seats]
    assert len(points.rows[0]) == state.round + 1
    assert (points.first, luck.per) == (0, 100)
    assert len({now + gone for now, gone in zip(figures.rows[0], lost.rows[0], strict=True)}) == 1
    assert any(luck.rows[0])


def test_the_same_seed_gives_the_same_battle() -> None:
    heads = []
    for _ in range(2):
        match = Match(system, MATCH, MatchDice(bytes(32), MATCH))
        play = SelfPlay(match, watched=False)
        play.begin(Start(MATCH, 2, op_shipped.resolved("open_field_3000", 3)))
        play.play(bots_of("level1", 5), 40)
        heads.append(match.head)
    assert heads[0] == heads[1]


@pytest.mark.long("properties")
def test_forty_battles_keep_the_properties() -> None:
    for seed in range(40):
        checked(seed, ("open_field_3000", "crossroads_3000")[seed % 2], ("random", "level1", "level2")[seed % 3], 900)


@pytest.mark.long("properties")
def test_level_2_beats_level_1() -> None:
    """Both armies alike, sides changed: more points in sum."""
    points = [sum(of) for of in zip(*(fought(seed) for seed in range(16)), strict=True)]
    assert points[1] > points[0] * 1.1


def test_level_2_takes_more_than_level_1_in_one_battle() -> None:
    worse, better = fought(2)
    assert better > worse


def fought(seed: int) -> tuple[int, int]:
    """The points of a bot of level 1 and of one of level 2 with the same army."""
    seat = seed % 2
    match = Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH))
    play = SelfPlay(match, watched=False)
    play.begin(Start(MATCH, 2, op_shipped.mirrored(seed % 4)))
    play.play({Seat(n): system.bots["level2" if n == seat else "level1"](n) for n in range(2)}, 2_000)
    result = system.result(match.state)
    assert result is not None
    scores = {line.seat: line.score for line in result.seats}
    return scores[1 - seat], scores[seat]
