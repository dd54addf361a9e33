"""Targets of a unit, worked out once for a table that has not changed."""

from __future__ import annotations

from typing import NamedTuple

from engine.core.rules.errors import IllegalIntent, Refusal
from engine.rulesets.one_page.rules import shooting
from engine.rulesets.one_page.state.state import Battle, Unit
from protocol.ids import GroupId


class Targets(NamedTuple):
    """Enemy units that a unit may shoot at, and the reasons against the others."""

    aims: dict[GroupId, shooting.Aim]
    refused: dict[GroupId, Refusal]


def find_targets(state: Battle, unit: Unit) -> Targets:
    """Return all enemies on the table as targets of a unit, or as refused."""
    return state.board.get(("targets", unit.id), (state.active,), lambda: _find_targets(state, unit))


def _find_targets(state: Battle, unit: Unit) -> Targets:
    found = Targets({}, {})
    try:
        shooting.check_shooter(state, unit.owner, unit)
    except IllegalIntent:
        return found
    for enemy in state.standing():
        if enemy.owner != unit.owner:
            try:
                found.aims[enemy.id] = shooting.check_target(state, unit.owner, unit, enemy.id)
            except IllegalIntent as illegal:
                found.refused[enemy.id] = illegal.refusal
    return found


def targets(state: Battle, unit: Unit) -> dict[GroupId, shooting.Aim]:
    """Return the targets that the acting unit may shoot at."""
    return find_targets(state, unit).aims
