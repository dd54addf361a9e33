"""Plans of a counting bot: the moves that each condition takes, against the actions that are left.

Conditions that can still be met are taken up, most points for an action first, and pressed the harder the less time is
left over; other groups contest what rivals hold, or hunt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.rulesets.action_cards.bots.bot_forecast import ActionForecast
from engine.rulesets.action_cards.bots.bot_ground import Ground
from engine.rulesets.action_cards.bots.bot_odds import success
from engine.rulesets.action_cards.bots.bot_plans import Plan, groups_needed, hunting_plan, plan_to
from engine.rulesets.action_cards.bots.bot_table import Reading, SeenCondition, SeenGroup

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

    condition: SeenCondition
    ground: Ground
    groups: list[SeenGroup]
    cost: float


def errands(table: Reading, forecast: ActionForecast) -> dict[str, Plan]:
    """Return a plan for every group of this player. Conditions that can be met in time use up the time that is left."""
    left = forecast.of(table.seat)
    open_ = [
        condition
        for condition in table.conditions
        if condition.ground is not None and not (condition.kind == "done" and condition.is_met)
    ]
    made: dict[str, Plan] = {}
    spent = 0.0
    taken: list[tuple[Errand, bool]] = []
    for _ in range(len(open_)):
        found = [errand for condition in open_ if (errand := _errand(table, condition, made)) is not None]
        if not found:
            break
        best = max(found, key=lambda errand: (errand.condition.points / (1.0 + errand.cost), -errand.cost))
        open_.remove(best.condition)
        in_time = spent + best.cost <= left
        spent += best.cost if in_time else 0.0
        taken.append((best, in_time))
        for group in best.groups:
            made.setdefault(group.id, plan_to(group, best.ground, 0.0))
    pressing = _haste(left - spent)
    for errand, in_time in taken:
        haste = pressing if in_time else HOPELESS
        if errand.condition.kind == "done":
            haste = max(FOR_GOOD, haste)  # best done at once, and tried however little time is left
        for group in errand.groups:
            made[group.id].weight += errand.condition.points * haste
    free = [group for group in table.mine if group.id not in made and group.hull is None]
    made |= {plan.group.id: plan for plan in _spoilers(table, forecast, free)}
    return {group.id: made.get(group.id) or hunting_plan(table, group) for group in table.mine}


def _haste(spare: float) -> float:
    return CALM + (HASTE - CALM) * max(0.0, 1.0 - spare / LEISURE)


def _errand(table: Reading, condition: SeenCondition, made: dict[str, Plan]) -> Errand | None:
    """Assign to a condition the groups that are free or bound for the same ground; None where there are none."""
    assert condition.ground is not None
    ground, move = condition.ground, max(1, table.own.move)
    free = [
        group
        for group in table.mine
        if group.hull is None and (group.id not in made or made[group.id].ground is ground)
    ]
    far = {group.id: -(-table.way(group, ground) // move) for group in free}
    near = sorted(free, key=lambda group: (far[group.id], group.id not in made, -group.count, group.id))
    going = groups_needed(condition, near)
    if not going:
        return None
    cost = float(sum(far[group.id] for group in going))
    if condition.kind == "done":
        cost += (condition.goal - condition.progress) / max(0.1, success(going[0].count))
    return Errand(condition, ground, going, cost)


def _spoilers(table: Reading, forecast: ActionForecast, free: list[SeenGroup]) -> Iterator[Plan]:
    """Yield plans for the nearest free groups to contest what rivals hold, once the end is near."""
    left = forecast.of(table.seat)
    if left > ENDGAME:
        return
    rivals = max(1, len(table.scores) - 1)
    move = max(1, table.own.move)
    for owner, conditions in table.conditions_of.items():
        for condition in conditions if table.are_foes(table.seat, owner) else ():
            ground = condition.ground
            if condition.kind != "hold" or ground is None or not free:
                continue
            group = min(free, key=lambda group: (table.way(group, ground), group.id))
            if -(-table.way(group, ground) // move) <= left:
                free.remove(group)
                yield plan_to(group, ground, SPOILING * condition.points / rivals)
