"""Every event of the system, out of the modules of its chapters: all others import events from here."""

from __future__ import annotations

from typing import Final

from engine.rulesets.apocalypse_earth.state import (
    captive_events,
    combat_events,
    fire_events,
    setup_events,
    support_events,
    turn_events,
    vehicle_events,
)
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent

EVENTS: Final[tuple[type[BattleEvent], ...]] = (
    *setup_events.EVENTS,
    *turn_events.EVENTS,
    *fire_events.EVENTS,
    *combat_events.EVENTS,
    *vehicle_events.EVENTS,
    *support_events.EVENTS,
    *captive_events.EVENTS,
)
