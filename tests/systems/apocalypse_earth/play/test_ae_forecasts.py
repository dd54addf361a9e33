"""Exact forecasts of Apocalypse: Earth agree with many plays of the same act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.game import Trace
from engine.rulesets.apocalypse_earth.rules.turns import morale
from engine.rulesets.apocalypse_earth.state.combat_events import RoundFought
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Effect
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.system import system
from protocol.ids import GroupId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Reply
from tests.support.play.many_plays import carried_out, check_agrees, forecast_of
from tests.support.systems.ae_battle import battle, row, squad, vehicle

FIRST: Final = Seat(0)
OWN, FOE = GroupId("0.1"), GroupId("1.1")
SHORT: Final = 150
LONG: Final = 5_000
AT: Final = row(3, 50, 60)
AIMED: Final[dict[str, object]] = {"unit": ["group/0.1"], "target": ["group/1.1"]}
OTHER: Final = squad((150, 110))
"""Another unit of the enemy, so that the battle goes on."""


def power(id: str) -> Reply:
    return Reply("power", {**AIMED, "power": id})


def seer(**changes: Any) -> Any:
    return squad(*AT, roles={0: ("psi_3",)}, **changes)


CAR: Final = vehicle((50, 80), facing=90, armour=(11, 8, 8, 8))
SIDE_ON: Final = vehicle((50, 80), armour=(11, 8, 8, 8))
ACTS: Final[Mapping[str, tuple[Callable[[], Battle], Reply]]] = {
    "rifles": (lambda: battle([squad(*AT)], [squad(*row(4, 50, 75)), OTHER]), Reply("fire", AIMED)),
    "a machine gun at a car": (
        lambda: battle([squad(*AT, weapons=("hmg127",))], [SIDE_ON, OTHER]),
        Reply("fire", AIMED),
    ),
    "two kinds of guns at its front": (
        lambda: battle([squad(*AT, arms=(("hmg145",), ("hmg127",), ("ar",)))], [CAR, OTHER]),
        Reply("fire", AIMED),
    ),
    "break steel": (lambda: battle([seer()], [SIDE_ON, OTHER]), power("break_steel")),
    "hurled stone": (lambda: battle([seer()], [squad(*row(2, 50, 75)), OTHER]), power("hurled_stone")),
    "hurled stone at a car": (lambda: battle([seer()], [SIDE_ON, OTHER]), power("hurled_stone")),
    "fog of mind": (lambda: battle([seer()], [squad(*row(2, 50, 75)), OTHER]), power("fog_of_mind")),
    "charge at who is suppressed": (
        lambda: battle([squad(*AT)], [squad(*row(4, 50, 68), suppressed=True), OTHER]),
        Reply("charge", AIMED),
    ),
}


def lost(state: Battle, reply: Reply, seed: int) -> int:
    """Return the figures of the enemy that fell, or gave up, in one play."""
    after = carried_out(system, state, FIRST, system.parse(state, FIRST, reply), seed).state
    return len(state.units[FOE].figures) - len(after.units[FOE].figures)


def check_act(act: str, count: int) -> None:
    made, reply = ACTS[act]
    state = made()
    check_agrees(forecast_of(system, state, FIRST, reply), Counter(lost(state, reply, seed) for seed in range(count)))


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.rule("AE-OPEN-25")
def test_an_act_comes_to_what_is_forecast(act: str) -> None:
    check_act(act, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("act", ACTS)
def test_an_act_comes_to_what_is_forecast_in_many_plays(act: str) -> None:
    check_act(act, LONG)


def engaged(own: Any, foe: Any, **changes: Any) -> Battle:
    state = battle([own], [foe, OTHER])
    return replace(state, combats=(Combat(1, (OWN,), (FOE,), **changes),))


FIGHTS: Final[Mapping[str, Callable[[], Battle]]] = {
    "one against one": lambda: engaged(squad((50, 60), ccr=4), squad((50, 61), ccr=3)),
    "five against two": lambda: engaged(squad(*row(5, 50, 60), ccr=3), squad(*row(2, 50, 61), ccr=5)),
    "two against five": lambda: engaged(squad(*row(2, 50, 60), ccr=5), squad(*row(5, 50, 61), ccr=3)),
    "an assassin": lambda: engaged(
        squad((50, 60), ccr=3, roles={0: ("assassin",)}), squad(*row(4, 50, 61), ccr=4), fresh=(FOE,)
    ),
}


def fallen(trail: Sequence[Trace[Any]], unit: GroupId) -> int:
    """Return the figures of a unit that fell in duels, before anybody checked."""
    after = next(trace.after for trace in trail if isinstance(trace.event, RoundFought))
    return len(trail[0].before.units[unit].figures) - len(after.units[unit].figures)


def check_fight(fight: str, count: int) -> None:
    state, reply = FIGHTS[fight](), Reply("fight_on", {"unit": ["group/0.1"]})
    forecast = forecast_of(system, state, FIRST, reply)
    assert forecast is not None
    intent = system.parse(state, FIRST, reply)
    trails = [carried_out(system, state, FIRST, intent, seed).trail for seed in range(count)]
    check_agrees(forecast, Counter(fallen(trail, FOE) for trail in trails))
    [back] = forecast.back
    check_agrees(Forecast(outcomes=back.outcomes, mean=back.mean), Counter(fallen(trail, OWN) for trail in trails))


@pytest.mark.parametrize("fight", FIGHTS)
@pytest.mark.rule("AE-ASLT-05", "AE-ASLT-06", "AE-ASLT-07")
def test_the_duels_of_a_round_come_to_what_is_forecast(fight: str) -> None:
    check_fight(fight, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("fight", FIGHTS)
def test_the_duels_of_a_round_come_to_what_is_forecast_in_many_plays(fight: str) -> None:
    check_fight(fight, LONG)


@pytest.mark.rule("AE-MOR-01", "AE-OPEN-07", "AE-OPEN-25")
def test_a_check_passes_in_five_of_six_and_fanatics_roll_again() -> None:
    state = battle([squad(*AT), squad(*row(2, 60, 60), abilities=("fanatic",))], [OTHER])
    plain, wild = state.units[OWN], state.units[GroupId("0.2")]
    assert morale.chance(state, plain, "charge") == Fraction(5, 6)
    assert morale.chance(state, wild, "charge") == Fraction(35, 36)
    assert morale.chance(state, wild, morale.CHARGED) == Fraction(5, 6)
    blessed = replace(plain, effects=(Effect("iron_faith", OWN, False),))
    assert morale.chance(state, blessed, "charge") == 1
