"""Random tables: terrain that a scenario leaves to the match's dice, laid so that every goal can still be reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.kit.terrain import scatter
from engine.kit.terrain.passability import Passability
from engine.rulesets.action_cards.state.event_facts import TableLaid
from engine.rulesets.action_cards.state.model import Feature, Scenario, Terrain
from engine.rulesets.action_cards.state.state import Skirmish

PURPOSE: Final = "order.table"
CLEAR_OF_STARTS: Final = 150


@implements("AC-SETUP-01")
def passability(scenario: Scenario, terrain: Mapping[str, Terrain]) -> Passability:
    """Return the ways on a table. Goals are the zones, and the features that conditions and special actions name."""
    conditions = [c for role in scenario.roles for c in role.conditions]
    named = {special.feature for special in scenario.specials}
    named |= {condition.feature for condition in (*conditions, *scenario.secrets)}
    goals = [f.outline for f in scenario.features if f.id in named] + [zone.outline for zone in scenario.zones]
    walls = [f.outline for f in scenario.features if terrain[f.kind].is_wall]
    return Passability(scenario.size, tuple([role.start for role in scenario.roles]), tuple(goals), tuple(walls))


@implements("AC-SETUP-01")
def lay(game: Game[Skirmish]) -> None:
    """Lay the pieces that the scenario leaves to chance."""
    resolved = game.state.resolved
    ways = passability(resolved.scenario, resolved.terrain)
    bare = scatter.Bare(ways, tuple([f.outline for f in resolved.scenario.features]), CLEAR_OF_STARTS)
    laid = scatter.lay(game, bare, resolved.scenario.scatter, lambda one: resolved.terrain[one.kind].is_wall, PURPOSE)
    features = [
        Feature(f"{one.id}_{n}", one.kind, one.name, piece.outline, piece.side_middles if one.doors else ())
        for one, pieces in laid
        for n, piece in enumerate(pieces, 1)
    ]
    game.emit(TableLaid(tuple(features)))
