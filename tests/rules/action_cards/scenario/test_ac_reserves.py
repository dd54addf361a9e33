"""Reserves: groups that a scenario keeps back, and that come on with a row."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import all_parts
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.scenario import conditions, ending, setup
from engine.rulesets.action_cards.rules.scenario.ending import LeaveGame
from engine.rulesets.action_cards.rules.vehicles.transports import Disembark
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state import model
from engine.rulesets.action_cards.state.model import Condition, Reserve
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.state.vehicle_events import ReserveArrived
from engine.rulesets.action_cards.view import scene
from engine.space.vectors.outlines import contains
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Group, Zone
from tests.support.systems import motors, skirmish
from tests.support.systems.eventful import with_open
from tests.support.systems.shipped import resolved_scenario
from tests.support.systems.skirmish import DALEKS, MILITIA, UNIT, Play, area

GROUP_0_2 = GroupId("0.2")

scenario_rule = pytest.mark.rule("AC-SCEN-01")
EDGE = ((5000, 4000), (7000, 4000), (7000, 4700), (5000, 4700))
CORNER = ((0, 0), (1000, 0), (1000, 700), (0, 700))
ALIVE = Condition("alive", "survive", "c", "c", goal=6)


def late(*reserves: Reserve, faction: model.Faction = UNIT, **changes: Any) -> Skirmish:
    """Return two factions, some groups of the first in reserve."""
    first = msgspec.structs.replace(skirmish.role(ALIVE), reserves=reserves)
    roles = (first, skirmish.role(left=2400))
    return setup.start(skirmish.resolved((faction, DALEKS), roles=roles, **changes), 2)


def to_row(play: Play, row: int) -> Play:
    """End every card until the cards of this row lie open."""
    while play.state.turn < row:
        play.do(play.match.may_act()[0], EndCard())
    return play


@pytest.mark.rule("AC-ACT-02", "AC-DECK-02")
@scenario_rule
def test_they_come_on_where_and_when_the_scenario_says() -> None:
    play = Play(late(Reserve(3, 1, EDGE)))
    assert set(play.state.groups) == {"0.1", "1.1"}
    assert set(play.state.aboard) == {"0.2"}
    to_row(play, 2)
    assert not play.events(ReserveArrived)
    to_row(play, 3)
    assert [come.group for come in play.events(ReserveArrived)] == ["0.2"]
    group = play.state.groups[GROUP_0_2]
    assert len(group.figures) == 4
    assert all(contains(play.at(figure), EDGE) for figure in group.figures)
    assert not play.state.aboard
    assert group.number == 2


@scenario_rule
def test_several_come_one_after_another_and_one_group_always_starts() -> None:
    state = late(Reserve(2, 1, EDGE), Reserve(4, 5, EDGE), faction=msgspec.structs.replace(UNIT, force=UNIT.force * 3))
    assert set(state.groups) == {"0.1", "1.1"}
    assert {id: ride.due for id, ride in state.aboard.items()} == {"0.2": 4, "0.3": 4, "0.4": 4, "0.5": 4, "0.6": 2}
    alone = late(Reserve(2, 1, EDGE), faction=MILITIA)
    assert set(alone.groups) == {"0.1", "1.1"}
    assert not alone.aboard


@scenario_rule
def test_without_room_they_try_again_with_every_row() -> None:
    """A crag fills the place where they come on; it is gone before row 4."""
    play = to_row(Play(late(Reserve(2, 1, EDGE), features=(area("crag", "crag", 4900, 3900, 7100, 4800),))), 3)
    assert not play.events(ReserveArrived)
    assert "0.2" in play.state.aboard
    play = to_row(Play(with_open(play.state, gone=("crag",))), 4)
    assert [come.group for come in play.events(ReserveArrived)] == ["0.2"]


@pytest.mark.rule("AC-SCEN-01", "AC-ACT-02")
def test_who_is_yet_to_come_is_left_and_keeps_his_faction_in_the_game() -> None:
    state = late(Reserve(3, 1, EDGE))
    assert conditions.statuses(state, 0)[0].progress == 8
    gone = with_open(
        state,
        figures={id: figure for id, figure in state.figures.items() if figure.owner},
        groups={id: group for id, group in state.groups.items() if group.owner},
    )
    assert conditions.statuses(gone, 0)[0].progress == 4
    assert not ending.fallen(gone)
    assert len(ending.figures_of(gone, Seat(0))) == 4
    play = to_row(Play(gone), 3)
    assert "0.2" in play.state.groups
    assert play.state.seats[0].alive


@scenario_rule
def test_who_is_yet_to_come_can_do_nothing_and_leaves_with_his_faction() -> None:
    play = Play(late(Reserve(3, 1, EDGE)))
    seat = play.match.may_act()[0]
    assert seat == 0
    assert "disembark" not in {choice.id for choice in VERBS.choices(play.state, Seat(0))}
    with pytest.raises(IllegalIntent, match="group/unknown"):
        play.do(0, Disembark(GROUP_0_2, (6000, 4300)))
    play.do(0, LeaveGame())
    assert not play.state.aboard
    assert not play.state.seats[0].alive


@scenario_rule
def test_vehicles_and_crews_come_as_they_are() -> None:
    force = (("rifle",) * 4, ("mortar",) * 3, ("lorry",))
    faction = msgspec.structs.replace(motors.MOTORS, force=force, kinds=())
    play = to_row(Play(late(Reserve(2, 2, EDGE), faction=faction)), 2)
    assert [come.group for come in play.events(ReserveArrived)] == ["0.2", "0.3"]
    assert len({play.at(figure) for figure in play.state.groups[GROUP_0_2].figures}) == 1


@scenario_rule
def test_all_see_where_and_when_they_come() -> None:
    play = Play(late(Reserve(3, 1, EDGE)))
    nodes = {part.id: part.make() for part in all_parts(scene.public(play.state))}
    zone, group = nodes[NodeId("zone/reserve.0.0")], nodes[NodeId("group/0.2")]
    assert isinstance(zone, Zone)
    assert zone.points == EDGE
    assert zone.name is not None
    assert (zone.name.a["groups"], zone.name.a["row"], zone.owner) == (1, 3, 0)
    assert isinstance(group, Group)
    assert group.status == ("reserve",)
    assert not group.pieces
    to_row(play, 3)
    assert "zone/reserve.0.0" not in {part.id for part in all_parts(scene.public(play.state))}


@scenario_rule
def test_several_rows_of_one_place_are_shown_together() -> None:
    force = msgspec.structs.replace(UNIT, force=UNIT.force * 2)
    play = Play(late(Reserve(6, 1, EDGE), Reserve(3, 1, EDGE), Reserve(3, 1, CORNER), faction=force))
    zones = {part.id: part.make() for part in all_parts(scene.public(play.state)) if part.id.startswith("zone/reserve")}
    assert set(zones) == {"zone/reserve.0.0", "zone/reserve.0.2"}
    both, alone = zones[NodeId("zone/reserve.0.0")], zones[NodeId("zone/reserve.0.2")]
    assert isinstance(both, Zone)
    assert both.name is not None
    assert both.points == EDGE
    assert (both.name.k, both.name.a["groups"], both.name.a["row"]) == ("zone.reserves", 2, 3)
    assert isinstance(alone, Zone)
    assert alone.name is not None
    assert (alone.name.k, alone.name.a["groups"], alone.name.a["row"]) == ("zone.reserve", 1, 3)


@scenario_rule
def test_a_shipped_scenario_keeps_a_group_of_everybody_back() -> None:
    resolved, seats = resolved_scenario("last_train")
    state = setup.start(msgspec.msgpack.decode(resolved, type=model.Resolved), seats)
    due = sorted((ride.group.owner, ride.due) for ride in state.aboard.values())
    assert due == [(0, 3), (1, 3), (1, 10), (2, 3), (3, 3)]  # of the Daleks a late one comes when it would anyway
