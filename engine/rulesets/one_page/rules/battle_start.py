"""The start of a battle: both forces off the table, unit by unit."""

from __future__ import annotations

from engine.core.rules.errors import SetupRefused
from engine.rulesets.one_page.state.model import SEATS, Resolved
from engine.rulesets.one_page.state.state import Battle, Figure, SeatState, Unit
from protocol.ids import FigureId, GroupId
from protocol.text import text


def start(resolved: Resolved, seats: int) -> Battle:
    """Return the state before anything has happened. Raises SetupProblem unless all players are there."""
    wanted = len(resolved.scenario.sides) or SEATS
    if seats != wanted or len(resolved.forces) != wanted:
        raise SetupRefused(text("op.setup.seats", seats=wanted, given=seats))
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    for seat, force in enumerate(resolved.forces):
        for entry, mustered in enumerate(force.units):
            id = GroupId(f"{seat}.{entry + 1}")
            models = [Figure(FigureId(f"{id}.{place + 1}"), seat, entry, place) for place in range(len(mustered.arms))]
            figures |= {figure.id: figure for figure in models}
            size = len(models) if len(models) > 1 else mustered.profile.tough
            units[id] = Unit(id, seat, entry, entry + 1, tuple([figure.id for figure in models]), size)
    return Battle(resolved, tuple([SeatState() for _ in range(wanted)]), units, figures)
