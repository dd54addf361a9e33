"""The state before anything has happened: units off the table, support cards apart from what everyone knows."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.errors import SetupRefused
from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.state.model import Resolved
from engine.rulesets.apocalypse_earth.state.profiles import UnitProfile
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, SeatState, Unit
from protocol.ids import FigureId, GroupId
from protocol.text import text


@implements("AE-GEN-06", "AE-SEAT-01")
def start(resolved: Resolved, seats: int) -> Battle:
    """Return the state of a match that begins. Raises SetupRefused unless all players are there."""
    wanted = len(resolved.scenario.seats)
    if seats != wanted or len(resolved.forces) != wanted:
        raise SetupRefused(text("ae.setup.seats", seats=wanted, given=seats))
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    for seat, force in enumerate(resolved.forces):
        for entry, profile in enumerate(force.units):
            id = GroupId(f"{seat}.{entry + 1}")
            count = len(profile.figures) if isinstance(profile, UnitProfile) else 1
            own = [Figure(FigureId(f"{id}.{place + 1}"), seat, entry, place) for place in range(count)]
            figures |= {figure.id: figure for figure in own}
            units[id] = Unit(id, seat, entry, entry + 1, tuple([figure.id for figure in own]), count, strength=count)
    cards = tuple([force.cards for force in resolved.forces])
    # what every seat's picture of the state carries may not name them
    known = replace(resolved, forces=tuple([replace(force, cards=()) for force in resolved.forces]))
    return Battle(known, tuple([SeatState() for _ in range(wanted)]), units, figures, support=cards)
