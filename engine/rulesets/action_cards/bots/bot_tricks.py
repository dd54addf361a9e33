"""Special actions of factions as a bot values them: dig in, mend, daunt, demolish."""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_look import Look
from engine.rulesets.action_cards.bots.bot_odds import expected_kills, success
from engine.rulesets.action_cards.bots.bot_scales import POINT, Scales
from engine.rulesets.action_cards.bots.bot_table import Act, Reading, SeenGroup
from protocol.scene import fields as scene
from protocol.scene.nodes import Reply

SPECIAL: Final = "special/"
DIG_IN: Final = SPECIAL + "dig_in"
MEND: Final = SPECIAL + "mend"
WHILE: Final = 1.5
"""Dug cover lasts beyond the next card for a group that stays."""
STUNNED: Final = 0.7
ROUSED: Final = 0.5
"""A group that loses hard cover is shot at more easily later: worth this part of one such shot."""


def tricks(look: Look, scales: Scales) -> list[Act]:
    """Return the special actions that need no target and do something at once."""
    return [
        Act(success(group.count) * scales.own_worth, Reply(MEND, {"group": [group.id]})) for group in look.groups(MEND)
    ]


def shelters(look: Look, scales: Scales) -> list[Act]:
    """Return the special actions that give cover from what others will do."""
    return [
        Act(_dug(scales, group), Reply(DIG_IN, {"group": [group.id]}))
        for group in look.groups(DIG_IN)
        if group.cover == "open" and "dug_in" not in group.status
    ]


async def aimed_tricks(look: Look, scales: Scales) -> list[Act]:
    """Return the special actions with a target, each by the largest group that may."""
    found: list[Act] = []
    for id, choice in look.choices.items():
        if not id.startswith(SPECIAL) or not any(field.key == "about" for field in choice.fields):
            continue
        for group in sorted(look.groups(id), key=lambda group: (-group.count, group.id))[:1]:
            start: dict[str, object] = {"group": [group.id]}
            field = await look.detail(id, start)
            if isinstance(field, scene.Pieces):
                found += [
                    Act(success(group.count) * worth, Reply(id, {**start, "about": [option.id]}))
                    for option in field.options
                    if (worth := _effect(look.table, scales, option.id)) > 0
                ]
    return found


def _dug(scales: Scales, group: SeenGroup) -> float:
    """Return the worth of cover to a group in the open: much to one that stays, little to one that has to go on."""
    plan = scales.plans[group.id]
    stays = plan.stay or plan.ground is None
    saved = scales.exposure(group, group.at) - scales.exposure(group, group.at, "cover")
    return saved * (WHILE if stays else 1.0 / WHILE)


def _effect(table: Reading, scales: Scales, about: str) -> float:
    other = table.groups.get(about)
    if other is not None:
        return STUNNED * scales.menace(other)
    ground = table.grounds.get(about)
    worth = 0.0
    for owner, conditions in table.conditions_of.items():
        for condition in conditions:
            if (
                condition.ground is not None
                and condition.ground.id == about
                and condition.kind in ("stands", "hold", "falls")
            ):
                gain = POINT * condition.points * (1.0 if condition.kind == "falls" else -1.0)
                worth += gain if not table.are_foes(table.seat, owner) else -scales.spite * gain
    if ground is not None and ground.cover == "building":
        dice = max((group.dice for group in table.mine), default=0)
        for inside in [
            group for group in table.groups.values() if "in_building" in group.status and ground.holds(group.at)
        ]:
            kill = table.forces[inside.owner].kill
            more = expected_kills(dice, kill["cover"], inside.count) - expected_kills(
                dice, kill["building"], inside.count
            )
            worth += (
                ROUSED
                * more
                * (-scales.own_worth if not table.are_foes(table.seat, inside.owner) else scales.prize(inside))
            )
    return worth
