"""Neutral monsters: dangers with a body, that hunt by themselves and can be wounded until they fall (AC-OPEN-01)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules.dice import Roll
from engine.core.rules.implements import implements
from engine.kit.pools import multiples
from engine.rulesets.action_cards.rules.board import hulls, table
from engine.rulesets.action_cards.state.event_facts import MonsterHit
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Danger, Figure, Skirmish
from engine.space.terrain.contact import Base
from engine.space.vectors.points import floor_sqrt, squared, towards, within
from protocol.ids import GroupId


def standing(state: Skirmish) -> tuple[Danger, ...]:
    """Return the monsters on the table, in the order they came."""
    return tuple([danger for danger in state.dangers if danger.kill])


@implements("AC-OPEN-01")
def next_place(state: Skirmish, monster: Danger) -> Point:
    """Return a monster's next place: straight towards the nearest figure on the ground, until bases touch."""
    prey = [_met_as(state, figure, monster.at) for figure in state.figures.values() if hulls.is_down(figure)]
    if not prey:
        return monster.at
    nearest = min(prey, key=lambda base: (squared(base.at, monster.at), base.id))
    apart = floor_sqrt(squared(nearest.at, monster.at)) - monster.base - nearest.radius
    return towards(monster.at, nearest.at, min(monster.speed, apart)) if apart > 0 else monster.at


def _met_as(state: Skirmish, figure: Figure, at: Point) -> Base:
    """Return the base of a figure, or the point of a vehicle that is nearest to a place."""
    if table.profile(state, figure.id).vehicle is None:
        return table.base(state, figure.id)
    return table.nearest_of_hull(state, figure.id, at)


@implements("AC-OPEN-01")
def hit(monster: Danger, seat: int, group: GroupId, roll: Roll) -> MonsterHit:
    """Return the effect of a roll on a monster: a wound for each time that its kill number goes into the total."""
    wounds = multiples(roll.total, monster.kill, monster.wounds)
    return MonsterHit(monster.id, seat, group, roll.id, roll.total, wounds)


@implements("AC-OPEN-01")
def under(state: Skirmish, at: Point, radius: int) -> Iterator[Danger]:
    """Yield the monsters whose bases a circle touches."""
    return (monster for monster in standing(state) if within(monster.at, at, radius + monster.base))
