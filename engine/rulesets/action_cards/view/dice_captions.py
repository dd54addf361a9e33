"""Dice as they are shown: their source, their purpose, their meaning."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.rules.events import DiceRolled
from engine.rulesets.action_cards.rules.board import cover, firepower, table
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.rules.vehicles import transports
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import MonsterHit
from engine.rulesets.action_cards.state.state import Burst, Combat, Skirmish, Strike, Volley
from protocol.ids import GroupId
from protocol.scene.nodes import Dice
from protocol.text import Text, text

NOTHING, KILLS, ALL_FALL = range(3)


def volley(state: Skirmish, shot: Volley) -> Dice:
    """Show a shot before its casualties fall."""
    parts = weapons(state, firing(state, shot))
    if is_linked_fire(state, shot):
        parts = (*parts, text("part.linked", dice=shot.dice))
    return Dice.of(shot.roll, text("dice.shooting"), parts, _reasons(state, shot), shot.total)


def struck(state: Skirmish, shot: Volley) -> Dice:
    """Show the dice of a Special Event against a group, before its casualties fall."""
    return Dice.of(shot.roll, text("dice.event"), (), _reasons(state, shot), shot.total)


def monster(event: MonsterHit, kill: int) -> Dice:
    """Show dice against a monster, and its wounds."""
    reasons = (text("reason.wound_number", number=kill), text("reason.wounds", wounds=event.wounds))
    return Dice.of(event.roll, text("dice.shooting"), (), reasons, event.total)


def _reasons(state: Skirmish, shot: Volley) -> tuple[Text, ...]:
    came_to = "reason.all_fall" if outcome(state, shot) == ALL_FALL else "reason.kills"
    return text("reason.kill_number", number=shot.kill_number), text(came_to, kills=shot.kills, lost=lost(shot))


def firing(state: Skirmish, shot: Volley) -> list[GroupId]:
    """Return the groups of a shot that are still on the table."""
    return [id for id in shot.groups if id in state.groups]


def is_linked_fire(state: Skirmish, shot: Volley) -> bool:
    """Tell whether more dice were rolled than the groups have."""
    return sum(firepower.dice_of(state, id) for id in firing(state, shot)) < shot.dice


def outcome(state: Skirmish, shot: Volley) -> int:
    """Return the outcome of a shot: NOTHING, KILLS, or ALL_FALL of its target."""
    if not shot.kills:
        return NOTHING
    target = state.groups.get(shot.target)
    return ALL_FALL if target is not None and shot.kills >= len(target.figures) else KILLS


def lost(shot: Volley) -> int:
    """Return the points of a shot's dice beyond its kills."""
    return shot.total - shot.kills * shot.kill_number


def burst(state: Skirmish, fell: Burst) -> Dice:
    """Show a blast before its casualties fall."""
    reasons = [
        text("reason.burst", group=names.group(state, id), number=fell.numbers[id], kills=falls)
        for id, falls in fell.falls.items()
    ]
    parts = weapons(state, (fell.group,), blast=True) if fell.group in state.groups else ()
    told = tuple(reasons) or (text("reason.none"),)
    return Dice.of(fell.roll, text("dice.shooting"), parts, told, fell.total)


def weapons(state: Skirmish, groups: Iterable[GroupId], *, blast: bool = False) -> tuple[Text, ...]:
    """List the weapons of these groups, blast weapons or the others: "two rifles 1D6"."""
    return tuple(
        text("part.weapon", count=part.times, weapon=part.words, dice=part.dice)
        for part in firepower.pool_together(state, groups, blast=blast).parts
    )


def fighters(state: Skirmish, combat: Combat, seat: int) -> tuple[Text, ...]:
    """List a faction's figures in a close combat, with their dice."""
    parts = firepower.close_pool(state, combat, seat).parts
    return tuple(text("part.fighter", count=part.times, figure=part.words, dice=part.dice) for part in parts)


def strike(
    state: Skirmish, struck: Strike, parts: tuple[Text, ...] = (), purpose: str = "dice.close_combat"
) -> Dice | None:
    """Show dice in a combat, or into one, and the casualties; None where none were rolled."""
    if struck.roll is None:
        return None
    reasons = tuple(
        text("reason.falls", faction=names.faction(state, seat), kills=kills)
        for seat, kills in struck.kills.items()
        if kills
    ) or (text("reason.none"),)
    if len(struck.kills) > 1:
        named = text("reason.even_odd", faction=names.faction(state, struck.target))
        reasons = (named, *reasons)
    return Dice.of(struck.roll, Text(purpose), parts, reasons, struck.total)


def action_roll(event: DiceRolled) -> Dice:
    """Show the dice of an action roll: one 6 is enough."""
    test = specials.SUCCESS
    reason = text("reason.six" if test.successes(event.faces) else "reason.no_six")
    return Dice.of(event.id, text("dice.action_roll"), (), (reason,), counted=(test.need, test.sides))


def bail_out(event: DiceRolled) -> Dice:
    """Show the dice of passengers who leave a wreck: low ones do not get out."""
    lost = sum(face <= transports.WORST for face in event.faces)
    reason = text("reason.bail_out", worst=transports.WORST, lost=lost)
    return Dice.of(event.id, text("dice.bail_out"), (), (reason,), counted=(1, transports.WORST))


def protection(state: Skirmish, shot: Volley) -> int:
    """Return the cover that the target had against this shot: its index in cover.CLASSES."""
    kill = table.kill_of(state, shot.target)
    places = range(len(cover.CLASSES))
    return next((place for place in places if kill.number(cover.CLASSES[place]) == shot.kill_number), 0)
