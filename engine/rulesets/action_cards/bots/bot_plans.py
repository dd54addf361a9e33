"""Plans of a bot: the goal of each group, and the condition that it serves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.rulesets.action_cards.bots.bot_ground import Ground, distance
from engine.rulesets.action_cards.bots.bot_table import Reading, SeenCondition, SeenGroup
from engine.space.vectors.points import Point

REACH: Final = 120
"""A charge comes a little farther than the Move: bases are wide."""


@dataclass(slots=True)
class Plan:
    """Goal of a group; `weight` in points of the condition, 0 where it only hunts."""

    group: SeenGroup
    ground: Ground | None
    to: Point
    weight: float
    stay: bool = False


def plan_to(group: SeenGroup, ground: Ground, weight: float) -> Plan:
    """Plan a way to the middle of a ground, drawn a little towards the group."""
    x, y = ground.middle
    entry = x + (group.at[0] - x) // 50, y + (group.at[1] - y) // 50
    return Plan(group, ground, entry, weight, any(ground.holds(figure.at) for figure in group.figures))


def groups_needed(condition: SeenCondition, groups: Iterable[SeenGroup]) -> list[SeenGroup]:
    """Return the first of these groups, as many as a condition takes: to "reach" is for so many figures, else one group
    will do."""
    wanted = condition.goal if condition.kind == "reach" else 1
    going: list[SeenGroup] = []
    for group in groups:
        if wanted > 0:
            going.append(group)
            wanted -= group.count if condition.kind == "reach" else 1
    return going


def hunting_plan(table: Reading, group: SeenGroup) -> Plan:
    """Plan for a group without a condition: towards a rival that a condition names, else the nearest enemy."""
    return Plan(group, None, _prey(table, group), 0.0)


def _prey(table: Reading, group: SeenGroup) -> Point:
    rivals = {condition.rival for condition in table.conditions if condition.rival >= 0 and not condition.is_met}
    hunted = [other for other in table.others if other.owner in rivals] or table.others
    if not hunted:
        return (table.size[0] // 2, table.size[1] // 2)
    return min(hunted, key=lambda other: (distance(other.at, group.at), other.id)).at
