"""Dice pools of groups: weapon by weapon for shooting, figure by figure for close combat (AC-SHOOT-02, AC-HTH-04)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.core.rules.implements import implements
from engine.kit.pools import DicePool, PoolPart
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.state.state import Combat, Skirmish
from protocol.ids import GroupId
from protocol.text import Text


def pool_of(state: Skirmish, group: GroupId, *, blast: bool = False) -> DicePool:
    """Return a group's shooting dice with those of the guns that it serves; with `blast`, those fired at a place."""
    return table.board(state).standing[group].get(("pool", blast), (), lambda: _pool(state, group, blast=blast))


@implements("AC-SHOOT-02")
def _pool(state: Skirmish, group: GroupId, *, blast: bool) -> DicePool:
    carried = [id for figure in state.groups[group].figures for id in table.profile(state, figure).weapons]
    times = Counter([*carried, *[gun.weapon for gun in table.served_guns(state, group)]])
    known = {weapon.id: weapon for weapon in state.faction(state.groups[group].owner).weapons}
    return DicePool.of(
        [PoolPart(Text(known[id].name), known[id].dice, n) for id, n in times.items() if known[id].blast is blast]
    )


def pool_together(state: Skirmish, groups: Iterable[GroupId], *, blast: bool = False) -> DicePool:
    """Return `pool_of` for several groups in one pool; a group may be named more than once."""
    return DicePool.of([part for group in groups for part in pool_of(state, group, blast=blast).parts])


def dice_of(state: Skirmish, group: GroupId, *, blast: bool = False) -> int:
    """Return the number of dice in `pool_of`."""
    return pool_of(state, group, blast=blast).count


@implements("AC-HTH-04")
def close_pool(state: Skirmish, combat: Combat, seat: int) -> DicePool:
    """Return the close combat dice of all figures of a faction in a combat."""
    profiles = [table.profile(state, id) for id in combats.figures_in(state, combat, seat)]
    return DicePool.of([PoolPart(Text(profile.name), profile.close) for profile in profiles])
