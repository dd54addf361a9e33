"""Reserves: groups that a scenario keeps back, and that arrive at a given row and place (AC-SCEN-01)."""

from __future__ import annotations

from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Ride, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import ReserveArrived
from protocol.ids import FigureId


def waiting(state: Skirmish) -> tuple[Ride, ...]:
    """Return the groups that are yet to arrive, in the order they are due."""
    return tuple(sorted((ride for ride in state.aboard.values() if ride.due), key=lambda ride: ride.due))


@implements("AC-SCEN-01", "AC-ACT-02")
async def arrive(game: Game[Skirmish]) -> None:
    """Place the groups that are due by now, each if there is room for all of it; else it tries again with the next
    row."""
    for ride in waiting(game.state):
        places = _places(game.state, ride) if ride.due <= game.state.turn else None
        if places is not None:
            game.emit(ReserveArrived(ride.group.id, places))


def _places(state: Skirmish, ride: Ride) -> dict[FigureId, Point] | None:
    """Return the places of an arriving group's figures around the middle of its entry zone; None without room."""
    group = ride.group
    outline = state.resolved.scenario.roles[group.owner].reserves[ride.place].start
    members = [figure.profile for figure in ride.figures]
    bodies = setup.bodies_of(state.faction(group.owner), members, group.figures)
    found = setup.places_for(state, outline, bodies, ride.figures[0].facing)
    if found is None:
        return None
    return {figure: at for body, at in zip(bodies, found, strict=True) for figure in body.figures}
