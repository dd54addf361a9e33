"""Plans of a counting bot: the moves that each condition takes, against the actions that are left.

Conditions that can still be met are taken up, most points for an action first, and pressed the harder the less time is
left over; other groups contest what rivals hold, or hunt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.rulesets.action_cards.bots.bot_ground import Ground
from engine.rulesets.action_cards.bots.bot_odds import success
from engine.rulesets.action_cards.bots.bot_plans import Plan, enough, hunting, sent
from engine.rulesets.action_cards.bots.bot_table import Aim, Band, Reading

if TYPE_CHECKING:
    from engine.rulesets.action_cards.bots.bot_course import Course

CALM: Final = 0.6
HASTE: Final = 3.0
HOPELESS: Final = 0.4
SPOILING: Final = 0.7
"""Keeping a rival from a point is worth so much of a point of one's own, where there is one rival only."""
ENDGAME: Final = 10
"""Actions left at which the ground of rivals is contested: before, it is not safe for them anyway."""
LEISURE: Final = 4.0
"""With so many actions to spare what counts only at the end can wait: a group that goes early is shot at longer."""
FOR_GOOD: Final = 2.2
"""Least urgency of what counts for good, from the first card on."""


@dataclass(slots=True)
class Errand:
    """Condition with the groups that could meet it, and the actions that this takes."""

    aim: Aim
    ground: Ground
    bands: list[Band]
    cost: float


def errands(table: Reading, course: Course) -> dict[str, Plan]:
    """Return a plan for every group of this player. Conditions that can be met in time use up the time that is left."""
    left = course.of(table.seat)
    open_ = [aim for aim in table.aims if aim.ground is not None and not (aim.kind == "done" and aim.is_met)]
    made: dict[str, Plan] = {}
    spent = 0.0
    taken: list[tuple[Errand, bool]] = []
    for _ in range(len(open_)):
        found = [errand for aim in open_ if (errand := _errand(table, aim, made)) is not None]
        if not found:
            break
        best = max(found, key=lambda errand: (errand.aim.points / (1.0 + errand.cost), -errand.cost))
        open_.remove(best.aim)
        in_time = spent + best.cost <= left
        spent += best.cost if in_time else 0.0
        taken.append((best, in_time))
        for band in best.bands:
            made.setdefault(band.id, sent(band, best.ground, 0.0))
    pressing = _haste(left - spent)
    for errand, in_time in taken:
        haste = pressing if in_time else HOPELESS
        if errand.aim.kind == "done":
            haste = max(FOR_GOOD, haste)  # best done at once, and tried however little time is left
        for band in errand.bands:
            made[band.id].weight += errand.aim.points * haste
    for plan in _spoilers(table, course, [band for band in table.mine if band.id not in made and band.hull is None]):
        made[plan.band.id] = plan
    for band in table.mine:
        if band.id not in made:
            made[band.id] = hunting(table, band)
    return made


def _haste(spare: float) -> float:
    """Return the factor of urgency, with so many actions to spare."""
    return CALM + (HASTE - CALM) * max(0.0, 1.0 - spare / LEISURE)


def _errand(table: Reading, aim: Aim, made: dict[str, Plan]) -> Errand | None:
    """Assign to a condition the groups that are free or bound for the same ground; None where there are none."""
    assert aim.ground is not None
    ground, move = aim.ground, max(1, table.own.move)
    free = [
        band for band in table.mine if band.hull is None and (band.id not in made or made[band.id].ground is ground)
    ]
    far = {band.id: -(-min(table.country.way(body.at, ground) for body in band.bodies) // move) for band in free}
    near = sorted(free, key=lambda band: (far[band.id], band.id not in made, -band.count, band.id))
    going = enough(aim, near)
    if not going:
        return None
    cost = float(sum(far[band.id] for band in going))
    if aim.kind == "done":
        cost += (aim.goal - aim.progress) / max(0.1, success(going[0].count))
    return Errand(aim, ground, going, cost)


def _spoilers(table: Reading, course: Course, free: list[Band]) -> Iterator[Plan]:
    """Yield plans for the nearest free groups to contest what rivals hold, once the end is near."""
    left = course.of(table.seat)
    if left > ENDGAME:
        return
    rivals = max(1, len(table.scores) - 1)
    for owner, aims in table.aims_of.items():
        for aim in aims:
            if owner == table.seat or aim.kind != "hold" or aim.ground is None or not free:
                continue
            ground, move = aim.ground, max(1, table.own.move)
            band = min(
                free, key=lambda band: (min(table.country.way(body.at, ground) for body in band.bodies), band.id)
            )
            steps = -(-min(table.country.way(body.at, ground) for body in band.bodies) // move)
            if steps <= left:
                free.remove(band)
                yield sent(band, ground, SPOILING * aim.points / rivals)
