"""Cues of vehicles, their passengers, and blasts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.present.cues import Tellers
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state import names, vehicle_events
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view import dice_captions
from engine.space.vectors.points import floor_sqrt, squared
from protocol.ids import GroupId
from protocol.scene.nodes import Cue
from protocol.text import Text, text

HALF_INCH: Final = 50

cues: Final = Tellers[Skirmish]()


@cues.of(vehicle_events.VehicleDriven)
def _driven(event: vehicle_events.VehicleDriven, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    who, group = names.group(after, event.group), after.groups[event.group]
    inches = (floor_sqrt(squared(event.came, event.to)) + HALF_INCH) // 100
    inside = (
        table.board(after).standing[event.group].inside.keys() - table.board(before).standing[event.group].inside.keys()
    )
    if inside:
        line = text("log.driven_into", group=who, feature=names.feature(after, min(inside)))
    else:
        line = text("log.driven", group=who, inches=inches) if inches else text("log.turned", group=who)
    about = (names.group_node(event.group),)
    yield Cue("move", line, "AC-MOVE-03", group.owner, about, (event.came, event.to))


@cues.of(vehicle_events.GroupEmbarked)
def _embarked(event: vehicle_events.GroupEmbarked, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    vehicle = after.figures[event.vehicle]
    line = text("log.embarked", group=names.group(before, event.group), vehicle=names.feature(after, event.vehicle))
    about = (names.piece_node(event.vehicle),)
    yield Cue("move", line, "AC-MOVE-02", vehicle.owner, about, (event.came, vehicle.at))


@cues.of(vehicle_events.ReserveArrived)
def _reserve(event: vehicle_events.ReserveArrived, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    group = after.groups[event.group]
    line = text("log.reserve", group=names.group(after, group.id), figures=len(group.figures))
    at = table.board(after).standing[group.id].centre
    yield Cue("move", line, "AC-SCEN-01", group.owner, (names.group_node(group.id),), (at, at))


@cues.of(vehicle_events.GroupDisembarked)
def _disembarked(event: vehicle_events.GroupDisembarked, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    path = (event.came, event.places[event.lead])
    if event.how == "door":
        line = text("log.disembarked", group=names.group(after, event.group))
        yield _told_of(after, event.group, line, path, "AC-MOVE-02")
    else:
        line = text("log.bailed_out", group=names.group(after, event.group))
        yield _told_of(after, event.group, line, path, "AC-OPEN-01")


@cues.of(vehicle_events.BurstFell)
def _burst(event: vehicle_events.BurstFell, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    fell = event.burst
    about = tuple(names.group_node(id) for id in (fell.group, *fell.falls) if id in after.groups)
    who = names.group(after, fell.group)
    line = text("log.burst", group=who, groups=len(fell.falls)) if fell.falls else text("log.burst.empty", group=who)
    yield Cue("shot", line, "AC-OPEN-01", fell.seat, about, (table.board(after).standing[fell.group].centre, fell.at))
    kills, total = sum(fell.falls.values()), fell.total
    told = text("log.burst.kills", total=total, kills=kills) if kills else text("log.burst.nothing", total=total)
    yield Cue("dice", told, "AC-SETUP-02", fell.seat, about, dice=dice_captions.burst(after, fell))


def _told_of(
    after: Skirmish, group: GroupId, line: Text, path: tuple[Point, ...] = (), rule: str = "AC-MOVE-04"
) -> Cue:
    return Cue("move", line, rule, after.groups[group].owner, (names.group_node(group),), path)
