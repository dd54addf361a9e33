"""Vehicles played by level 2 bots: a few whole matches on Salt Road use every choice."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot_table import Reading
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from tests.support.play.observed import Observed
from tests.support.systems.shipped import resolved_scenario

pytestmark = pytest.mark.slow

SEEDS = (3, 4, 5, 6, 7, 0, 1, 2)
"""Of the matches, one after another until every choice has been used; the first that does so by itself goes first."""
USED = (
    *("VehicleDriven", "VehicleRose", "VehicleFlew", "VehicleLanded"),
    *("GroupEmbarked", "GroupDisembarked", "BurstFell"),
)


def _played(seed: int) -> Observed[Skirmish]:
    resolved, seats = resolved_scenario("salt_road")
    table: Observed[Skirmish] = Observed(system, MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), resolved, seats)
    bots = {Seat(s): system.bots["level2"](seed + s) for s in range(seats)}
    while table.play.decide(bots):
        pass
    table.check_log()
    table.check_views()
    return table


def test_they_drive_fly_carry_and_shell() -> None:
    done: Counter[str] = Counter()
    for seed in SEEDS:
        table = _played(seed)
        for data in table.log:
            done.update(type(entry).__name__ for entry in table.match.codec.decode(data).entries)
        if all(done[name] for name in USED):
            return
    raise AssertionError([name for name in USED if not done[name]])


def test_a_vehicle_is_read_off_its_own_card() -> None:
    resolved, seats = resolved_scenario("salt_road")
    table: Observed[Skirmish] = Observed(system, MatchDice(bytes(32), MatchId("m1")), resolved, seats)
    reading = Reading(table.play.projector.scene(Seat(0)), 0)
    hulls = [group.hull for group in reading.mine if group.hull is not None]
    assert [(hull.seats, hull.move) for hull in hulls] == [(12, 1400), (0, 1200), (4, 2400)]
    assert [group.blast for group in reading.mine if group.blast] == [7]
    assert reading.own.kill["open"] == 7
