"""Scene of vehicles: bases and passengers, as everyone sees them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules.system import Part
from engine.kit.present.scene import part
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, Skirmish
from engine.rulesets.action_cards.view import sheets
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Group as GroupNode, Piece
from protocol.text import Text


def parts(state: Skirmish) -> Iterator[Part]:
    """Yield a sheet for each vehicle."""
    for group in state.groups.values():
        if table.board(state).vehicle(group.id) is not None:
            figure = state.figures[group.figures[0]]
            key = (figure.owner, figure.profile, state.aboard)
            yield part(names.sheet_node(f"vehicle.{figure.id}"), key, sheets.vehicle, state, figure)


def aboard(state: Skirmish, ride: Ride) -> Iterator[Part]:
    """Yield the node of a group in a vehicle or in reserve: it has no pieces on the table."""
    yield part(names.group_node(ride.group.id), (ride,), _aboard, state, ride)


def piece(state: Skirmish, figure: Figure, group: GroupId) -> Piece:
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


def carries(state: Skirmish, group: Group) -> bool:
    """Tell whether a group is a vehicle with passengers."""
    return any(ride.vehicle in group.figures for ride in state.aboard.values())


def sheet_of(state: Skirmish, group: Group) -> NodeId:
    """Return the sheet's id of a group: a vehicle's own, else its faction's."""
    if table.board(state).vehicle(group.id) is None:
        return names.sheet_node(group.owner)
    return names.sheet_node(f"vehicle.{group.figures[0]}")


def _aboard(state: Skirmish, ride: Ride) -> GroupNode:
    status = ("reserve",) if ride.due else ("aboard", *(("stunned",) if ride.group.stunned else ()))
    return GroupNode(
        ride.group.owner, names.group(state, ride.group.id), (), names.sheet_node(ride.group.owner), status
    )
