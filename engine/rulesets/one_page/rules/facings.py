"""Facings of Walkers, which look where they go and at whom they attack (OP-UNIT-05, OP-MOVE-01)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.kit.rules import Game, implements
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.state.events import UnitMoved
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.vectors.headings import heading_to
from engine.space.vectors.points import Point, squared
from protocol.ids import GroupId

UNTURNED = -1
"""Facing of a move that leaves a unit's as it is."""


@implements("OP-UNIT-05")
def along(state: Battle, unit: Unit, way: Sequence[Point]) -> int:
    """Return the facing of a Walker at the end of its way, the heading of the last piece; UNTURNED for other units, a
    Tracked one, and a way that leads nowhere."""
    if traits.profile(state, unit).kind != "walker" or unit.tracked:
        return UNTURNED
    return next((heading_to(a, b) for a, b in reversed(list(pairwise(way))) if a != b), UNTURNED)


def at_enemy(state: Battle, unit: Unit, at: Point, enemy: Unit) -> int:
    """Return the facing of a Walker at a place that attacks an enemy, towards its nearest model; UNTURNED as of
    `along`."""
    return along(state, unit, (at, min((model.at for model in state.members(enemy)), key=lambda p: squared(p, at))))


def turn_to(game: Game[Battle], id: GroupId, target: GroupId) -> None:
    """Turn a Walker where it stands towards the unit that it attacks."""
    state = game.state
    unit = state.units[id]
    leader = state.leader(unit)
    facing = at_enemy(state, unit, leader.at, state.units[target])
    if facing not in (UNTURNED, leader.facing):
        game.emit(UnitMoved(id, "turn", (leader.at, leader.at), {leader.id: leader.at}, facing))
