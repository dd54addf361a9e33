"""Cues of close combat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.present.cues import Tellers
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.state import combat_events, names
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish, Strike
from engine.rulesets.action_cards.view import cue_events, dice_captions
from protocol.ids import GroupId
from protocol.scene.nodes import Cue
from protocol.text import Text, text

cues: Final = Tellers[Skirmish]()


@cues.of(combat_events.CombatBegun)
def _begun(event: combat_events.CombatBegun, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    combat = event.combat
    charged = [id for id in combat.groups if id in combat.charged]
    others = [id for id in combat.groups if id not in combat.charged]
    about = tuple(map(names.group_node, combat.groups))
    attackers, defenders = names.group(after, (charged or others)[0]), names.group(after, (others or charged)[-1])
    line = text("log.combat.begun", group=attackers, rival=defenders)
    if combat.defended:
        held = names.feature(after, combat.defended)
        line = text("log.combat.begun_at", group=attackers, rival=defenders, feature=held)
    yield Cue("combat", line, "AC-HTH-01", about=about)


@cues.of(combat_events.CombatStruck)
def _struck(event: combat_events.CombatStruck, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    struck, combat = event.strike, combat_events.combat_by_id(after, event.combat)
    line = _blow("log.combat.struck", after, struck)
    parts = dice_captions.fighters(after, combat, struck.seat)
    about = tuple(map(names.group_node, combat.groups))
    yield Cue("dice", line, "AC-HTH-04", struck.seat, about, dice=dice_captions.strike(after, struck, parts))


@cues.of(combat_events.FireFell)
def _fire(event: combat_events.FireFell, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    struck, combat = event.strike, combat_events.combat_by_id(after, event.combat)
    line = _blow("log.combat.fire", after, struck)
    about = tuple(map(names.group_node, combat.groups))
    dice = dice_captions.strike(after, struck, purpose="dice.shooting")
    yield Cue("dice", line, "AC-HTH-03", struck.seat, about, dice=dice)


def _blow(key: str, state: Skirmish, struck: Strike) -> Text:
    kills = sum(struck.kills.values())
    ends = {"faction": names.faction(state, struck.seat), "rival": names.faction(state, struck.target)}
    return text(key, **ends, kills=kills) if kills else text(f"{key}.none", **ends)


@cues.of(combat_events.GroundTaken)
def _took_ground(event: combat_events.GroundTaken, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    line = text("log.combat.ground", group=names.group(after, event.group), feature=names.feature(after, event.feature))
    yield cue_events.moved(after, event.group, line, _way(before, after, event.group), "AC-HTH-05")


@cues.of(combat_events.GroupRetreated)
def _retreated(event: combat_events.GroupRetreated, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    line = text("log.combat.retreat", group=names.group(after, event.group))
    yield cue_events.moved(after, event.group, line, _way(before, after, event.group), "AC-HTH-05")


def _way(before: Skirmish, after: Skirmish, group: GroupId) -> tuple[Point, ...]:
    return table.board(before).standing[group].centre, table.board(after).standing[group].centre


@cues.of(combat_events.CombatEnded)
def _over(event: combat_events.CombatEnded, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    combat = combat_events.combat_by_id(before, event.combat)
    left = combats.factions_in(before, combat)
    if event.why == "won" and left:
        yield Cue("combat", text("log.combat.won", faction=names.faction(before, left[0])), "AC-HTH-05", left[0])
    else:
        key = "log.combat.nobody" if event.why == "nobody" else "log.combat.apart"
        yield Cue("combat", text(key), "AC-HTH-05")
