"""Forecasts of both shipped games agree with many plays of the same act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.game import Probe
from engine.core.rules.record import Record
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.one_page import system as one_page
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Reply
from tests.support.play.many_plays import SeededDice, check_agrees, outcomes
from tests.support.systems import skirmish
from tests.support.systems.battle import Fight, Squad, altered, battle, row, squad
from tests.support.systems.skirmish import line_up

FIRST: Final = Seat(0)
TARGET: Final = GroupId("1.1")
SHORT: Final = 400
LONG: Final = 10_000
AT: Final = row(5, 3000, 1000)
FOES: Final = row(6, 3000, 2000)


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


def forecast_of(system: Any, state: Any, reply: Reply) -> Forecast | None:
    probe = Probe(state, Record(seats=2, round=1), SeededDice(0))
    prompt = system.prompt(probe, FIRST)
    assert prompt is not None
    choice = next(choice for choice in prompt.choices if choice.id == reply.choice)
    found: Forecast | None = system.forecast(probe, FIRST, choice, reply.fields)
    return found


def check_shot(state: Battle, count: int) -> None:
    reply = Reply("shoot", {"target": ["group/1.1"]})
    intent = one_page.parse(state, FIRST, reply)
    before = len(state.units[TARGET].figures)
    played = outcomes(one_page, state, FIRST, intent, lambda after: before - len(after.units[TARGET].figures), count)
    check_agrees(forecast_of(one_page, state, reply), played)


@pytest.mark.parametrize("shot", SHOTS)
@pytest.mark.rule("OP-SHOOT-02", "OP-SHOOT-03")
def test_a_shot_of_the_battle_game_comes_to_what_is_forecast(shot: str) -> None:
    check_shot(SHOTS[shot](), SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("shot", SHOTS)
def test_a_shot_of_the_battle_game_comes_to_what_is_forecast_in_many_plays(shot: str) -> None:
    check_shot(SHOTS[shot](), LONG)


CARDS: Final[Mapping[str, tuple[Reply, tuple[int, ...]]]] = {
    "shoot": (Reply("shoot", {"group": ["group/0.1"], "target": ["group/1.1"]}), (4, 6)),
    "few targets": (Reply("shoot", {"group": ["group/0.1"], "target": ["group/1.1"]}), (8, 1)),
    "linked": (
        Reply("linked", {"first": ["group/0.1"], "second": ["group/0.1"], "target": ["group/1.1"]}),
        (4, 8),
    ),
}


def check_card(case: str, count: int) -> None:
    reply, (own, foes) = CARDS[case]
    state: Skirmish = skirmish.table({"0.1": line_up(own, 1000, 1000), "1.1": line_up(foes, 1000, 4000)})
    intent = action_cards.parse(state, FIRST, reply)

    def lost(after: Skirmish) -> int:
        return foes - (len(after.groups[TARGET].figures) if TARGET in after.groups else 0)

    check_agrees(forecast_of(action_cards, state, reply), outcomes(action_cards, state, FIRST, intent, lost, count))


@pytest.mark.parametrize("case", CARDS)
@pytest.mark.rule("AC-SHOOT-02", "AC-SHOOT-04")
def test_a_shot_of_the_card_game_comes_to_what_is_forecast(case: str) -> None:
    check_card(case, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("case", CARDS)
def test_a_shot_of_the_card_game_comes_to_what_is_forecast_in_many_plays(case: str) -> None:
    check_card(case, LONG)
