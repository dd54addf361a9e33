"""Special actions of factions as a bot values them: dig in, mend, daunt, demolish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.rulesets.action_cards.bots.bot_odds import expected_kills, success
from engine.rulesets.action_cards.bots.bot_scales import POINT, Scales
from engine.rulesets.action_cards.bots.bot_table import Act, Band, Reading
from protocol.scene import nodes as scene
from protocol.scene.nodes import Reply

if TYPE_CHECKING:
    from engine.rulesets.action_cards.bots.bot_look import Look

SPECIAL: Final = "special/"
DIG_IN: Final = SPECIAL + "dig_in"
MEND: Final = SPECIAL + "mend"
WHILE: Final = 1.5
"""Dug cover lasts beyond the next card for a group that stays."""
STUNNED: Final = 0.7
ROUSED: Final = 0.5
"""A group that loses hard cover is shot at more easily later: worth this part of one such shot."""


def tricks(look: Look, scales: Scales) -> list[Act]:
    """Return the special actions that need no target."""
    found = [
        Act(_dug(scales, band), Reply(DIG_IN, {"group": [band.id]}))
        for band in look.bands(DIG_IN)
        if band.cover == "open" and "dug_in" not in band.status
    ]
    found += [
        Act(success(band.count) * scales.own_worth, Reply(MEND, {"group": [band.id]})) for band in look.bands(MEND)
    ]
    return found


async def aimed_tricks(look: Look, scales: Scales) -> list[Act]:
    """Return the special actions with a target, each by the largest group that may."""
    found: list[Act] = []
    for id, choice in look.choices.items():
        if not id.startswith(SPECIAL) or not any(field.key == "about" for field in choice.fields):
            continue
        for band in sorted(look.bands(id), key=lambda band: (-band.count, band.id))[:1]:
            start: dict[str, object] = {"group": [band.id]}
            field = await look.detail(id, start)
            if isinstance(field, scene.Pieces):
                found += [
                    Act(success(band.count) * worth, Reply(id, {**start, "about": [option.id]}))
                    for option in field.options
                    if (worth := _effect(look.table, scales, option.id)) > 0
                ]
    return found


def _dug(scales: Scales, band: Band) -> float:
    """Return the worth of cover to a group in the open: much to one that stays, little to one that has to go on."""
    plan = scales.plans[band.id]
    stays = plan.stay or plan.ground is None
    saved = scales.exposure(band, band.at) - scales.exposure(band, band.at, "cover")
    return saved * (WHILE if stays else 1.0 / WHILE)


def _effect(table: Reading, scales: Scales, about: str) -> float:
    """Return the worth of stunning a group, or of bringing down a feature."""
    other = table.bands.get(about)
    if other is not None:
        return STUNNED * scales.menace(other)
    ground = table.grounds.get(about)
    worth = 0.0
    for owner, aims in table.aims_of.items():
        for aim in aims:
            if aim.ground is not None and aim.ground.id == about and aim.kind in ("stands", "hold", "falls"):
                gain = POINT * aim.points * (1.0 if aim.kind == "falls" else -1.0)
                worth += gain if owner == table.seat else -scales.spite * gain
    if ground is not None and ground.cover == "building":
        dice = max((band.dice for band in table.mine), default=0)
        for inside in [band for band in table.bands.values() if "in_building" in band.status and ground.holds(band.at)]:
            kill = table.forces[inside.owner].kill
            more = expected_kills(dice, kill["cover"], inside.count) - expected_kills(
                dice, kill["building"], inside.count
            )
            worth += ROUSED * more * (-scales.own_worth if inside.owner == table.seat else scales.prize(inside))
    return worth
