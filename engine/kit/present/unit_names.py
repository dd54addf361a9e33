"""Names that people read of armies, their units, and terrain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from engine.core.rules.node_ids import group_of, local_id
from protocol.ids import GroupId, NodeId
from protocol.text import Text

S = TypeVar("S", bound=Any)


class UnitNames(Generic[S]):
    """The names of a game in which the forces of seats (`resolved.forces`) have numbered `units` on `features` of kinds
    (`resolved.terrain`).

    `words`: the start of the text keys WORDSname.army, .unit, .unit_of and .ground. `faction`: what two forces are
    alike in; `unit_name`: the name and number of a unit; `others`: names of what has nodes beside seats, units and
    terrain, by the kind of the node and its own part of the id.
    """

    def __init__(
        self,
        words: str,
        faction: Callable[[Any], str],
        unit_name: Callable[[S, Any], tuple[str, int | str]],
        others: Mapping[str, Callable[[S, str], Text]] | None = None,
    ) -> None:
        self._words = f"{words}name"
        self._faction = faction
        self._unit_name = unit_name
        self._others = others or {}

    def _are_alike(self, state: S) -> bool:
        forces = state.resolved.forces
        return len(set(map(self._faction, forces))) < len(forces)

    def strength(self, state: S, group: NodeId) -> int:
        """Return the number of figures of a unit, 0 where there is none."""
        unit = state.units.get(group_of(group))
        return len(unit.figures) if unit is not None else 0

    def army(self, state: S, seat: int) -> Text:
        """Name the army of a seat, with the seat's number where several have the same."""
        name = Text(state.resolved.forces[seat].name)
        return Text(f"{self._words}.army", {"army": name, "number": seat + 1}) if self._are_alike(state) else name

    def unit(self, state: S, id: GroupId) -> Text:
        """Name a unit with its number in the army, after the seat's number where several have the same army."""
        found = state.units[id]
        name, number = self._unit_name(state, found)
        told: dict[str, str | int | Text] = {"unit": Text(name), "number": number}
        if self._are_alike(state):
            return Text(f"{self._words}.unit_of", {**told, "seat": found.owner + 1})
        return Text(f"{self._words}.unit", told)

    def feature(self, state: S, id: str) -> Text:
        """Name a piece of terrain by its kind, open ground where there is no such piece."""
        kind = next((feature.kind for feature in state.features if feature.id == id), "")
        return Text(state.resolved.terrain[kind].name) if kind else Text(f"{self._words}.ground")

    def node(self, state: S, node: NodeId) -> Text:
        """Name a seat by its army, a unit, a piece of terrain or one of the others by the id of its node."""
        kind, own = node.partition("/")[0], local_id(node)
        if kind in self._others:
            return self._others[kind](state, own)
        if kind == "seat":
            return self.army(state, int(own))
        return self.unit(state, GroupId(own)) if kind == "group" else self.feature(state, own)
