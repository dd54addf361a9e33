"""Forecasts of the action cards and One Page agree with many plays of the same act."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.events import ActionDeclared
from engine.core.rules.game import Trace
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.action_cards.rules.shooting import blast
from engine.rulesets.action_cards.state.state import Danger, Skirmish
from engine.rulesets.one_page import system as one_page
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.state.events import MeleeFought, ModelsRemoved
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Reply
from tests.support.play.many_plays import carried_out, check_agrees, forecast_of, outcomes
from tests.support.systems import motors, skirmish
from tests.support.systems.battle import Fight, Squad, altered, battle, row, squad
from tests.support.systems.eventful import with_open
from tests.support.systems.motors import with_crew
from tests.support.systems.skirmish import line_up

FIRST: Final = Seat(0)
TARGET: Final = GroupId("1.1")
SHORT: Final = 150
LONG: Final = 10_000
AT: Final = row(5, 3000, 1000)
FOES: Final = row(6, 3000, 2000)
CLOSE: Final = row(4, 3000, 1800)


def aimed(own: Squad, foe: Squad, **changes: Any) -> Battle:
    """A unit that holds before its target; `changes` of the target."""
    fight = Fight(altered(battle([own], [foe]), "1.1", **changes))
    fight.do(0, Hold(GroupId("0.1")))
    return fight.now


SHOTS: Final[Mapping[str, Callable[[], Battle]]] = {
    "rifles": lambda: aimed(squad(*AT), squad(*FOES)),
    "machineguns": lambda: aimed(squad(*AT, weapons=("gun",)), squad(*FOES, quality=5)),
    "one model each": lambda: aimed(squad(*AT, weapons=("melta",)), squad(*FOES, tough=3)),
    "rending": lambda: aimed(squad(*AT, weapons=("rending",)), squad(*FOES, rules=("armored",))),
    "piercing": lambda: aimed(squad(*AT, weapons=("piercing",)), squad(*FOES, rules=("armored",))),
    "linked": lambda: aimed(squad(*AT, weapons=("linked",)), squad(*FOES, tough=2)),
    "shaken": lambda: aimed(squad(*AT, weapons=("scoped",), shaken=1), squad(*FOES)),
    "several": lambda: aimed(squad(*AT[:2], arms=(("gun",), ("lance",))), squad(*FOES[:3], tough=3)),
    "vehicle": lambda: aimed(
        squad(*AT, weapons=("gun",)), squad((3200, 2200), kind="vehicle", tough=4, size=300, quality=5)
    ),
    "behind a vehicle": lambda: aimed(
        squad(*AT, weapons=("melta",)),
        squad((3200, 2000), kind="vehicle", tough=6, size=300, facing=90),
        tracked=True,
    ),
}


def check_shot(state: Battle, count: int) -> None:
    reply = Reply("shoot", {"target": ["group/1.1"]})
    intent = one_page.parse(state, FIRST, reply)
    before = len(state.units[TARGET].figures)
    played = outcomes(one_page, state, FIRST, intent, lambda after: before - len(after.units[TARGET].figures), count)
    check_agrees(forecast_of(one_page, state, FIRST, reply), played)


@pytest.mark.parametrize("shot", SHOTS)
@pytest.mark.rule("OP-SHOOT-02", "OP-SHOOT-03")
def test_a_shot_of_the_battle_game_comes_to_what_is_forecast(shot: str) -> None:
    check_shot(SHOTS[shot](), SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("shot", SHOTS)
def test_a_shot_of_the_battle_game_comes_to_what_is_forecast_in_many_plays(shot: str) -> None:
    check_shot(SHOTS[shot](), LONG)


def expected(system: Any, state: Any, reply: Reply) -> int:
    """The mean that an act is declared with."""
    game = carried_out(system, state, FIRST, system.parse(state, FIRST, reply), 0)
    return next(trace.event.expect for trace in game.trail if isinstance(trace.event, ActionDeclared))


@pytest.mark.parametrize("shot", SHOTS)
def test_a_shot_of_the_battle_game_is_declared_with_the_mean_of_its_forecast(shot: str) -> None:
    state, reply = SHOTS[shot](), Reply("shoot", {"target": ["group/1.1"]})
    forecast = forecast_of(one_page, state, FIRST, reply)
    assert forecast is not None
    assert expected(one_page, state, reply) == forecast.mean


FIGHTS: Final[Mapping[str, Callable[[], Battle]]] = {
    "swords": lambda: charging(squad(*AT, weapons=("sword",)), squad(*CLOSE, weapons=("sword",))),
    "rending claws": lambda: charging(squad(*AT[:3], weapons=("claw",)), squad(*CLOSE[:2], tough=3, rules=("hatred",))),
    "strikes first": lambda: charging(squad(*AT, weapons=("sword",), rules=("strikes_first",)), squad(*CLOSE)),
    "at a vehicle": lambda: charging(
        squad(*AT, weapons=("claw",)), squad((3100, 1900), kind="vehicle", size=300, tough=3, quality=5)
    ),
}


def charging(own: Squad, foe: Squad) -> Battle:
    """A unit within reach of its target."""
    return battle([own], [foe])


def fallen_by_blows(trail: Sequence[Trace[Any]], unit: str) -> int:
    """Models that fell before the melee was decided."""
    found = 0
    for trace in trail:
        if isinstance(trace.event, MeleeFought):
            break
        if isinstance(trace.event, ModelsRemoved) and trace.event.unit == unit:
            found += len(trace.event.figures)
    return found


def check_fight(fight: str, count: int) -> None:
    state, reply = FIGHTS[fight](), Reply("assault", {"unit": ["group/0.1"], "target": ["group/1.1"]})
    forecast = forecast_of(one_page, state, FIRST, reply)
    intent = one_page.parse(state, FIRST, reply)
    trails = [carried_out(one_page, state, FIRST, intent, seed, on=True).trail for seed in range(count)]
    check_agrees(forecast, Counter(fallen_by_blows(trail, TARGET) for trail in trails))
    assert forecast is not None
    for back in forecast.back:
        check_agrees(
            Forecast(outcomes=back.outcomes, mean=back.mean), Counter(fallen_by_blows(trail, "0.1") for trail in trails)
        )
    assert bool(forecast.back) == (fight != "strikes first")


@pytest.mark.parametrize("fight", FIGHTS)
@pytest.mark.rule("OP-MELEE-02", "OP-MELEE-03")
def test_the_first_blows_of_a_melee_come_to_what_is_forecast(fight: str) -> None:
    check_fight(fight, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("fight", FIGHTS)
def test_the_first_blows_of_a_melee_come_to_what_is_forecast_in_many_plays(fight: str) -> None:
    check_fight(fight, LONG)


POWERS: Final = ("ember_lash", "pyre", "lance_of_fire")


def check_power(power: str, count: int) -> None:
    caster = squad((3000, 1000), rules=("psyker.2",), discipline="ash")
    state = battle([caster], [squad(*row(6, 3000, 1800), rules=("armored",))])
    state = msgspec.structs.replace(state, seats=(msgspec.structs.replace(state.seats[0], dice=8), state.seats[1]))
    reply = Reply("power", {"unit": ["group/0.1"], "power": power, "target": ["group/1.1"], "dice": 6})
    intent = one_page.parse(state, FIRST, reply)
    played = outcomes(one_page, state, FIRST, intent, lambda after: 6 - len(after.units[TARGET].figures), count)
    check_agrees(forecast_of(one_page, state, FIRST, reply), played)


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.rule("OP-SR-14", "OP-OPEN-14")
def test_the_hits_of_a_power_come_to_what_is_forecast(power: str) -> None:
    check_power(power, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("power", POWERS)
def test_the_hits_of_a_power_come_to_what_is_forecast_in_many_plays(power: str) -> None:
    check_power(power, LONG)


CARDS: Final[Mapping[str, tuple[Reply, tuple[int, ...]]]] = {
    "shoot": (Reply("shoot", {"group": ["group/0.1"], "target": ["group/1.1"]}), (4, 6)),
    "few targets": (Reply("shoot", {"group": ["group/0.1"], "target": ["group/1.1"]}), (8, 1)),
    "linked": (
        Reply("linked", {"first": ["group/0.1"], "second": ["group/0.1"], "target": ["group/1.1"]}),
        (4, 8),
    ),
}


def card(case: str) -> tuple[Skirmish, Reply, int]:
    """A table of the card game with an act on it, and the figures of its target."""
    reply, (own, foes) = CARDS[case]
    return skirmish.table({"0.1": line_up(own, 1000, 1000), "1.1": line_up(foes, 1000, 4000)}), reply, foes


@pytest.mark.parametrize("case", CARDS)
def test_a_shot_of_the_card_game_is_declared_with_the_mean_of_its_forecast(case: str) -> None:
    state, reply, _ = card(case)
    forecast = forecast_of(action_cards, state, FIRST, reply)
    assert forecast is not None
    assert expected(action_cards, state, reply) == forecast.mean


def check_card(case: str, count: int) -> None:
    state, reply, foes = card(case)
    intent = action_cards.parse(state, FIRST, reply)

    def lost(after: Skirmish) -> int:
        return foes - (len(after.groups[TARGET].figures) if TARGET in after.groups else 0)

    check_agrees(
        forecast_of(action_cards, state, FIRST, reply), outcomes(action_cards, state, FIRST, intent, lost, count)
    )


def check_blast(count: int) -> None:
    groups = {"0.1": ((3150, 2150),), "1.1": line_up(4, 2800, 2000), "2.1": ((3000, 2250),)}
    state = with_crew(motors.table({**groups, "3.1": line_up(4, 6000, 4500)}, ()), GroupId("0.5"), (1000, 2000), 3)
    reply = Reply("blast", {"group": ["group/0.5"], "at": [3000, 2000]})
    forecast, intent = forecast_of(action_cards, state, FIRST, reply), action_cards.parse(state, FIRST, reply)

    def standing(after: Skirmish, *seats: int) -> int:
        return sum(len(group.figures) for group in after.groups.values() if group.owner in seats)

    played = [carried_out(action_cards, state, FIRST, intent, seed).state for seed in range(count)]
    check_agrees(forecast, Counter(standing(state, 1, 2) - standing(after, 1, 2) for after in played))
    assert forecast is not None
    (back,) = forecast.back
    own = Counter(standing(state, 0) - standing(after, 0) for after in played)
    check_agrees(Forecast(outcomes=back.outcomes, mean=back.mean), own)
    below = (figure for figure in state.figures.values() if math.dist(figure.at, (3000, 2000)) <= blast.RADIUS + 50)
    assert set(forecast.touched) == {f"piece/{figure.id}" for figure in below}
    assert len(forecast.touched) > 3


def check_hunt(count: int) -> None:
    beast = Danger("danger.1", "it", (1500, 2000), 200, 9, 6, 800, 20, 1, 100)
    state = with_open(skirmish.table({"0.1": line_up(4, 1000, 1000)}), dangers=(beast,), danger_count=1)
    reply = Reply("hunt", {"group": ["group/0.1"], "prey": ["piece/danger.1"]})
    intent = action_cards.parse(state, FIRST, reply)
    played = outcomes(action_cards, state, FIRST, intent, lambda after: 1 - len(after.dangers), count)
    check_agrees(forecast_of(action_cards, state, FIRST, reply), played)


@pytest.mark.rule("AC-OPEN-01", "AC-SHOOT-02")
def test_a_shot_at_a_monster_comes_to_what_is_forecast() -> None:
    check_hunt(SHORT)


@pytest.mark.long("forecasts")
def test_a_shot_at_a_monster_comes_to_what_is_forecast_in_many_plays() -> None:
    check_hunt(LONG)


@pytest.mark.rule("AC-OPEN-01")
def test_a_blast_comes_to_what_is_forecast_for_foes_and_friends() -> None:
    check_blast(SHORT)


@pytest.mark.long("forecasts")
def test_a_blast_comes_to_what_is_forecast_for_foes_and_friends_in_many_plays() -> None:
    check_blast(LONG)


@pytest.mark.parametrize("case", CARDS)
@pytest.mark.rule("AC-SHOOT-02", "AC-SHOOT-04")
def test_a_shot_of_the_card_game_comes_to_what_is_forecast(case: str) -> None:
    check_card(case, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("case", CARDS)
def test_a_shot_of_the_card_game_comes_to_what_is_forecast_in_many_plays(case: str) -> None:
    check_card(case, LONG)
