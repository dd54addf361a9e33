"""Base classes of a battle's events, and changes of one unit, one figure or one seat."""

from __future__ import annotations

from engine.core.rules.audience import Audience, Seat, only
from engine.core.rules.events import Event
from engine.kit.changes import of
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import GroupId


class BattleEvent(Event[Battle], frozen=True):
    """Base of all events of this system."""


class UnitEvent(BattleEvent, frozen=True):
    """Base of the events of one unit."""

    unit: GroupId


class SideEvent(BattleEvent, frozen=True):
    """Base of the events that the side of one seat alone knows of."""

    seat: int

    def audience(self) -> Audience:
        """Return the seat; the core tells its allies too."""
        return only(Seat(self.seat))


of_unit = of("units", "unit")
of_figure = of("figures", "figure")
of_seat = of("seats", "seat")
