"""Alarm of a side that is asleep when the game begins (AE-SCEN-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import sighting
from engine.rulesets.apocalypse_earth.state.fire_events import Alarmed
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import GroupId

HEARS: Final = 2400
"""AE-SCEN-02: an enemy seen so near alarms the side."""


def _sleeps(state: Battle) -> bool:
    return state.resolved.scenario.alarm >= 0 and not state.alarmed


@implements("AE-SCEN-02")
def rouse(game: Game[Battle], target: GroupId) -> None:
    """Alarm the side of a unit that is fired at or charged."""
    state = game.state
    if _sleeps(state) and state.side(state.units[target].owner) == state.resolved.scenario.alarm:
        game.emit(Alarmed())


@implements("AE-SCEN-02")
def look(game: Game[Battle]) -> None:
    """Alarm the side if any of its units sees an enemy near enough."""
    state = game.state
    if not _sleeps(state):
        return
    for seat in state.seats_of(state.resolved.scenario.alarm):
        for unit in state.own(seat):
            near = [e for e in state.enemies(seat) if sighting.distance(state, unit, e) <= HEARS]
            if any(sighting.sees(state, unit, enemy) for enemy in near):
                game.emit(Alarmed())
                return
