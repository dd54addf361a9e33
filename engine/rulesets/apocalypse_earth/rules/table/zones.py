"""Deployment zones, and the friendly edge of each seat (AE-SETUP-03)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.state.model import Zone
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point

DEPTH: Final = 1200
"""AE-SETUP-03: depth of a zone, from the table's edge."""
ENDS: Final = 2400
"""AE-SETUP-03: distance of its ends from the edges beside it."""
HEADINGS: Final = {"south": 90, "north": 270, "west": 0, "east": 180}
"""The way from each edge into the table, in degrees."""


@implements("AE-SETUP-03")
def zones(state: Battle) -> tuple[Zone, ...]:
    """Return the zones of the table: the scenario's, or a strip along each long edge."""
    scenario = state.resolved.scenario
    if scenario.zones:
        return scenario.zones
    width, height = scenario.size
    south = Zone(outline_of((ENDS, 0, width - ENDS, DEPTH)), "south")
    return south, Zone(outline_of((ENDS, height - DEPTH, width - ENDS, height)), "north")


def zone_of(state: Battle, seat: int) -> Zone:
    """Return the zone of a seat that has one."""
    return zones(state)[state.seats[seat].zone]


def edge_of(state: Battle, seat: int) -> tuple[Point, Point]:
    """Return the friendly edge of the table of a seat, from one end to the other."""
    width, height = state.resolved.scenario.size
    return {
        "south": ((0, 0), (width, 0)),
        "north": ((0, height), (width, height)),
        "west": ((0, 0), (0, height)),
        "east": ((width, 0), (width, height)),
    }[zone_of(state, seat).edge]


def ahead_of(state: Battle, seat: int) -> int:
    """Return the heading from the friendly edge of a seat into the table, in degrees."""
    return HEADINGS[zone_of(state, seat).edge]
