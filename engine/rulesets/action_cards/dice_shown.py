"""Dice as they are shown: where they came from, what they were for, what they meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from engine.core.events import DiceRolled
from engine.rulesets.action_cards import actions, cover, names, specials, table, transports
from protocol.scene import Dice
from protocol.text import Text, text

if TYPE_CHECKING:
    from engine.rulesets.action_cards.state import Burst, Combat, Skirmish, Strike, Volley

SIDES: Final = 6


def volley(state: Skirmish, shot: Volley) -> Dice:
    """A shot before its casualties fall."""
    total = sum(shot.faces)
    firing = [id for id in shot.groups if id in state.groups]
    parts = weapons(state, firing)
    if sum(actions.dice_of(state, id) for id in firing) < len(shot.faces):
        parts = (*parts, text("part.linked", dice=len(shot.faces)))
    reasons = [text("reason.kill_number", number=shot.kill_number)]
    reasons.append(_kills(state, shot, total))
    return Dice(text("dice.shooting"), shot.seat, SIDES, shot.faces, parts, tuple(reasons), total)


def struck(state: Skirmish, shot: Volley) -> Dice:
    """The dice of a Special Event against a group, before its casualties fall."""
    total = sum(shot.faces)
    reasons = (text("reason.kill_number", number=shot.kill_number), _kills(state, shot, total))
    return Dice(text("dice.event"), shot.seat, SIDES, shot.faces, (), reasons, total)


def _kills(state: Skirmish, shot: Volley, total: int) -> Text:
    all_fall = shot.target in state.groups and shot.kills >= len(state.groups[shot.target].figures)
    lost = total - shot.kills * shot.kill_number
    return text("reason.all_fall" if all_fall and shot.kills else "reason.kills", kills=shot.kills, lost=lost)


def burst(state: Skirmish, fell: Burst) -> Dice:
    """A blast before its casualties fall."""
    reasons = [
        text("reason.burst", group=names.group(state, id), number=fell.numbers[id], kills=falls)
        for id, falls in fell.falls.items()
    ]
    parts = weapons(state, (fell.group,), blast=True) if fell.group in state.groups else ()
    told = tuple(reasons) or (text("reason.none"),)
    return Dice(text("dice.shooting"), fell.seat, SIDES, fell.faces, parts, told, sum(fell.faces))


def weapons(state: Skirmish, groups: Iterable[str], blast: bool = False) -> tuple[Text, ...]:
    """What these groups shoot with, blast weapons or the others: "two rifles 1D6"."""
    count: Counter[tuple[str, int]] = Counter()
    for group in groups:
        known = {weapon.id: weapon for weapon in state.faction(state.groups[group].owner).weapons}
        carried = [id for figure in state.groups[group].figures for id in table.profile(state, figure).weapons]
        for id in (*carried, *(gun.weapon for gun in table.served_guns(state, group))):
            if known[id].blast is blast:
                count[known[id].name, known[id].dice] += 1
    return tuple(
        text("part.weapon", count=number, weapon=Text(name), dice=dice) for (name, dice), number in count.items()
    )


def fighters(state: Skirmish, combat: Combat, seat: int) -> tuple[Text, ...]:
    """Who of a faction fights hand to hand, with how many dice each."""
    count: Counter[tuple[str, int]] = Counter()
    for id in combat.groups:
        if id in state.groups and state.groups[id].owner == seat:
            for figure in state.groups[id].figures:
                profile = table.profile(state, figure)
                count[profile.name, profile.close] += 1
    return tuple(
        text("part.fighter", count=number, figure=Text(name), dice=dice) for (name, dice), number in count.items()
    )


def strike(state: Skirmish, struck: Strike, parts: tuple[Text, ...] = (), purpose: str = "dice.close_combat") -> Dice:
    """Dice in a combat, or into one, and who falls to them."""
    reasons = tuple(
        text("reason.falls", faction=names.faction(state, seat), kills=kills)
        for seat, kills in struck.kills.items()
        if kills
    ) or (text("reason.none"),)
    total = sum(struck.faces)
    if len(struck.kills) > 1:
        named = text("reason.even_odd", faction=names.faction(state, struck.target))
        reasons = (named, *reasons)
    return Dice(Text(purpose), struck.seat, SIDES, struck.faces, parts, reasons, total)


def action_roll(event: DiceRolled) -> Dice:
    """The dice of an action roll: one 6 is enough."""
    success = specials.SUCCESS in event.faces
    reason = text("reason.six" if success else "reason.no_six")
    return Dice(text("dice.action_roll"), event.seat, event.sides, event.faces, (), (reason,), 0)


def bail_out(event: DiceRolled) -> Dice:
    """The dice of who gets out of a wreck: low ones do not."""
    lost = sum(face <= transports.WORST for face in event.faces)
    reason = text("reason.bail_out", worst=transports.WORST, lost=lost)
    return Dice(text("dice.bail_out"), event.seat, event.sides, event.faces, (), (reason,), 0)


def protection(state: Skirmish, shot: Volley) -> Text:
    """The cover class that the target had against this shot."""
    kill = table.kill_of(state, shot.target)
    found = next((c for c in cover.CLASSES if kill.number(c) == shot.kill_number), cover.CLASSES[0])
    return Text(f"cover.{found}")
