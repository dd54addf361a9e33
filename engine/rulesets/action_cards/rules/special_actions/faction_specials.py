"""Special actions of factions beside burrowing: dig in, demolish, mend, daunt (AC-SPEC-01)."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.core.rules.errors import is_legal
from engine.kit.rules import Game, forbid, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.rules.special_events import event_arrivals
from engine.rulesets.action_cards.state.event_facts import FeatureRuined, GroupDugIn
from engine.rulesets.action_cards.state.events import FeatureCleared, GroupStunned
from engine.rulesets.action_cards.state.model import Special
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId

DIG_IN: Final = "dig_in"
MEND: Final = "mend"
DAUNT: Final = "daunt"
DEMOLISH: Final = "demolish"
EFFECTS: Final = frozenset({DIG_IN, MEND, DAUNT, DEMOLISH})
AIMED: Final = frozenset({DAUNT, DEMOLISH})
"""Those that need a group or a feature that they are about."""
RUINS: Final = frozenset({"building"})
"""Kinds of terrain of which rubble is left; other kinds are gone."""
BLOWN_UP: Final = frozenset({"building", "wall", "wooden_fence", "wire_fence"})


@implements("AC-SPEC-01")
def check_group(state: Skirmish, special: Special, group: GroupId) -> None:
    """Check that the group could do this now, whatever its target. Raises IllegalIntent."""
    forbid(special.effect == DIG_IN and state.groups[group].dug, "special/dug-in")
    forbid(special.effect == MEND and not event_arrivals.lacking(state, group), "special/nobody-missing")
    forbid(special.effect in AIMED and not targets(state, special, group), "special/no-target")


@implements("AC-SPEC-01")
def targets(state: Skirmish, special: Special, group: GroupId) -> tuple[str, ...]:
    """Return the possible targets: groups in its fire, or works within an inch that no special action needs."""
    if special.effect == DAUNT:
        return tuple(other for other in state.groups if _could_shoot(state, group, other))
    # called for each group of a seat at each prompt, and most have not moved
    return table.board(state).standing[group].get("blown_up", (), partial(_within_reach, state, group))


def _within_reach(state: Skirmish, group: GroupId) -> tuple[str, ...]:
    works = [feature.id for feature in table.free_features(state) if feature.kind in BLOWN_UP]
    return tuple([id for id in works if any(_at(state, id, figure) for figure in state.groups[group].figures)])


@implements("AC-SPEC-01")
def carry_out(game: Game[Skirmish], special: Special, group: GroupId, about: str) -> None:
    """Carry out the effect of a success; nothing for effects that only count."""
    match special.effect:
        case "dig_in":
            game.emit(GroupDugIn(group))
        case "mend":
            event_arrivals.replace_losses(game, group, 1)
        case "daunt":
            game.emit(GroupStunned(GroupId(about)))
        case "demolish":
            ruined = table.kind(game.state, about).id in RUINS and table.RUBBLE in game.state.resolved.terrain
            game.emit(FeatureRuined(about) if ruined else FeatureCleared(about))


def _could_shoot(state: Skirmish, group: GroupId, target: GroupId) -> bool:
    aim, owner = state.groups[target], state.groups[group].owner
    if aim.stunned or not state.hostile(aim.owner, owner) or combats.combat_of(state, target) is not None:
        return False
    if not table.sight(state, group, target).clear:  # the usual case, and a refusal costs more than this check
        return False
    return is_legal(lambda: shooting.check_aim(state, owner, group, target))


def _at(state: Skirmish, feature: str, figure: FigureId) -> bool:
    base = table.base(state, figure)
    scenery = table.board(state).scenery
    if table.kind(state, feature).line:
        return combats.is_at(scenery.barrier(feature), base)
    return combats.is_at_edge(scenery.area(feature), base)
