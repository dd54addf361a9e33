"""Cues of events whose class does not declare its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.events import DiceRolled
from engine.kit.present.cues import Cues, roll
from engine.rulesets.one_page.rules import attacks, damage, mines, morale, powers, rounds
from engine.rulesets.one_page.state import events, names
from engine.rulesets.one_page.state.state import GONE, TABLE, Battle
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Cue
from protocol.text import Text, text

DICE: Final = {
    attacks.HIT: ("OP-SHOOT-02", "hits"),
    attacks.HIT_AGAIN: ("OP-SR-11", "hits"),
    attacks.IGNORE: ("OP-SR-01", "stopped"),
    attacks.BLOCK: ("OP-SHOOT-03", "blocked"),
    attacks.BLOCK_AGAIN: ("OP-SR-12", "blocked"),
    damage.DAMAGE: ("OP-VEH-05", ""),
    morale.MORALE: ("", "test"),
    mines.MINES: ("OP-OPEN-15", ""),
    powers.POWER: ("OP-SR-14", ""),
    rounds.ROLL_OFF: ("OP-SETUP-03", ""),
    rounds.RESERVES: ("OP-SR-02", ""),
}
"""The rule of a roll by its purpose, and the words for what it came to (`op.roll`)."""
WHY_RULES: Final = {"killed": "OP-SHOOT-04", "routed": "OP-MOR-03", "lost": "OP-SR-22"}


cues: Final = Cues[Battle](
    {
        **dict.fromkeys(("unit", "target", "host", "vessel", "attacker", "defender"), names.unit),
        "seat": names.army,
        "power": lambda state, id: names.power(id),
    },
    lambda state, unit: state.units[unit].owner,
)


def _nodes(state: Battle, *units: GroupId) -> tuple[NodeId, ...]:
    return tuple([names.group_node(unit) for unit in units if unit and state.units[unit].in_play])


@cues.of(DiceRolled)
def _rolled(event: DiceRolled, before: Battle, after: Battle) -> Iterator[Cue]:
    if event.purpose.startswith("op.dice.shape"):
        return
    rule, outcome = DICE.get(event.purpose, ("", ""))
    yield roll(event, "op.", names.army(after, event.seat), rule, _outcome(event, outcome))


def _outcome(event: DiceRolled, key: str) -> tuple[Text, ...]:
    """Return what a roll came to, in the words of its purpose; nothing where none are its own."""
    count = sum(event.low <= face <= event.high for face in event.faces)
    if key == "test":
        return (text("op.roll.passed" if count else "op.roll.failed"),)
    return (text(f"op.roll.{key}", count=count, dice=len(event.faces)),) if key else ()


@cues.of(events.RoundStarted)
def _round(event: events.RoundStarted, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.round", round=after.round, army=names.army(after, event.first))
    yield Cue("card", line, "OP-ACT-02", event.first)
    for seat, dice in enumerate(event.dice):
        if dice:
            line = text("op.log.power_dice", army=names.army(after, seat), dice=dice)
            yield Cue("note", line, "OP-SR-14", seat)


@cues.of(events.Activated)
def _activated(event: events.Activated, before: Battle, after: Battle) -> Iterator[Cue]:
    if event.action in ("hold", "idle"):
        line = text(f"op.log.{event.action}", unit=names.unit(after, event.unit))
        yield Cue("note", line, "OP-ACT-03", after.units[event.unit].owner, _nodes(after, event.unit))


@cues.of(events.BlowStruck)
def _blow(event: events.BlowStruck, before: Battle, after: Battle) -> Iterator[Cue]:
    blow = event.blow
    line = text("op.log.blow", target=names.unit(after, blow.target), **names.told(after, blow))
    seat = after.units[blow.unit].owner if blow.unit else -1
    kind = "shot" if blow.kind == "shooting" else "combat"
    yield Cue(kind, line, "OP-SHOOT-05", seat, _nodes(after, blow.unit, blow.target))


@cues.of(events.Wounded)
def _wounded(event: events.Wounded, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.wounded", unit=names.unit(after, event.unit), wounds=sum(event.wounds.values()))
    yield Cue("casualty", line, "OP-SR-21", after.units[event.unit].owner, tuple(map(names.piece_node, event.wounds)))


@cues.of(events.ModelsRemoved)
def _removed(event: events.ModelsRemoved, before: Battle, after: Battle) -> Iterator[Cue]:
    unit = after.units[event.unit]
    name, count = names.unit(after, unit.id), len(event.figures)
    pieces = tuple(map(names.piece_node, event.figures)) if before.units[unit.id].where == TABLE else ()
    line = text(f"op.log.removed.{event.why}", unit=name, count=count, left=len(unit.figures))
    yield Cue("casualty", line, WHY_RULES.get(event.why, "OP-GEN-02"), unit.owner, pieces)
    if unit.where == GONE:
        yield Cue("casualty", text("op.log.gone", unit=name), "OP-GEN-02", unit.owner)
