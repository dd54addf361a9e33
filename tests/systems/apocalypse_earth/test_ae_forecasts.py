"""Exact forecasts of Apocalypse: Earth agree with many plays of the same act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.game import Probe, Trace
from engine.core.rules.record import Record
from engine.rulesets.apocalypse_earth.rules.harm import damage, hits
from engine.rulesets.apocalypse_earth.rules.turns import morale
from engine.rulesets.apocalypse_earth.state.combat_events import RoundFought
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Effect
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.system import system
from protocol.ids import GroupId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Reply
from tests.support.play.many_plays import SeededDice, carried_out, check_agrees
from tests.support.systems.ae_battle import WEAPONS, battle, row, squad, vehicle

FIRST: Final = Seat(0)
OWN, FOE = GroupId("0.1"), GroupId("1.1")
SHORT: Final = 150
LONG: Final = 5_000
AT: Final = row(3, 50, 60)
AIMED: Final[dict[str, object]] = {"unit": ["group/0.1"], "target": ["group/1.1"]}
OTHER: Final = squad((150, 110))
"""Another unit of the enemy, so that the battle goes on."""


def forecast_of(state: Battle, reply: Reply) -> Forecast | None:
    probe = Probe(state, Record(seats=2, round=1), SeededDice(0))
    prompt = system.prompt(probe, FIRST)
    assert prompt is not None
    choice = next(choice for choice in prompt.choices if choice.id == reply.choice)
    return system.forecast(probe, FIRST, choice, reply.fields)


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
    check_agrees(forecast_of(state, reply), Counter(lost(state, reply, seed) for seed in range(count)))


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
    forecast = forecast_of(state, reply)
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


@pytest.mark.rule("AE-VEH-01", "AE-VEH-02")
def test_a_gun_destroys_a_vehicle_by_its_hit_its_penetration_and_the_table() -> None:
    """In its side by a 2, 3 or 12, in its rear by a 10, too."""
    state = battle([squad((50, 60), weapons=("hmg127",))], [SIDE_ON, OTHER])
    assert damage.end_chance(state, state.units[FOE], "rear") == Fraction(7, 36)
    shot = Fraction(1, 6) * hits.chance_through(WEAPONS["hmg127"], 8) * Fraction(4, 36)
    forecast = forecast_of(state, Reply("fire", AIMED))
    assert forecast is not None
    count = forecast.pools[0].count
    assert forecast.outcomes == ((0, round(1000 * (1 - shot) ** count)), (1, 1000 - round(1000 * (1 - shot) ** count)))


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-25", "AE-ASLT-01")
def test_nothing_exact_is_said_of_what_strays_of_checks_and_of_what_others_answer() -> None:
    strays = battle([squad(*AT, weapons=("rpg",))], [squad(*row(4, 50, 75)), OTHER])
    assert forecast_of(strays, Reply("fire", AIMED)) is None
    moved = vehicle((50, 80), moved=True)
    ran_on = battle([squad(*AT, arms=(("hmg127",), ("hmg145",), ("ar",)))], [moved, OTHER])
    assert forecast_of(ran_on, Reply("fire", AIMED)) is None
    assert forecast_of(battle([seer()], [squad(*row(2, 50, 75)), OTHER]), power("dread")) is None
    steady = battle([squad(*AT)], [squad(*row(4, 50, 68)), OTHER])
    assert forecast_of(steady, Reply("charge", AIMED)) is None
    watched = battle([squad(*AT)], [squad(*row(4, 50, 68), suppressed=True), squad((150, 110), overwatch=True)])
    assert forecast_of(watched, Reply("charge", AIMED)) is None


@pytest.mark.rule("AE-MOR-01", "AE-OPEN-07", "AE-OPEN-25")
def test_a_check_passes_in_five_of_six_and_fanatics_roll_again() -> None:
    state = battle([squad(*AT), squad(*row(2, 60, 60), abilities=("fanatic",))], [OTHER])
    plain, wild = state.units[OWN], state.units[GroupId("0.2")]
    assert morale.chance(state, plain, "charge") == Fraction(5, 6)
    assert morale.chance(state, wild, "charge") == Fraction(35, 36)
    assert morale.chance(state, wild, morale.CHARGED) == Fraction(5, 6)
    blessed = replace(plain, effects=(Effect("iron_faith", OWN, False),))
    assert morale.chance(state, blessed, "charge") == 1
