"""Average results of fire and close combat, in points of the enemy."""

from __future__ import annotations

from math import dist, exp, factorial
from typing import Final

from engine.kit.remembered import remembered
from engine.rulesets.apocalypse_earth.bots.look import Arms, Card, Look, Seen
from engine.rulesets.apocalypse_earth.rules.assault import duels
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.state.profiles import Penetration
from engine.space.vectors.points import Point

TEMPLATE: Final = 1.8
"""Figures that a template usually touches."""
FATAL: Final = 0.45
"""Share of a vehicle's price that a penetration is worth."""
NERVE: Final = {"green": 0.17, "experienced": 0.12, "veteran": 0.05}
"""Chance to be suppressed by losses, by experience."""
QUIET: Final = 0.4
"""Share of a unit's points that its suppression is worth."""
LATER: Final = 0.6
"""Share of the fire of an enemy that has acted in this turn which still counts."""
STRIKERS: Final = 3
"""Figures of a charge that use what they have on a vehicle, about."""


def price(unit: Seen) -> float:
    """Return the points of one figure of a unit."""
    return unit.card.points / max(1, unit.card.figures)


def shot(look: Look, unit: Seen, enemy: Seen, at: Point | None = None) -> float:
    """Return what fire at an enemy wins, from a place or where the unit stands; 0 where nothing is to be seen."""
    start, end = at or unit.lead, enemy.lead
    away = dist(start, end) if at else unit.distance(enemy)
    if away > unit.card.reach:
        return 0.0
    direct = look.sees(start, end)
    if not direct and not (unit.card.lobs and look.spotted(enemy)):
        return 0.0
    moved = at is not None and dist(start, unit.lead) * 2 > unit.card.move
    return worth(enemy, fire(unit, enemy, away, look.cover(end), moved=moved, direct=direct))


def best_shot(look: Look, unit: Seen, at: Point | None = None) -> float:
    """Return what a unit's best fire wins, from a place or where it stands."""
    return max((shot(look, unit, enemy, at) for enemy in look.enemies), default=0.0)


def threat(look: Look, enemy: Seen, unit: Seen) -> float:
    """Return what an enemy's fire costs a unit, in points."""
    away = dist(enemy.lead, unit.lead)
    if away > enemy.card.reach or "suppressed" in enemy.status or not look.sees(enemy.lead, unit.lead):
        return 0.0
    later = 1.0 if "overwatch" in enemy.status or "done" not in enemy.status else LATER
    return later * worth(unit, fire(enemy, unit, away, look.cover(unit.lead)))


def worth(target: Seen, losses: float) -> float:
    """Return the points that losses of a unit are worth: the figures', and what its suppression may bring."""
    left = len(target.places)
    if target.card.drives:
        return min(1.0, losses * FATAL) * target.card.points
    fallen = min(losses, float(left))
    steady = "suppressed" not in target.status
    nerve = NERVE.get(target.card.experience, 0.1) * min(1.0, losses) * QUIET * (left - fallen) * price(target) * steady
    return fallen * price(target) + nerve


def toll(points: int, size: int, left: int) -> float:
    """Return what a unit pays its enemy at the end: its price once it is gone, half of it at half strength."""
    return points if left <= 0 else points / 2 if 2 * left <= size else 0.0


def paid(target: Seen, losses: float) -> float:
    """Return what losses of a unit on foot add to what it pays, on average, where they fall one by one."""
    points, size, left = target.card.points, target.card.figures, len(target.places)
    chances = [exp(-losses) * losses**count / factorial(count) for count in range(left)]
    gone = (toll(points, size, 0), 1 - sum(chances))
    tolls = [(toll(points, size, left - count), chance) for count, chance in enumerate(chances)]
    return sum(owed * chance for owed, chance in (*tolls, gone)) - toll(points, size, left)


def fire(unit: Seen, target: Seen, distance: float, cover: int, *, moved: bool = False, direct: bool = True) -> float:
    """Return the losses of a target by all fire of a unit at this distance, on average: figures, or penetrations.
    `direct`: the unit sees it; else only indirect weapons fire."""
    share = len(unit.places) / max(1, unit.card.figures)
    own = unit.card
    arms = own.arms if direct else [arms for arms in own.arms if "indirect" in arms.traits]
    found = sum(_of(one, own, target.card, distance, cover, moved=moved) for one in arms)
    return min(found * share, float(len(target.places)))


def _of(arms: Arms, own: Card, target: Card, distance: float, cover: int, *, moved: bool) -> float:
    if not arms.range or arms.range < distance or {"smoke", "once"} & arms.traits:
        return 0.0
    if moved and "support" in arms.traits and not own.drives:
        return 0.0
    count = min(arms.number, 2) if "thrown" in arms.traits else arms.number
    lobbed = bool({"thrown", "indirect"} & arms.traits)
    chance = _chance(arms.hit, 0 if lobbed else cover) if arms.hit else 1.0
    through = pierces(arms, target)
    if arms.blast and not target.drives:
        return count * max(1, arms.shots) * chance * TEMPLATE * kills(arms, cover)
    return count * max(1, arms.shots) * chance * through


@remembered
def _chance(hit: int, cover: int = 0) -> float:
    return float(hits.chance(hit + cover))


def on_target(arms: Arms) -> float:
    """Return the chance that a weapon does not miss, or fail, in the open."""
    return _chance(arms.hit) if arms.hit else 1.0


def kills(arms: Arms, cover: int) -> float:
    """Return the chance that a template kills a figure that it touches."""
    return max(0, 7 - arms.kill - cover) / 6


def pierces(arms: Arms, target: Card) -> float:
    """Return the chance that a hit gets through the armour of a target."""
    armour = target.armour["side" if target.drives else "front"]
    return _pierces(arms.constant, arms.dice, armour) if armour else 1.0


@remembered
def _pierces(constant: int, dice: int, armour: int) -> float:
    """Return the chance that a penetration reaches an armour rating."""
    return float(Penetration(constant, dice).chance(armour)) if dice else 0.0


@remembered
def duel(ahead: int) -> float:
    """Return the chance to win a duel with so much more on one side."""
    return float(duels.chance(ahead))


def charge(unit: Seen, target: Seen, cover: int) -> float:
    """Return what a charge wins, in points: what falls or gives up of the target, less what falls of the unit; of a
    vehicle, what the chargers do to it with what they carry."""
    own, others = len(unit.places), len(target.places)
    nerves = own * price(unit) / 6 * QUIET
    if target.card.drives:
        carried = max((_strikes(arms, target.card) for arms in unit.card.arms), default=0.0)
        return 5 / 6 * worth(target, carried) - nerves
    chance = duel(unit.card.ccr + 1 - target.card.ccr - cover)
    pairs = min(own, others)
    more = max(0, own - others) * 0.5
    won, lost = pairs * chance + min(more, pairs * (1 - chance)), pairs * (1 - chance)
    breaks = 1 / 6 + 5 / 6 * (0.35 if won > lost else 0.1)
    theirs, ours = price(target), price(unit)
    gained = won * theirs + breaks * max(0.0, others - won) * theirs
    return 5 / 6 * (gained - lost * ours) - nerves


def _strikes(arms: Arms, target: Card) -> float:
    """Return about how often chargers get through a vehicle's armour with one kind of what they carry."""
    if not arms.dice or not (arms.range == 0 or "thrown" in arms.traits) or "smoke" in arms.traits:
        return 0.0
    chance = 1.0 if arms.range else on_target(arms)
    return min(arms.number, STRIKERS) * chance * pierces(arms, target)
