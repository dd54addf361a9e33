"""What a bot wants of its groups: who goes where for which condition, and what a place is worth to a group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.rulesets.action_cards.bot_odds import expected_kills
from engine.rulesets.action_cards.bot_sight import Lines
from engine.rulesets.action_cards.bot_table import Aim, Band, Ground, Reading, distance
from engine.space.vectors import Point, in_box, widened

MARCH: Final = 7.0
"""What coming one Move nearer to a condition of one point is worth, in hundredths of a force."""
HUNT: Final = 1.5
ARRIVED: Final = 5.0
LEAVING: Final = 25.0
PATIENT: Final = 0.6
PRESSED: Final = 1.4
COVERED: Final = {"open": 0.0, "cover": 2.0, "building": 5.0}
FEAR: Final = 0.35
SHARE: Final = 0.4
"""Of all the shots that could be aimed at a group, so many are."""
REACH: Final = 120
"""A charge comes a little farther than the Move: bases are wide."""


@dataclass(slots=True)
class Plan:
    """Where a group is to go; `weight` in points of the condition, 0 where it only hunts."""

    band: Band
    ground: Ground | None
    to: Point
    weight: float
    stay: bool = False


def plans(table: Reading) -> dict[str, Plan]:
    """A plan for every group of mine: conditions first, each to the group that is nearest; the others hunt."""
    made: dict[str, Plan] = {}
    for aim in sorted(table.aims, key=lambda aim: -aim.points):
        if aim.ground is None or (aim.kind == "done" and aim.progress >= aim.goal):
            continue
        for band in _sent(table, aim, [b for b in table.mine if b.id not in made and b.hull is None]):
            inside = any(aim.ground.holds(body.at) for body in band.bodies)
            made[band.id] = Plan(
                band, aim.ground, _entry(aim.ground, band.at), aim.points * _urgency(table, aim), inside
            )
    for band in table.mine:
        if band.id not in made:
            made[band.id] = Plan(band, None, _prey(table, band), 0.0)
    return made


def _urgency(table: Reading, aim: Aim) -> float:
    """What counts only at the end can wait while decks are left; what counts for good is best done at once."""
    if aim.kind == "done":
        return 1.0
    return PATIENT if table.decks_left > 1 else PRESSED


def _sent(table: Reading, aim: Aim, free: list[Band]) -> Iterable[Band]:
    """The groups to send: the nearest one; for "reach" as many as it takes."""
    assert aim.ground is not None
    ground = aim.ground
    near = sorted(free, key=lambda band: (distance(band.nearest(ground.middle).at, ground.middle), band.id))
    if aim.kind == "done":
        near.sort(key=lambda band: (distance(band.at, ground.middle) // table.own.move, -band.count))
    wanted = aim.goal if aim.kind == "reach" else 1
    for band in near:
        if wanted <= 0:
            return
        wanted -= band.count if aim.kind == "reach" else 1
        yield band


def _entry(ground: Ground, start: Point) -> Point:
    """A point of the ground to make for: its middle, drawn a little towards the group."""
    x, y = ground.middle
    return x + (start[0] - x) // 50, y + (start[1] - y) // 50


def _prey(table: Reading, band: Band) -> Point:
    """Whom a group without a task goes for: a rival that a condition names, else the nearest."""
    rivals = {aim.rival for aim in table.aims if aim.rival >= 0 and aim.progress < aim.goal}
    hunted = [other for other in table.others if other.owner in rivals] or table.others
    if not hunted:
        return (table.size[0] // 2, table.size[1] // 2)
    return min(hunted, key=lambda other: (distance(other.at, band.at), other.id)).at


class Judge:
    """What places and shots are worth to the player, in hundredths of a force."""

    def __init__(self, table: Reading, plans: dict[str, Plan], lines: Lines) -> None:
        self.table = table
        self.lines = lines
        self.plans = plans
        self.rivals = {aim.rival for aim in table.aims if aim.kind == "destroy" and aim.progress < aim.goal}
        self.wanted = [aim.ground for aim in table.aims if aim.ground is not None]

    def prize(self, target: Band) -> float:
        """What removing one figure of a group is worth."""
        worth = self.table.forces[target.owner].worth
        if target.owner in self.rivals or -1 in self.rivals:
            worth *= 1.4
        if any(ground.holds(target.at) for ground in self.wanted):
            worth *= 1.5
        return worth

    def shot(self, target: Band, dice: int, number: int) -> float:
        """What a shot is worth; figures that are nearly all gone are worth a little more: a group is an action."""
        kills = expected_kills(dice, number, target.count)
        return kills * self.prize(target) + (2.0 if kills > target.count - 0.5 else 0.0)

    def place(self, plan: Plan, place: Point) -> float:
        """What it is worth to have the group of a plan at a place."""
        move = max(1, self.table.own.move)
        value = COVERED[self.lines.cover_at(place)]
        if plan.ground is not None:
            inside = plan.ground.holds(place)
            value += ARRIVED * plan.weight if inside else -MARCH * plan.weight * distance(place, plan.to) / move
            value -= LEAVING if plan.stay and not inside else 0.0
        else:
            value -= HUNT * max(0, distance(place, plan.to) - 1200) / move
        return value

    def safety(self, band: Band, place: Point) -> float:
        """What shots and charges at the group there are likely to cost, as a loss."""
        return -self.exposure(band, place) - FEAR * self.danger(band, place)

    def exposure(self, band: Band, place: Point) -> float:
        """What fire at a group there is likely to cost it: a share of all shots that could be aimed at it."""
        number = self.table.own.kill[self.lines.cover_at(place)]
        losses = [
            expected_kills(other.dice, number, band.count) * self.table.own.worth
            for other in self.table.others
            if "locked" not in other.status and self.lines.clear(other.at, place)
        ]
        return min(max(losses, default=0.0), SHARE * sum(losses))

    def danger(self, band: Band, place: Point) -> float:
        """What the worst charge at a group there would cost it, less what it would cost them."""
        worst = 0.0
        cover = self.lines.cover_at(place)
        for other in self.table.others:
            reach = self.table.forces[other.owner].move + REACH
            if "locked" in other.status or not in_box(place, widened(other.near, reach)):
                continue
            if distance(other.nearest(place).at, place) <= reach:
                worst = max(worst, self.fight(other, band, cover))
        return worst

    def fight(self, attacker: Band, defender: Band, cover: str) -> float:
        """What a close combat is worth to the attacker: their losses less his, both in hundredths of a force."""
        theirs, own = self.table.forces[defender.owner], self.table.forces[attacker.owner]
        killed = expected_kills(attacker.close, theirs.kill[cover], defender.count)
        lost = expected_kills(defender.close, own.kill["open"], attacker.count)
        return killed * theirs.worth - lost * own.worth
