"""Sampled forecasts of the action cards and One Page agree with many plays of the same act, and touch nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, Final

import msgspec
import pytest

from engine.core.bots.sampling import PLAYS, sampled, seed_of
from engine.core.rules.audience import Seat
from engine.core.rules.record import Record
from engine.core.view.situations import Situation
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.action_cards.state.state import Combat, Skirmish
from engine.rulesets.one_page import system as one_page
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId, NodeId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Reply
from tests.support.play.many_plays import SeededDice, carried_out
from tests.support.systems import skirmish
from tests.support.systems.battle import Fight, battle, row, squad
from tests.support.systems.eventful import with_open

FIRST: Final = Seat(0)
SHORT: Final = 100
LONG: Final = 10_000
FOES: Final = row(6, 3000, 2000)


def volley() -> Battle:
    own = squad((3000, 1000), kind="walker", tough=3, weapons=["gun", "rifle"], rules=["relentless"])
    fight = Fight(battle([own], [squad(*FOES), squad(*row(6, 5000, 2000))]))
    fight.do(0, Hold(GroupId("0.1")))
    return fight.now


def mixed() -> Battle:
    """A shot at a unit whose owner is asked which models take the wounds."""
    state = battle([squad(*row(5, 3000, 1000), weapons=("gun",))], [squad(*FOES[:4]), squad(*FOES[4:], tough=3)])
    whole = dict(state.units)
    second = whole.pop(GroupId("1.2"))
    first = whole[GroupId("1.1")]
    whole[first.id] = msgspec.structs.replace(first, figures=(*first.figures, *second.figures), size=6)
    fight = Fight(msgspec.structs.replace(state, units=whole))
    fight.do(0, Hold(GroupId("0.1")))
    return fight.now


def sally() -> Battle:
    riders = squad(*row(3, 0, 0), where="aboard", vessel="0.2", rules=["furious"], weapons=["sword"])
    carrier = squad((3000, 2000), kind="vehicle", size=300, facing=90, rules=["transport.6"], id="T-09")
    return battle([riders, carrier], [squad(*row(4, 3000, 2750), weapons=["sword"]), squad((9000, 6000))])


def afraid() -> Battle:
    """A charge at a unit that frightens."""
    foe = squad((3000, 1800), kind="monster", tough=3, rules=["fear"], weapons=["sword"])
    return battle([squad(*row(5, 3000, 1000), weapons=("sword",))], [foe])


def melee() -> Skirmish:
    """A group that can fire into a close combat of two others."""
    groups = {"0.1": skirmish.line_up(4, 1000, 1000), "1.1": skirmish.line_up(3, 1000, 4000)}
    state: Skirmish = skirmish.table({**groups, "2.1": skirmish.line_up(3, 1000, 4100)})
    fighting = Combat("c1", (GroupId("2.1"), GroupId("1.1")), 1, 1, 0, charged=(GroupId("2.1"),))
    return with_open(state, combats=(fighting,), combat_count=2)


Act = tuple[Any, Callable[[], Any], Reply]
TARGET: Final = ("group/1.1",)
ACTS: Final[Mapping[str, tuple[Act, tuple[str, ...], str]]] = {
    "volley": (
        (one_page, volley, Reply("volley", {"split": {"gun": "group/1.1", "rifle": "group/1.2"}})),
        (*TARGET, "group/1.2"),
        "group/0.1",
    ),
    "shot at a mixed unit": ((one_page, mixed, Reply("shoot", {"target": [*TARGET]})), TARGET, "group/0.1"),
    "sally": (
        (one_page, sally, Reply("sally", {"unit": ["group/0.1"], "target": [*TARGET]})),
        TARGET,
        "group/0.1",
    ),
    "charge in fear": (
        (one_page, afraid, Reply("assault", {"unit": ["group/0.1"], "target": [*TARGET]})),
        TARGET,
        "group/0.1",
    ),
    "fire into a close combat": (
        (action_cards, melee, Reply("shoot", {"group": ["group/0.1"], "target": [*TARGET]})),
        TARGET,
        "group/0.1",
    ),
}


def situation_of(system: Any, state: Any) -> Situation[Any]:
    return Situation(system, FIRST, state, Record(seats=2, round=1), SeededDice(0))


def forecast_of(act: Act, plays: int = PLAYS, **changes: Any) -> Forecast:
    system, state, reply = act
    situation = situation_of(system, state())
    choice = next(choice for choice in situation.choices() if choice.id == reply.choice)
    assert system.forecast(situation.probe(), FIRST, choice, reply.fields) is None
    found = sampled(situation, choice, reply.fields, seed_of(b"0", b"prompt"), plays=plays, **changes)
    assert found is not None
    return found


def check(name: str, plays: int, count: int) -> None:
    act, targets, own = ACTS[name]
    system, make, reply = act
    state = make()
    intent = system.parse(state, FIRST, reply)
    forecast = forecast_of(act, plays)
    after = [carried_out(system, state, FIRST, intent, seed, on=True).state for seed in range(count)]

    def lost(nodes: tuple[str, ...]) -> list[int]:
        strength = system.strength
        return [sum(strength(state, NodeId(n)) - strength(one, NodeId(n)) for n in nodes) for one in after]

    check_mean(lost(targets), forecast.mean, plays)
    if forecast.back:
        check_mean(lost((own,)), sum(back.mean for back in forecast.back), plays)
    assert forecast.sure == "about"
    assert sum(share for _, share in forecast.outcomes) == 1000


def check_mean(losses: list[int], hundredths: int, plays: int) -> None:
    """Check a mean within three times its own error, and that of the plays that it is compared with."""
    count = len(losses)
    mean = sum(losses) / count
    spread = sqrt(sum((one - mean) ** 2 for one in losses) / count)
    assert abs(mean - hundredths / 100) <= 3 * spread * sqrt(1 / plays + 1 / count) + 0.01, (mean, hundredths)


@pytest.mark.parametrize("name", ACTS)
def test_what_is_sampled_is_about_what_happens(name: str) -> None:
    check(name, SHORT, SHORT)


@pytest.mark.long("forecasts")
@pytest.mark.parametrize("name", ACTS)
def test_what_is_sampled_is_about_what_happens_in_many_plays(name: str) -> None:
    check(name, PLAYS, LONG)


def test_a_forecast_follows_from_its_seed_and_stops_when_its_time_is_over() -> None:
    act, _, _ = ACTS["volley"]
    assert forecast_of(act, 20) == forecast_of(act, 20)
    looks = iter([False] * 5 + [True])
    assert forecast_of(act, is_due=lambda: next(looks)) == forecast_of(act, 5)
    system, make, reply = act
    situation = situation_of(system, make())
    choice = next(choice for choice in situation.choices() if choice.id == reply.choice)
    assert sampled(situation, choice, reply.fields, bytes(32), lambda: True) is None
    idle = next(choice for choice in situation.choices() if choice.id == "finish")
    assert sampled(situation, idle, {}, bytes(32)) is None


@pytest.mark.rule("OP-MELEE-02")
def test_who_strikes_back_is_named_with_what_it_does() -> None:
    [back] = forecast_of(ACTS["sally"][0], SHORT).back
    assert back.group == "group/1.1"
    assert back.mean > 0
