"""Scenes: sections that follow fields of the state, the nodes that all systems show, and tables of statuses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from engine.core.rules.node_ids import feature_node, group_node, piece_node, sheet_node
from engine.core.rules.record import PendingAction
from engine.core.rules.system import Part, PartOrSection, Section
from engine.kit.terrain.ground import FeatureKind, LaidFeature
from engine.kit.units import ABOARD, GONE, UnitTable
from protocol.ids import NodeId
from protocol.scene.nodes import (
    RESULT_NODE,
    TABLE_NODE,
    AnyNode,
    Feature,
    Group,
    Piece,
    Result,
    SeatNode,
    Sheet,
    StackItem,
    Table,
)
from protocol.text import Text

S = TypeVar("S")

OUT: Final = "out"
"""The status of a seat that has nothing left."""


def part(
    id: NodeId, key: tuple[object, ...], make: Callable[..., AnyNode], *arguments: object, **named: object
) -> Part:
    """Return a part of the scene: the node that `make` makes of these arguments, made again once an object in `key` is
    another one."""
    return Part(id, key, partial(make, *arguments, **named))


class Sections(Generic[S]):
    """The sections of a scene, in order: each with the fields of the state that decide what is in it, and its parts.
    One that nothing decides is looked at after every step."""

    def __init__(self, *sections: tuple[str, str, Callable[[S], Iterable[PartOrSection]]]) -> None:
        self._sections = [(id, fields.split(), parts) for id, fields, parts in sections]
        self._all: Callable[[S], tuple[object, ...]] = attrgetter(
            *dict.fromkeys(field for _, fields, _ in self._sections for field in fields)
        )

    def of(self, state: S) -> Section:
        """Return all of them as one section."""
        return Section("all", self._all(state), partial(self._each, state))

    def with_result(self, final: Callable[[S], Result]) -> Callable[[S], Iterator[PartOrSection]]:
        """Return the scene of these sections, and of the result once a state has `ended`: what `final` makes of it."""

        def public(state: Any) -> Iterator[PartOrSection]:
            """Yield the scene that everyone sees."""
            yield self.of(state)
            if state.ended:
                yield part(RESULT_NODE, (state.ended,), final, state)

        return public

    def _each(self, state: S) -> Iterator[Section]:
        for id, fields, parts in self._sections:
            yield Section(id, tuple([getattr(state, field) for field in fields]), partial(parts, state))


def _never(*subject: object) -> bool:
    return False


class Status(NamedTuple):
    """A word for a state that something may be in, in English ("" where players are not told of it), and when it
    holds. One without a condition is given by name."""

    word: str
    english: str
    holds: Callable[..., object] = _never


class Statuses:
    """A table of statuses, in the order in which they are shown."""

    def __init__(self, *table: tuple[str, str, Callable[..., object]] | tuple[str, str]) -> None:
        self._table = [Status(*row) for row in table]

    def of(self, *subject: object) -> tuple[str, ...]:
        """Return the words of those that hold of a subject, as their conditions take it."""
        return tuple([one.word for one in self._table if one.holds(*subject)])

    @property
    def words(self) -> tuple[str, ...]:
        """All words of the table."""
        return tuple([one.word for one in self._table])

    @property
    def english(self) -> Mapping[str, str]:
        """The words for players, by the keys of the catalogue."""
        return {f"status.{one.word}": one.english for one in self._table if one.english}


def feature(piece: LaidFeature, kind: FeatureKind, name: str, cover: str, states: tuple[str, ...]) -> Feature:
    """Return the node of a piece of terrain. `name`: a text's key."""
    return Feature(piece.outline, kind.id, Text(name), line=kind.line, cover=cover, blocks=kind.blocks, states=states)


def grounds(
    measure: str, make: Callable[[S, Any, Any], Feature], changed: Callable[[S], Collection[object]] = lambda state: ()
) -> Callable[[S], Iterator[Part]]:
    """Return the parts of a section: the table, told in `measure`, and each piece of terrain on it as `make` shows it,
    of the state, the piece and its kind. `changed`: the ids of those that look otherwise than they lie there."""

    def parts(state: Any) -> Iterator[Part]:
        scenario, kinds, others = state.resolved.scenario, state.resolved.terrain, changed(state)
        yield part(TABLE_NODE, (state.resolved,), Table, scenario.size, measure, scenario.ground)
        for piece in state.features:
            yield part(feature_node(piece.id), (piece, piece.id in others), make, state, piece, kinds[piece.kind])

    return parts


def units_of(
    is_there: Callable[[Any], bool],
    is_shown: Callable[[Any], bool],
    group: Callable[[S, Any, tuple[NodeId, ...]], Group],
    piece: Callable[[S, Any, Any, int], Piece],
    more: Callable[[S, Any], tuple[object, ...]],
) -> Callable[[S], Iterator[Section]]:
    """Return the sections of the units of a `UnitTable` that `is_there`: a group, and, of one that `is_shown`, its
    pieces. `group` makes it of the state, the unit and the ids of its pieces, `piece` one of the state, the unit, the
    figure and the count of figures aboard; `more`: what a group is made of beside its own unit, figures and riders."""

    def sections(state: Any) -> Iterator[Section]:
        aboard = [unit for unit in state.units.values() if unit.where == ABOARD]
        for unit in filter(is_there, state.units.values()):
            riders = [rider for rider in aboard if rider.vessel == unit.id]
            key = (unit, unit.id == state.acts, *more(state, unit), *riders, *state.members(unit))
            yield Section(f"unit/{unit.id}", key, partial(parts, state, unit, key, sum(len(r.figures) for r in riders)))

    def parts(state: Any, unit: Any, key: tuple[object, ...], riders: int) -> Iterator[Part]:
        pieces = tuple(map(piece_node, unit.figures)) if is_shown(unit) else ()
        yield part(group_node(unit.id), key, group, state, unit, pieces)
        for figure in state.members(unit) if pieces else ():
            own = (figure, figure.id == unit.leader, riders)
            yield part(piece_node(figure.id), own, piece, state, unit, figure, riders)

    return sections


def sheets_of(make: Callable[[S, int, int], Sheet]) -> Callable[[S], Iterator[Part]]:
    """Return the parts of a section: a sheet for each unit of each seat's force, "sheet/SEAT.ENTRY". They change with
    the content (`resolved`) alone."""

    def parts(state: Any) -> Iterator[Part]:
        for seat, force in enumerate(state.resolved.forces):
            for entry in range(len(force.units)):
                yield part(sheet_node(f"{seat}.{entry}"), (state.resolved,), make, state, seat, entry)

    return parts


def seat(
    name: Text, number: int, points: int, *, alive: bool, side: int = -1, scored: tuple[Text, ...] = ()
) -> SeatNode:
    """Return the node of a seat. `scored`: what its points are made of, one line each."""
    return SeatNode(name, number, points, alive, () if alive else (OUT,), side, scored=scored)


def on_stack(state: UnitTable[Any, Any], action: PendingAction, item: StackItem) -> StackItem:
    """Point at those units of an open action that are still there."""
    gone = {group_node(id) for id, unit in state.units.items() if unit.where == GONE}
    return replace(item, about=tuple([id for id in item.about if id not in gone]))
