"""Cues of close combat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.rulesets.action_cards.rules.board import hth, table
from engine.rulesets.action_cards.state import hth_events, names
from engine.rulesets.action_cards.view import dice_shown
from protocol.scene.nodes import Cue
from protocol.text import text

if TYPE_CHECKING:
    from engine.rulesets.action_cards.state.model import Point
    from engine.rulesets.action_cards.state.state import Skirmish, Strike
    from protocol.text import Text

Told = Callable[[Any, "Skirmish", "Skirmish"], Iterator[Cue]]


def _begun(event: hth_events.CombatBegun, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    combat = event.combat
    charged = [id for id in combat.groups if id in combat.charged]
    others = [id for id in combat.groups if id not in combat.charged]
    about = tuple(map(names.group_id, combat.groups))
    attackers, defenders = names.group(after, (charged or others)[0]), names.group(after, (others or charged)[-1])
    line = text("log.combat.begun", group=attackers, rival=defenders)
    if combat.defended:
        held = names.feature(after, combat.defended)
        line = text("log.combat.begun_at", group=attackers, rival=defenders, feature=held)
    yield Cue("combat", line, "AC-HTH-01", about=about)


def _joined(event: hth_events.CombatJoined, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    line = text("log.combat.joined", group=names.group(after, event.group))
    owner = after.groups[event.group].owner
    yield Cue("combat", line, "AC-HTH-03", owner, (names.group_id(event.group),), event.path or ())


def _struck(event: hth_events.CombatStruck, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    struck, combat = event.strike, hth_events.combat_by_id(after, event.combat)
    line = _blow("log.combat.struck", after, struck)
    parts = dice_shown.fighters(after, combat, struck.seat)
    about = tuple(map(names.group_id, combat.groups))
    yield Cue("dice", line, "AC-HTH-04", struck.seat, about, dice=dice_shown.strike(after, struck, parts))


def _fire(event: hth_events.FireFell, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    struck, combat = event.strike, hth_events.combat_by_id(after, event.combat)
    line = _blow("log.combat.fire", after, struck)
    about = tuple(map(names.group_id, combat.groups))
    dice = dice_shown.strike(after, struck, purpose="dice.shooting")
    yield Cue("dice", line, "AC-HTH-03", struck.seat, about, dice=dice)


def _blow(key: str, state: Skirmish, struck: Strike) -> Text:
    """Build the line of a strike: striker, target, and all figures that fall."""
    kills = sum(struck.kills.values())
    ends = {"faction": names.faction(state, struck.seat), "rival": names.faction(state, struck.target)}
    return text(key, **ends, kills=kills) if kills else text(f"{key}.none", **ends)


def _took_ground(event: hth_events.GroundTaken, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    group = after.groups[event.group]
    line = text("log.combat.ground", group=names.group(after, group.id), feature=names.feature(after, event.feature))
    yield Cue("move", line, "AC-HTH-05", group.owner, (names.group_id(group.id),), _way(before, after, event.group))


def _retreated(event: hth_events.GroupRetreated, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    group = after.groups[event.group]
    line = text("log.combat.retreat", group=names.group(after, group.id))
    yield Cue("move", line, "AC-HTH-05", group.owner, (names.group_id(group.id),), _way(before, after, event.group))


def _way(before: Skirmish, after: Skirmish, group: str) -> tuple[Point, ...]:
    return table.centre(before, group), table.centre(after, group)


def _over(event: hth_events.CombatEnded, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    combat = hth_events.combat_by_id(before, event.combat)
    left = hth.factions_in(before, combat)
    if event.why == "won" and left:
        yield Cue("combat", text("log.combat.won", faction=names.faction(before, left[0])), "AC-HTH-05", left[0])
    else:
        key = "log.combat.nobody" if event.why == "nobody" else "log.combat.apart"
        yield Cue("combat", text(key), "AC-HTH-05")


TOLD: Final[Mapping[type, Told]] = {
    hth_events.CombatBegun: _begun,
    hth_events.CombatJoined: _joined,
    hth_events.CombatStruck: _struck,
    hth_events.FireFell: _fire,
    hth_events.GroundTaken: _took_ground,
    hth_events.GroupRetreated: _retreated,
    hth_events.CombatEnded: _over,
}
