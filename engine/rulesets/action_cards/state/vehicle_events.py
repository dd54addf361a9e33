"""Events of vehicles, passengers and blasts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from engine.core.rules.events import Upcaster, tagged
from engine.kit.changes import its, of, sets, without
from engine.kit.present.cues import says
from engine.rulesets.action_cards.state import older_layouts
from engine.rulesets.action_cards.state.events import SkirmishEvent
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Burst, Ride, Skirmish
from protocol.ids import FigureId, GroupId

of_figure = of("figures", "figure")


class VehicleMoved(SkirmishEvent, frozen=True):
    """Base of vehicle moves: a vehicle went from `came` to `to`, where it faces `facing` (degrees)."""

    group: GroupId
    figure: FigureId
    came: Point
    to: Point
    facing: int
    apply = of_figure(at=its.to, facing=its.facing)


class VehicleDriven(VehicleMoved, frozen=True, tag="ac.vehicle_driven"):
    """Event: a ground vehicle went straight ahead, and turned."""


class VehicleRose(SkirmishEvent, frozen=True, tag="ac.vehicle_rose"):
    """Event: a vehicle took off."""

    group: GroupId
    figure: FigureId
    cue = says("move", "log.rose", "AC-MOVE-04", "group", seat="group", about="group")
    apply = of_figure(airborne=True)


class VehicleFlew(VehicleMoved, frozen=True, tag="ac.vehicle_flew"):
    """Event: a vehicle in the air travelled."""

    cue = says("move", "log.flew", "AC-MOVE-04", "group", seat="group", about="group", path="came to")


class VehicleLanded(SkirmishEvent, frozen=True, tag="ac.vehicle_landed"):
    """Event: a vehicle came down where it was."""

    group: GroupId
    figure: FigureId
    cue = says("move", "log.landed", "AC-MOVE-04", "group", seat="group", about="group")
    apply = of_figure(airborne=False)


class GroupEmbarked(SkirmishEvent, frozen=True, tag="ac.group_embarked"):
    """Event: a group got into a vehicle; `lead` went first, from `came`."""

    group: GroupId
    vehicle: FigureId
    lead: FigureId
    came: Point

    def apply(self, state: Skirmish) -> Skirmish:
        group = state.groups[self.group]
        ride = Ride(replace(group, dug=False), tuple(state.figures[id] for id in group.figures), self.vehicle)
        figures, groups = without(state.figures, group.figures), without(state.groups, (group.id,))
        return replace(state, figures=figures, groups=groups, aboard={**state.aboard, group.id: ride})


class GroupDisembarked(SkirmishEvent, frozen=True, tag="ac.group_disembarked"):
    """Event: a group got out of a vehicle, through the door at `came`, or out of its wreck (`how`: door, wreck)."""

    group: GroupId
    vehicle: FigureId
    lead: FigureId
    came: Point
    places: dict[FigureId, Point]
    how: str = "door"

    def apply(self, state: Skirmish) -> Skirmish:
        return put_out(state, state.aboard[self.group], self.lead, self.came, self.places)


class ReserveArrived(SkirmishEvent, frozen=True, tag="ac.reserve_arrived"):
    """Event: a group in reserve is on the table."""

    group: GroupId
    places: dict[FigureId, Point]

    def apply(self, state: Skirmish) -> Skirmish:
        ride = state.aboard[self.group]
        lead = ride.group.figures[0]
        return put_out(state, ride, lead, self.places[lead], self.places)


class BurstFell(SkirmishEvent, frozen=True, tag="ac.burst_fell.2"):
    """Event: a blast weapon was fired: dice have been rolled; casualties follow."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.burst_fell": older_layouts.burst}
    burst: Burst
    apply = sets(burst=its.burst)


class BurstEnded(SkirmishEvent, frozen=True, tag="ac.burst_ended"):
    """Event: a blast has been resolved: its casualties are off the table."""

    apply = sets(burst=None)


VEHICLE_EVENTS: tuple[type[SkirmishEvent], ...] = tagged(globals(), SkirmishEvent)


def put_out(state: Skirmish, ride: Ride, lead: FigureId, came: Point, places: dict[FigureId, Point]) -> Skirmish:
    """Return the state with a group put on the table that was not, its figures at `places`."""
    group = replace(ride.group, lead=lead, came=came)
    figures = {figure.id: replace(figure, at=places[figure.id]) for figure in ride.figures}
    groups, aboard = {**state.groups, group.id: group}, without(state.aboard, (group.id,))
    return replace(state, figures={**state.figures, **figures}, groups=groups, aboard=aboard)
