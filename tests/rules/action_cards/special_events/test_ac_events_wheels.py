"""Special Events and vehicles: no building holds a flying vehicle, and passengers count as present."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.shooting.blast import Blast
from engine.rulesets.action_cards.rules.special_events import event_arrivals, event_choices, event_strikes
from engine.rulesets.action_cards.rules.vehicles import driving
from engine.rulesets.action_cards.rules.vehicles.driving import Drive
from engine.rulesets.action_cards.rules.vehicles.flying import Land
from engine.rulesets.action_cards.rules.vehicles.transports import Disembark
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state.event_facts import EventStruck, FiguresJoined, GroupArrived
from engine.rulesets.action_cards.state.model import Effect, EventCard, Zone
from engine.rulesets.action_cards.state.state import Danger, Lasting, Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Template
from tests.support.systems import motors
from tests.support.systems.eventful import happen, with_open
from tests.support.systems.skirmish import Play, area, line_up

GROUP_0_2 = GroupId("0.2")
FIGURE_0_1_1 = FigureId("0.1/1")

GROUP_0_1 = GroupId("0.1")
GROUP_0_5 = GroupId("0.5")

opened = pytest.mark.rule("AC-OPEN-01")


def on_wheels(*effects: Effect, **changes: Any) -> Skirmish:
    """Return a table with the faction of vehicles in seat 0, which plays before and after the event."""
    mix = (EventCard("it", "event.it", "event.it.text", effects),)
    groups = {"1.1": line_up(4, 3000, 4000), "0.2": line_up(4, 300, 3600)}
    return motors.table(groups, cards=("0.single.1", "event.1", "0.double.1"), mix=mix, **changes)


@opened
def test_who_flies_over_a_building_is_not_in_it() -> None:
    house = area("house", "building", 900, 900, 1700, 1700)
    yard = Zone("yard", "zone.yard", house.outline)
    state = on_wheels(Effect("collapse", dice=4), features=[house], zones=(yard,))
    above = motors.with_vehicle(state, GROUP_0_1, "gull", (1300, 1300), 0, airborne=True)
    assert event_choices.groups(above, Effect("strike", zone="yard"), (0,)) == ()
    landed = motors.with_vehicle(state, GROUP_0_1, "gull", (1300, 1300))
    assert event_choices.groups(landed, Effect("strike", zone="yard"), (0,)) == ("0.1",)
    play = happen(above)
    assert (play.state.ruined, play.events(EventStruck)) == (("house",), [])


@opened
def test_who_is_aboard_is_left_and_keeps_the_name_of_his_group() -> None:
    state = motors.with_vehicle(on_wheels(Effect("reinforce", who="next")), GROUP_0_1, "lorry", (1000, 2000))
    lorry = msgspec.structs.replace(state.groups[GROUP_0_1], number=1)
    state = motors.aboard(with_open(state, groups={**state.groups, "0.1": lorry}), GROUP_0_2, FIGURE_0_1_1)
    assert event_choices.standing_of(state, 0) == (0, 125)  # five figures where there were four
    assert [came.group.id for came in happen(state).events(GroupArrived)] == ["0.3"]


@opened
def test_a_vehicle_is_never_worn_down() -> None:
    state = motors.with_vehicle(on_wheels(Effect("lift")), GROUP_0_1, "car", (1000, 2000))
    assert event_choices.groups(state, Effect("stun", groups="weak"), (0,)) == ()
    assert event_choices.groups(state, Effect("stun", groups="large"), (0,)) == ("0.2", "0.1")


@opened
def test_crews_are_not_replaced() -> None:
    state = motors.with_crew(on_wheels(Effect("refit", who="next")), GROUP_0_5, (2000, 1000), 1)
    crew = msgspec.structs.replace(
        state.groups[GROUP_0_5], kind="riders"
    )  # an organisation without others in the force
    state = with_open(state, groups={**state.groups, "0.5": crew})
    assert event_arrivals.lacking(state, GROUP_0_5) == 0
    assert happen(state).events(FiguresJoined) == []


@opened
def test_what_gunners_see_is_shown_by_the_weather_of_now() -> None:
    state = motors.with_crew(on_wheels(Effect("weather", sight=1000)), GROUP_0_5, (2000, 1000))
    play = happen(state)

    def seen(of: Skirmish) -> int:
        field = VERBS.detail(of, Seat(0), "blast", {"group": ["group/0.5"]})
        assert isinstance(field, Template)
        return max(x for region in field.regions for x, _ in region)

    assert 2900 < seen(play.state) <= 3000
    assert seen(with_open(play.state, lasting=())) > 7000


@opened
@pytest.mark.parametrize(
    ("kind", "airborne", "intent"),
    [
        pytest.param("car", False, Drive(GROUP_0_1, 10, 0), id="drives", marks=pytest.mark.rule("AC-MOVE-03")),
        pytest.param("gull", True, Land(GROUP_0_1), id="lands", marks=pytest.mark.rule("AC-MOVE-04")),
        pytest.param(
            *("lorry", False, Disembark(GROUP_0_2, (1000, 1150))),
            id="gets out",
            marks=pytest.mark.rule("AC-MOVE-02"),
        ),
    ],
)
def test_who_comes_to_a_danger_in_any_way_is_hurt(kind: str, airborne: bool, intent: Intent) -> None:
    state = motors.with_vehicle(on_wheels(Effect("lift")), GROUP_0_1, kind, (1000, 2000), 0, airborne=airborne)
    state = motors.aboard(state, GROUP_0_2, FIGURE_0_1_1) if kind == "lorry" else state
    dangers = tuple(
        Danger(f"danger.{n}", "it", at, 120, 1, 99) for n, at in enumerate(((1000, 1150), (1000, 2000), (2000, 2000)))
    )
    play = Play(with_open(state, dangers=dangers), 1)
    assert event_strikes.caught_in(play.state, dangers[1], GROUP_0_1) == (() if airborne else ("0.1/1",))
    play.do(0, intent)
    assert len(play.events(EventStruck)) == 1


@opened
def test_weather_slows_vehicles_too() -> None:
    state = motors.with_vehicle(on_wheels(Effect("weather", move=50)), GROUP_0_1, "car", (1000, 2000))
    assert (driving.able(state, GROUP_0_1), driving.able(happen(state).state, GROUP_0_1)) == (1200, 600)


@opened
def test_a_cease_fire_holds_for_blasts_and_for_those_who_get_out() -> None:
    flag = (Lasting("flag", 9, truce=(0, 1)),)
    near = motors.table({"0.2": line_up(4, 300, 3600), "1.1": ((1000, 1400),)})
    state = motors.with_crew(motors.with_vehicle(near, GROUP_0_1, "lorry", (1000, 2000)), GROUP_0_5, (2500, 1400))
    state = with_open(motors.aboard(state, GROUP_0_2, FIGURE_0_1_1), lasting=flag)
    assert motors.refusal(Play(state), 0, Disembark(GROUP_0_2, (1000, 1502))) == "truce/kept"
    assert motors.refusal(Play(state), 0, Blast(GROUP_0_5, (1340, 1400))) == "truce/kept"
    assert motors.refusal(Play(state, 1, 1, 1, 1, 1, 1), 0, Blast(GROUP_0_5, (1500, 1400))) == ""
