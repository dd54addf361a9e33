"""Cues of each event: a running commentary, with dice, paths and rule ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.rulesets.one_page.rules import attacks, damage, moving, psychic, rounds
from engine.rulesets.one_page.state import events, names, placing_events
from engine.rulesets.one_page.state.state import GONE, JOINED, TABLE, Battle
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Cue, Dice
from protocol.text import Text, text

Teller = Callable[[Any, "Battle", "Battle"], Iterator[Cue]]
RULES: Final = {
    attacks.HIT: "OP-SHOOT-02",
    attacks.HIT_AGAIN: "OP-SR-11",
    attacks.IGNORE: "OP-SR-01",
    attacks.BLOCK: "OP-SHOOT-03",
    attacks.BLOCK_AGAIN: "OP-SR-12",
    damage.DAMAGE: "OP-VEH-05",
    moving.MINES: "OP-OPEN-15",
    psychic.POWER: "OP-SR-14",
    rounds.ROLL_OFF: "OP-SETUP-03",
    rounds.RESERVES: "OP-SR-02",
}
HOW_RULES: Final = {
    "walk": "OP-ACT-03",
    "run": "OP-ACT-03",
    "assault": "OP-MELEE-01",
    "back": "OP-MELEE-05",
    "on": "OP-MELEE-05",
}
WHY_RULES: Final = {"killed": "OP-SHOOT-04", "routed": "OP-MOR-03", "lost": "OP-SR-22"}


def cues(event: Event[Battle] | CoreEvent, before: Battle, after: Battle) -> Iterable[Cue]:
    """Return the cues that everyone gets of an event."""
    told = _TELLERS.get(type(event))
    return told(event, before, after) if told else ()


def _nodes(state: Battle, *units: GroupId) -> tuple[NodeId, ...]:
    shown = [u for u in units if u and state.units[u].where not in (JOINED, GONE)]
    return tuple(map(names.group_node, shown))


def _rolled(event: DiceRolled, before: Battle, after: Battle) -> Iterator[Cue]:
    if event.purpose.startswith("op.dice.shape"):
        return
    line = text("op.log.dice", what=Text(event.purpose), army=names.army(after, event.seat), dice=len(event.faces))
    dice = Dice.of(event.id, Text(event.purpose), total=sum(event.faces))
    yield Cue("dice", line, RULES.get(event.purpose, ""), event.seat, dice=dice)


def _laid(event: placing_events.TerrainLaid, before: Battle, after: Battle) -> Iterator[Cue]:
    yield Cue("note", text("op.log.laid", count=len(event.features)), "OP-SETUP-02")


def _sides(event: placing_events.SidesTaken, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.side", army=names.army(after, event.seat), side=Text(f"op.side.{event.side}"))
    yield Cue("note", line, "OP-SETUP-03", event.seat)


def _placed(event: placing_events.UnitPlaced, before: Battle, after: Battle) -> Iterator[Cue]:
    unit = after.units[event.unit]
    line = text("op.log.placed", unit=names.unit(after, unit.id))
    yield Cue("move", line, "OP-SETUP-03", unit.owner, _nodes(after, unit.id))


def _kept(event: placing_events.UnitKept, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.kept", unit=names.unit(after, event.unit))
    yield Cue("note", line, "OP-SR-02", after.units[event.unit].owner)


def _joined(event: placing_events.UnitJoined, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.joined", unit=names.unit(after, event.unit), host=names.unit(after, event.host))
    yield Cue("note", line, "OP-UNIT-03", after.units[event.host].owner, _nodes(after, event.host))


def _boarded(event: placing_events.UnitBoarded, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.boarded", unit=names.unit(after, event.unit), vessel=names.unit(after, event.vessel))
    yield Cue("move", line, "OP-SR-22", after.units[event.unit].owner, _nodes(after, event.vessel))


def _landed(event: placing_events.UnitLanded, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.landed", unit=names.unit(after, event.unit))
    yield Cue("move", line, "OP-SR-22", after.units[event.unit].owner, _nodes(after, event.unit))


def _round(event: events.RoundStarted, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.round", round=after.round, army=names.army(after, event.first))
    yield Cue("card", line, "OP-ACT-02", event.first)
    for seat, dice in enumerate(event.dice):
        if dice:
            line = text("op.log.power_dice", army=names.army(after, seat), dice=dice)
            yield Cue("note", line, "OP-SR-14", seat)


def _activated(event: events.Activated, before: Battle, after: Battle) -> Iterator[Cue]:
    if event.action in ("hold", "idle"):
        line = text(f"op.log.{event.action}", unit=names.unit(after, event.unit))
        yield Cue("note", line, "OP-ACT-03", after.units[event.unit].owner, _nodes(after, event.unit))


def _moved(event: events.UnitMoved, before: Battle, after: Battle) -> Iterator[Cue]:
    unit = after.units[event.unit]
    line = text(f"op.log.moved.{event.how}", unit=names.unit(after, unit.id))
    yield Cue("move", line, HOW_RULES.get(event.how, "OP-MOVE-02"), unit.owner, _nodes(after, unit.id), event.way)


def _blow(event: events.BlowStruck, before: Battle, after: Battle) -> Iterator[Cue]:
    blow = event.blow
    line = text(
        "op.log.blow",
        target=names.unit(after, blow.target),
        weapon=names.blow(after, blow),
        hits=blow.hits,
        stopped=blow.stopped,
        blocked=blow.blocked,
        wounds=blow.wounds,
    )
    seat = after.units[blow.unit].owner if blow.unit else -1
    kind = "shot" if blow.kind == "shooting" else "combat"
    yield Cue(kind, line, "OP-SHOOT-05", seat, _nodes(after, blow.unit, blow.target))


def _wounded(event: events.Wounded, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.wounded", unit=names.unit(after, event.unit), wounds=sum(event.wounds.values()))
    yield Cue("casualty", line, "OP-SR-21", after.units[event.unit].owner, tuple(map(names.piece_node, event.wounds)))


def _removed(event: events.ModelsRemoved, before: Battle, after: Battle) -> Iterator[Cue]:
    unit = after.units[event.unit]
    name, count = names.unit(after, unit.id), len(event.figures)
    pieces = tuple(map(names.piece_node, event.figures)) if before.units[unit.id].where == TABLE else ()
    line = text(f"op.log.removed.{event.why}", unit=name, count=count, left=len(unit.figures))
    yield Cue("casualty", line, WHY_RULES.get(event.why, "OP-GEN-02"), unit.owner, pieces)
    if unit.where == GONE:
        yield Cue("casualty", text("op.log.gone", unit=name), "OP-GEN-02", unit.owner)


def _morale(event: events.MoraleTested, before: Battle, after: Battle) -> Iterator[Cue]:
    key = "op.log.morale.passed" if event.passed else "op.log.morale.failed"
    line = text(key, unit=names.unit(after, event.unit), why=Text(f"op.morale.{event.why}"))
    yield Cue("note", line, "OP-MOR-02", after.units[event.unit].owner, _nodes(after, event.unit))


def _state(key: str, rule: str) -> Teller:
    def tell(event: Any, before: Battle, after: Battle) -> Iterator[Cue]:
        line = text(key, unit=names.unit(after, event.unit))
        yield Cue("note", line, rule, after.units[event.unit].owner, _nodes(after, event.unit))

    return tell


def _damage(event: events.DamageRolled, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text("op.log.damage", unit=names.unit(after, event.unit), side=Text(f"op.hit.{event.side}"), face=event.face)
    yield Cue("note", line, "OP-VEH-05", after.units[event.unit].owner, _nodes(after, event.unit))


def _power(event: events.PowerTried, before: Battle, after: Battle) -> Iterator[Cue]:
    key = "op.log.power.works" if event.works else "op.log.power.fails"
    line = text(
        key, unit=names.unit(after, event.unit), power=names.power(event.power), target=names.unit(after, event.target)
    )
    yield Cue("note", line, "OP-SR-14", event.seat, _nodes(after, event.unit, event.target))


def _melee(event: events.MeleeFought, before: Battle, after: Battle) -> Iterator[Cue]:
    line = text(
        "op.log.melee",
        attacker=names.unit(after, event.attacker),
        defender=names.unit(after, event.defender),
        caused=event.caused,
        suffered=event.suffered,
    )
    yield Cue("combat", line, "OP-MELEE-04", after.units[event.attacker].owner)


def _over(event: events.BattleEnded, before: Battle, after: Battle) -> Iterator[Cue]:
    yield Cue("end", Text(f"op.ended.{event.why}"), "OP-SETUP-04")


_TELLERS: Final[Mapping[type, Teller]] = {
    DiceRolled: _rolled,
    placing_events.TerrainLaid: _laid,
    placing_events.SidesTaken: _sides,
    placing_events.UnitPlaced: _placed,
    placing_events.UnitKept: _kept,
    placing_events.UnitJoined: _joined,
    placing_events.UnitBoarded: _boarded,
    placing_events.UnitLanded: _landed,
    events.RoundStarted: _round,
    events.Activated: _activated,
    events.UnitMoved: _moved,
    events.BlowStruck: _blow,
    events.Wounded: _wounded,
    events.ModelsRemoved: _removed,
    events.MoraleTested: _morale,
    events.Pinned: _state("op.log.pinned", "OP-MOR-02"),
    events.Rallied: _state("op.log.rallied", "OP-OPEN-14"),
    events.Shaken: _state("op.log.shaken", "OP-VEH-05"),
    events.Tracked: _state("op.log.tracked", "OP-VEH-05"),
    events.DamageRolled: _damage,
    events.PowerTried: _power,
    events.Affected: _state("op.log.affected", "OP-OPEN-14"),
    events.MeleeFought: _melee,
    events.BattleEnded: _over,
}
