"""Average results of fire and close combat, in points of the enemy."""

from __future__ import annotations

from typing import Final

from engine.kit.remembered import remembered
from engine.rulesets.apocalypse_earth.bots.look import Arms, Card, Seen
from engine.rulesets.apocalypse_earth.rules.assault import duels
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.state.profiles import Penetration

TEMPLATE: Final = 1.8
"""Figures that a template usually touches."""
FATAL: Final = 0.45
"""Share of a vehicle's price that a penetration is worth."""
NERVE: Final = {"green": 0.17, "experienced": 0.12, "veteran": 0.05}
"""Chance to be suppressed by losses, by experience."""
QUIET: Final = 0.4
"""Share of a unit's points that its suppression is worth."""
CHECKS: Final = {"dread": 1 / 3, "word_of_command": 11 / 36}
"""Chance that a unit fails the check that a power calls for."""
STONE: Final = Penetration(8, 1)
STONES: Final = 2
"""Stones that are hurled, on average."""


def worth(target: Seen, losses: float) -> float:
    """Return the points that losses of a unit are worth: the figures', and what its suppression may bring."""
    left = len(target.places)
    price = target.card.points / max(1, target.card.figures)
    if target.card.drives:
        return min(1.0, losses * FATAL) * target.card.points
    fallen = min(losses, float(left))
    steady = "suppressed" not in target.status
    nerve = NERVE.get(target.card.experience, 0.1) * min(1.0, losses) * QUIET * (left - fallen) * price * steady
    return fallen * price + nerve


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
    armour = target.armour["side" if target.drives else "front"]
    through = _pierces(arms.constant, arms.dice, armour) if armour else 1.0
    if arms.blast and not target.drives:
        dead = max(0, 7 - arms.kill - cover) / 6
        return count * max(1, arms.shots) * chance * TEMPLATE * dead
    return count * max(1, arms.shots) * chance * through


@remembered
def _chance(hit: int, cover: int) -> float:
    return float(hits.chance(hit + cover))


@remembered
def _pierces(constant: int, dice: int, armour: int) -> float:
    """Return the chance that a penetration reaches an armour rating."""
    return float(Penetration(constant, dice).chance(armour)) if dice else 0.0


def power(id: str, target: Seen) -> float:
    """Return the points that a power wins on average once it works; 0 where a bot has no use for it."""
    left = len(target.places) * target.card.points / max(1, target.card.figures)
    steady = "suppressed" not in target.status and not target.card.drives
    match id:
        case "dread" | "word_of_command":
            return CHECKS[id] * QUIET * left * steady
        case "iron_faith":
            return QUIET * left * ("suppressed" in target.status)
        case "hurled_stone":
            armour = target.card.armour["side" if target.card.drives else "front"]
            through = _pierces(STONE.constant, STONE.dice, armour) if armour else 1.0
            return worth(target, STONES * through)
        case "break_steel":
            return worth(target, 1.0)
    return 0.0


@remembered
def duel(ahead: int) -> float:
    """Return the chance to win a duel with so much more on one side."""
    return float(duels.chance(ahead))


def charge(unit: Seen, target: Seen, cover: int) -> float:
    """Return what a charge wins, in points: what falls or gives up of the target, less what falls of the unit."""
    if target.card.drives:
        return 0.0
    own, others = len(unit.places), len(target.places)
    chance = duel(unit.card.ccr + 1 - target.card.ccr - cover)
    pairs = min(own, others)
    more = max(0, own - others) * 0.5
    won, lost = pairs * chance + min(more, pairs * (1 - chance)), pairs * (1 - chance)
    breaks = 1 / 6 + 5 / 6 * (0.35 if won > lost else 0.1)
    theirs = target.card.points / max(1, target.card.figures)
    ours = unit.card.points / max(1, unit.card.figures)
    gained = won * theirs + breaks * max(0.0, others - won) * theirs
    return 5 / 6 * (gained - lost * ours) - own * ours / 6 * QUIET
