"""Names that people read, and node ids, the same in scene, prompts, cues and result."""

from __future__ import annotations

from engine.core.rules.node_ids import (
    feature_node as feature_node,
    figure_of as figure_of,
    group_node as group_node,
    group_of as group_of,
    local_id,
    piece_node as piece_node,
)
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId, NodeId
from protocol.text import Text


def hidden_node(figure: FigureId) -> NodeId:
    """Return the node id of a figure in its side's scene while it is hidden: its public one is new when it is
    revealed."""
    return NodeId(f"piece/hidden.{figure}")


def strength(state: Battle, group: NodeId) -> int:
    """Return the number of figures of a unit."""
    unit = state.units.get(group_of(group))
    return len(unit.figures) if unit is not None else 0


def army(state: Battle, seat: int) -> Text:
    """Name the force of a seat, with the seat's number where several have the same faction."""
    name = Text(state.resolved.forces[seat].name)
    return Text("ae.name.army", {"army": name, "number": seat + 1}) if _are_alike(state) else name


def _are_alike(state: Battle) -> bool:
    forces = state.resolved.forces
    return len({force.faction for force in forces}) < len(forces)


def unit(state: Battle, id: GroupId) -> Text:
    """Name a unit with its number in the list, after the seat's number where several have the same faction."""
    found = state.units[id]
    number = found.number if found.team < 0 else f"{found.number}{'abcdef'[found.team]}"
    told: dict[str, str | int | Text] = {"unit": Text(state.profile(found).name), "number": number}
    if _are_alike(state):
        return Text("ae.name.unit_of", {**told, "seat": found.owner + 1})
    return Text("ae.name.unit", told)


def figure(state: Battle, id: FigureId) -> Text:
    """Name a figure by its part in its unit, a vehicle by its profile."""
    found = state.figures[id]
    own = state.figure_profile(found)
    return Text(own.name if own is not None else state.resolved.forces[found.owner].units[found.entry].name)


def feature(state: Battle, id: str) -> Text:
    """Name a piece of terrain by its kind."""
    kind = next((one.kind for one in state.features if one.id == id), "")
    return Text(state.resolved.terrain[kind].name) if kind else Text("ae.name.ground")


def node(state: Battle, node: NodeId) -> Text:
    """Name a seat, unit, figure or piece of terrain by the id of its node."""
    kind, own = node.partition("/")[0], local_id(node)
    if kind == "seat":
        return army(state, int(own))
    if kind == "piece":
        return figure(state, FigureId(own.removeprefix("hidden.")))
    return unit(state, GroupId(own)) if kind == "group" else feature(state, own)
