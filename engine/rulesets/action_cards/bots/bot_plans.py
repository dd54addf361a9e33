"""Plans of a bot: the goal of each group, and the condition that it serves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.rulesets.action_cards.bots.bot_ground import Ground, distance
from engine.rulesets.action_cards.bots.bot_table import Aim, Band, Reading
from engine.space.vectors.points import Point

REACH: Final = 120
"""A charge comes a little farther than the Move: bases are wide."""


@dataclass(slots=True)
class Plan:
    """Goal of a group; `weight` in points of the condition, 0 where it only hunts."""

    band: Band
    ground: Ground | None
    to: Point
    weight: float
    stay: bool = False


def sent(band: Band, ground: Ground, weight: float) -> Plan:
    """Plan a way to the middle of a ground, drawn a little towards the group."""
    x, y = ground.middle
    entry = x + (band.at[0] - x) // 50, y + (band.at[1] - y) // 50
    return Plan(band, ground, entry, weight, any(ground.holds(body.at) for body in band.bodies))


def enough(aim: Aim, bands: Iterable[Band]) -> list[Band]:
    """Return the first of these groups, as many as a condition takes: to "reach" is for so many figures, else one group
    will do."""
    wanted = aim.goal if aim.kind == "reach" else 1
    going: list[Band] = []
    for band in bands:
        if wanted > 0:
            going.append(band)
            wanted -= band.count if aim.kind == "reach" else 1
    return going


def hunting(table: Reading, band: Band) -> Plan:
    """Plan for a group without a condition: towards a rival that a condition names, else the nearest enemy."""
    return Plan(band, None, _prey(table, band), 0.0)


def _prey(table: Reading, band: Band) -> Point:
    rivals = {aim.rival for aim in table.aims if aim.rival >= 0 and not aim.is_met}
    hunted = [other for other in table.others if other.owner in rivals] or table.others
    if not hunted:
        return (table.size[0] // 2, table.size[1] // 2)
    return min(hunted, key=lambda other: (distance(other.at, band.at), other.id)).at
