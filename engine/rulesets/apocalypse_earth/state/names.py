"""Names that people read, and node ids, the same in scene, prompts, cues and result."""

from __future__ import annotations

from typing import Final

from engine.core.rules.node_ids import (
    feature_node as feature_node,
    figure_of as figure_of,
    group_node as group_node,
    group_of as group_of,
    piece_node as piece_node,
)
from engine.kit.present.unit_names import UnitNames
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from protocol.ids import FigureId, NodeId
from protocol.text import Text


def hidden_node(figure: FigureId) -> NodeId:
    """Return the node id of a figure in its side's scene while it is hidden: its public one is new when it is
    revealed."""
    return NodeId(f"piece/hidden.{figure}")


def _unit_name(state: Battle, unit: Unit) -> tuple[str, int | str]:
    number = unit.number if unit.team < 0 else f"{unit.number}{'abcdef'[unit.team]}"
    return state.profile(unit).name, number


def figure(state: Battle, id: FigureId) -> Text:
    """Name a figure by its part in its unit, a vehicle by its profile."""
    found = state.figures[id]
    own = state.figure_profile(found)
    return Text(own.name if own is not None else state.resolved.forces[found.owner].units[found.entry].name)


def _piece(state: Battle, own: str) -> Text:
    return figure(state, FigureId(own.removeprefix("hidden.")))


_NAMES: Final = UnitNames[Battle]("ae.", lambda force: force.faction, _unit_name, {"piece": _piece})
strength, army, unit, feature, node = _NAMES.strength, _NAMES.army, _NAMES.unit, _NAMES.feature, _NAMES.node
