"""Places that bots consider: landings of reserves, and ends of Passage."""

from __future__ import annotations

from math import dist
from typing import Final

from engine.rulesets.one_page.bots import bot_odds
from engine.rulesets.one_page.bots.bot_look import Look, SeenUnit, UnitCard
from engine.rulesets.one_page.bots.bot_odds import Odds
from engine.space.vectors.points import Point
from protocol.scene.nodes import Feature

LANDS: Final = 1500
"""Distance of a landing leader from an enemy: 12 inches, and room for the other models between."""
LIFTED: Final = 1800
CLEAR: Final = 450
ROOM: Final = 350
SHORT: Final = 1800
"""Greatest weapon range, in hundredths, of units that had better land near their enemies than walk there."""


def drops(card: UnitCard) -> bool:
    """Tell if a unit had better wait in reserve."""
    return "deep_strike" in card.rules and card.reach <= SHORT


def landings(look: Look, odds: Odds, unit: SeenUnit) -> list[Point]:
    """Return places for a unit of the reserve, the best first: near the enemies that it does most to, away from all
    others."""
    prey = sorted(look.enemies, key=lambda enemy: -_does(odds, unit, enemy))[:4]
    return list(look.free_around(prey, LANDS, LANDS, ROOM, _is_bad))


def lifts(look: Look, odds: Odds, unit: SeenUnit) -> list[Point]:
    """Return places to which Passage could take a unit so that it can charge."""
    near = [enemy for enemy in look.enemies if dist(unit.lead, enemy.lead) < LIFTED + CLEAR]
    prey = sorted(near, key=lambda enemy: -_does(odds, unit, enemy))[:3]
    free = look.free_around(prey, CLEAR + 300, CLEAR, ROOM, _is_bad)
    return [p for p in free if dist(unit.lead, p) < LIFTED - 50]


def _does(odds: Odds, unit: SeenUnit, enemy: SeenUnit) -> float:
    """Return the points that a unit wins by charging or shooting one enemy at short range."""
    struck = bot_odds.worth(enemy, odds.melee(unit, enemy, charging=True))
    return max(struck, bot_odds.worth(enemy, odds.shooting(unit, enemy, 600, holds=False)))


def _is_bad(feature: Feature) -> bool:
    """Tell if a piece is no place for a unit that means to charge."""
    return not feature.line and bool(feature.cover or set(feature.states) & {"impassable", "mined"})
