"""Scene of forces: groups and their figures, vehicles with their sheets, and who is aboard or yet to come."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from engine.core.rules.system import Part, PartOrSection, Section
from engine.kit.present import scene as kit
from engine.kit.present.scene import Statuses, part
from engine.rulesets.action_cards.rules.board import combats, cover, table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, Skirmish
from engine.rulesets.action_cards.view import sheets
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Group as GroupNode, Piece
from protocol.text import Text

GROUP: Final = Statuses(
    ("locked", "locked in close combat", lambda state, group: combats.combat_of(state, group.id) is not None),
    ("stunned", "stunned", lambda state, group: group.stunned),
    ("dug_in", "dug in", lambda state, group: group.dug),
    ("free_move", "moves on at once", lambda state, group: state.free_moves.get(group.id)),
    ("marked", "marked", lambda state, group: group.id in state.markers),
    ("loaded", "carries others", lambda state, group: _carries(state, group)),
    ("airborne", "in the air", lambda state, group: table.board(state).is_airborne(group.id)),
    ("in_cover", "in cover", lambda state, group: cover.group_cover(state, group.id) == "cover"),
    ("in_building", "in hard cover", lambda state, group: cover.group_cover(state, group.id) == "building"),
    ("aboard", "aboard a vehicle"),
    ("reserve", "yet to come"),
    (kit.OUT, "out of the game"),
)


def forces(state: Skirmish) -> Iterator[PartOrSection]:
    """Yield groups and their figures. The cover of a group follows from where its figures stand."""
    locked = {id for combat in state.combats for id in combat.groups}
    figures, free, markers, gone = state.figures, state.free_moves, state.markers, state.gone
    yield from _sheets(state)
    board = table.board(state)
    for id, group in state.groups.items():
        carried = state.aboard if board.vehicle(id) is not None else None
        standing = [figures[figure] for figure in group.figures]
        key = (group, id in locked, free.get(id, 0), id in markers, gone, carried, *standing)
        yield Section(id, key, partial(_force, state, group, key, carried))
    for id, ride in state.aboard.items():
        yield Section(id, (ride,), partial(_riding, state, ride))


def _force(state: Skirmish, group: Group, key: tuple[object, ...], carried: object) -> Iterator[Part]:
    yield part(names.group_node(group.id), key, _group, state, group)
    if table.board(state).vehicle(group.id) is None:
        yield part(names.sheet_node(f"group.{group.id}"), (group,), sheets.on_foot, state, group)
    for figure in [state.figures[id] for id in group.figures]:
        shown = (figure, group.id, carried)
        yield part(names.piece_node(figure.id), shown, _piece, state, figure, group.id)


def _group(state: Skirmish, group: Group) -> GroupNode:
    pieces = tuple(map(names.piece_node, group.figures))
    sheet = _sheet_of(state, group)
    name, status = names.group(state, group.id), GROUP.of(state, group)
    return GroupNode(group.owner, name, pieces, sheet, status, sheets.group_numbers(state, group))


def _sheets(state: Skirmish) -> Iterator[Part]:
    for group in state.groups.values():
        if table.board(state).vehicle(group.id) is not None:
            figure = state.figures[group.figures[0]]
            key = (figure.owner, figure.profile, state.aboard)
            yield part(names.sheet_node(f"vehicle.{figure.id}"), key, sheets.vehicle, state, figure)


def _piece(state: Skirmish, figure: Figure, group: GroupId) -> Piece:
    """Return the node of a figure's base: a disc, or a vehicle's rectangle."""
    profile = table.profile(state, figure.id)
    vehicle = profile.vehicle
    carried = sum(len(ride.figures) for ride in state.aboard.values() if ride.vehicle == figure.id)
    return Piece(
        figure.at,
        profile.radius,
        figure.owner,
        names.group_node(group),
        Text(profile.name),
        profile.glyph or state.faction(figure.owner).glyph,
        state.resolved.scenario.roles[figure.owner].facing if vehicle is None else figure.facing,
        counters={"aboard": carried} if carried else {},
        status=("airborne",) if figure.airborne else (),
        box=None if vehicle is None else (vehicle.length, vehicle.width),
    )


def _carries(state: Skirmish, group: Group) -> bool:
    return any(ride.vehicle in group.figures for ride in state.aboard.values())


def _sheet_of(state: Skirmish, group: Group) -> NodeId:
    """Return the id of a group's own sheet, or of its vehicle's."""
    if table.board(state).vehicle(group.id) is None:
        return names.sheet_node(f"group.{group.id}")
    return names.sheet_node(f"vehicle.{group.figures[0]}")


def _riding(state: Skirmish, ride: Ride) -> tuple[Part]:
    return (part(names.group_node(ride.group.id), (ride,), _aboard, state, ride),)


def _aboard(state: Skirmish, ride: Ride) -> GroupNode:
    """Return the node of a group in a vehicle or in reserve: it has no pieces on the table."""
    status = ("reserve",) if ride.due else ("aboard", *(("stunned",) if ride.group.stunned else ()))
    return GroupNode(
        ride.group.owner, names.group(state, ride.group.id), (), names.sheet_node(ride.group.owner), status
    )
