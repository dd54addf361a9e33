"""Places that bots consider: landings of reserves, cover to walk into, ends of Passage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import dist
from typing import Final

from engine.rulesets.one_page.bots import bot_odds
from engine.rulesets.one_page.bots.bot_look import Look, SeenUnit, UnitCard
from engine.rulesets.one_page.bots.bot_odds import Odds
from engine.space.vectors.headings import heading
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, box_of, middle_of, towards
from protocol.scene.nodes import TABLE_NODE, Feature, Table

LANDS: Final = 1500
"""Distance of a landing leader from an enemy: 12 inches, and room for the other models between."""
LIFTED: Final = 1800
CLEAR: Final = 450
EDGE: Final = 250
ROOM: Final = 350
SHORT: Final = 1800
"""Greatest weapon range, in hundredths, of units that had better land near their enemies than walk there."""
FAR: Final = 20_000


def drops(card: UnitCard) -> bool:
    """Tell if a unit had better wait in reserve."""
    return "deep_strike" in card.rules and card.reach <= SHORT


def landings(look: Look, odds: Odds, unit: SeenUnit) -> list[Point]:
    """Return places for a unit of the reserve, the best first: near the enemies that it does most to, away from all
    others."""
    prey = sorted(look.enemies, key=lambda enemy: -_does(odds, unit, enemy))[:4]
    return list(_free(look, prey, LANDS, LANDS))


def lifts(look: Look, odds: Odds, unit: SeenUnit) -> list[Point]:
    """Return places to which Passage could take a unit so that it can charge."""
    near = [enemy for enemy in look.enemies if dist(unit.lead, enemy.lead) < LIFTED + CLEAR]
    prey = sorted(near, key=lambda enemy: -_does(odds, unit, enemy))[:3]
    return [p for p in _free(look, prey, CLEAR + 300, CLEAR) if dist(unit.lead, p) < LIFTED - 50]


def covers(look: Look, region: Sequence[Point], near: Point, reach: int) -> list[Point]:
    """Return the middles of pieces of cover that a leader can walk to with the whole way in reach, nearest first."""
    found = [
        middle
        for node in look.nodes.values()
        if isinstance(node, Feature) and node.cover and not node.line
        for middle in _middles(node, near)
        if contains(middle, region) and dist(near, middle) <= reach
    ]
    return sorted(found, key=lambda p: dist(near, p))


def around(at: Point, reach: int) -> list[Point]:
    """Return the corners of a square around a place."""
    x, y = at
    return [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]


def _middles(feature: Feature, near: Point) -> Iterator[Point]:
    """Yield the middle of a piece, and places between it and `near`."""
    middle = middle_of(box_of(feature.outline))
    if contains(middle, feature.outline):
        yield middle
        for step in (150, 300):
            nearer = towards(middle, near, step)
            if contains(nearer, feature.outline):
                yield nearer


def _does(odds: Odds, unit: SeenUnit, enemy: SeenUnit) -> float:
    """Return the points that a unit wins by charging or shooting one enemy at short range."""
    struck = bot_odds.worth(enemy, odds.melee(unit, enemy, charging=True))
    return max(struck, bot_odds.worth(enemy, odds.shooting(unit, enemy, 600, holds=False)))


def _free(look: Look, prey: Iterable[SeenUnit], distance: int, least: int) -> Iterator[Point]:
    """Yield places at a distance from one of these enemies, no enemy nearer than `least`, with some room around."""
    table = look.nodes.get(TABLE_NODE)
    width, height = table.size if isinstance(table, Table) else (FAR, FAR)
    enemies = [place for unit in look.enemies for place in unit.places]
    friends = [place for unit in look.units.values() if unit.owner == look.view.seat for place in unit.places]
    closed = [n.outline for n in look.nodes.values() if isinstance(n, Feature) and _is_bad(n)]
    for unit in prey:
        for angle in range(0, 360, 20):
            place = towards(unit.lead, _ahead(unit.lead, angle), distance)
            if not (EDGE < place[0] < width - EDGE and EDGE < place[1] < height - EDGE):
                continue
            if any(contains(place, outline) for outline in closed):
                continue
            if _clear(place, enemies, least) and _clear(place, friends, ROOM):
                yield place


def _is_bad(feature: Feature) -> bool:
    """Tell if a piece is no place for a unit that means to charge."""
    return not feature.line and bool(feature.cover or set(feature.states) & {"impassable", "mined"})


def _ahead(at: Point, angle: int) -> Point:
    dx, dy = heading(angle)
    return at[0] + dx, at[1] + dy


def _clear(place: Point, others: Iterable[Point], distance: int) -> bool:
    return all(dist(place, other) >= distance for other in others)
