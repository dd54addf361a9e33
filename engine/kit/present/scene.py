"""Scenes: sections that follow fields of the state, the nodes that all systems show, and tables of statuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.core.rules.node_ids import sheet_node
from engine.core.rules.system import Part, PartOrSection, Section
from engine.kit.terrain.ground import FeatureKind, LaidFeature
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Feature, SeatNode, Sheet
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
