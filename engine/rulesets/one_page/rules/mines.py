"""Minefields: the models that roll for mines (OP-OPEN-15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from engine.kit.rules import implements
from engine.rulesets.one_page.rules import ground, traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.state import TABLE, Battle
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.points import Point
from protocol.ids import GroupId

MINES: Final = "op.dice.mines"


def minefields(state: Battle) -> list[PreparedArea]:
    """Return the areas with mines."""
    return [area for area in ground.scenery_of(state).areas if ground.terrain(state, area.id).mined]


def among(state: Battle, places: Iterable[Point]) -> int:
    """Return how many of these places lie among mines."""
    mined = minefields(state)
    return sum(any(area.holds(at) for area in mined) for at in places)


@implements("OP-OPEN-15")
def rolling(before: Battle, state: Battle, id: GroupId, way: Sequence[Point]) -> int:
    """Return how many models of a unit that was moved or placed roll: all, once each, if the leader's way led through
    mines, otherwise those that were placed among them. Who flies does not roll."""
    unit, was = state.units[id], before.units[id]
    mined = minefields(state)
    if traits.has(state, unit, rules.FLYING):
        return 0
    if any(area.pierced_by(a, b) or area.holds(b) for area in mined for a, b in pairwise(way) if a != b):
        return len(unit.figures)
    stood = {model.id: model.at for model in before.members(was)} if was.where == TABLE else {}
    return among(state, [model.at for model in state.members(unit) if stood.get(model.id) != model.at])
