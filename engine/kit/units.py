"""Units of seats on a table: what every state of such a game answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from engine.core.rules.advice import Counted
from engine.core.rules.audience import ALL, Seat
from engine.core.rules.errors import IllegalIntent, forbid
from engine.core.rules.game import Expecting, Game, Pending
from engine.core.rules.node_ids import group_node
from engine.core.rules.sides import allies_of
from engine.core.rules.system import Intent
from engine.kit.blanks import Draft
from engine.kit.seating import Seated
from protocol.ids import NO_GROUP, FigureId, GroupId, NodeId

TABLE: Final = "table"
ABOARD: Final = "aboard"
GONE: Final = "gone"


class AnyUnit(Protocol):
    """A unit; its leader is the first of its figures. `where`: TABLE, ABOARD, GONE or a word of the system's; `vessel`:
    the transport that it is aboard."""

    @property
    def id(self) -> GroupId: ...
    @property
    def owner(self) -> int: ...
    @property
    def figures(self) -> tuple[FigureId, ...]: ...
    @property
    def where(self) -> str: ...
    @property
    def vessel(self) -> GroupId: ...


@cache
def _changing(state: type[Any]) -> Callable[[Any], tuple[object, ...]]:
    return attrgetter(*[field for field in state.__struct_fields__ if field != "resolved"])


U = TypeVar("U", bound=AnyUnit)
F = TypeVar("F")


class UnitIntent(Intent, frozen=True):
    """Base of what a player wants of one unit."""

    unit: GroupId


class UnitTable(Seated, Generic[U, F]):
    """Units in the state of a match: a second base of it. It has `units` and `figures` by id, as `active` what the
    acting unit does, None while none acts, and as `placing` the units that the seat whose turn it is, `acting`, may
    place now."""

    __slots__ = ()

    if TYPE_CHECKING:
        units: Mapping[GroupId, U]
        figures: Mapping[FigureId, F]
        active: Any
        acting: int
        placing: Sequence[GroupId]

    @property
    def parts(self) -> tuple[object, ...]:
        """All that changes in a match: its fields but the content."""
        kind: Any = type(self)
        return _changing(kind)(self)

    @property
    def acts(self) -> GroupId:
        """The unit that acts; "" without one."""
        acts: GroupId = self.active.unit if self.active is not None else NO_GROUP
        return acts

    def members(self, unit: U) -> list[F]:
        """Return the figures of a unit, the leader first."""
        figures = self.figures
        return [figures[id] for id in unit.figures]

    def leader(self, unit: U) -> F:
        """Return the leader of a unit."""
        return self.figures[unit.figures[0]]

    def units_of(self, seat: int, *where: str) -> list[U]:
        """Return the units of a seat that are at one of these."""
        return [unit for unit in self.units.values() if unit.owner == seat and unit.where in where]

    def standing(self) -> Iterator[U]:
        """Yield the units on the table."""
        return (unit for unit in self.units.values() if unit.where == TABLE)

    def enemies(self, seat: int) -> list[U]:
        """Return the units on the table that are hostile to a seat."""
        own = allies_of(self.sides, seat)
        return [unit for unit in self.units.values() if unit.where == TABLE and unit.owner not in own]

    def to_place(self) -> list[U]:
        """Return the units that may be placed now."""
        return [self.units[id] for id in self.placing]

    def check_placing(self, seat: int, id: GroupId) -> U:
        """Return a unit that a seat may place now. Raises IllegalIntent."""
        forbid(self.acting != seat or id not in self.placing, "deploy/not-now")
        return self.units[id]

    def check_acting(self, seat: int, id: GroupId, *where: str, fights: bool) -> U:
        """Return a unit of a seat whose turn it is, at one of these if any are given, unless another acts. `fights`:
        units may act at all now. Raises IllegalIntent."""
        unit = self.units.get(id)
        forbid(not fights or self.acting != seat, "act/not-now")
        if unit is None or unit.owner != seat or (where and unit.where not in where):
            raise IllegalIntent("act/not-yours")
        forbid(self.active is not None and self.active.unit != id, "act/another-acts")
        return unit

    def check_foe(self, seat: int, id: GroupId, code: str) -> U:
        """Return a unit on the table that is hostile to a seat. Raises IllegalIntent, with this code, for any other."""
        unit = self.units.get(id)
        if unit is None or unit.where != TABLE or not self.hostile(unit.owner, seat):
            raise IllegalIntent(code)
        return unit

    def riders(self, vessel: GroupId) -> list[U]:
        """Return the units aboard a transport."""
        return [unit for unit in self.units.values() if unit.where == ABOARD and unit.vessel == vessel]


T = TypeVar("T", bound=UnitTable[Any, Any])


def declare(
    game: Game[T],
    kind: str,
    unit: GroupId,
    target: GroupId = NO_GROUP,
    expect: Expecting | None = None,
    **about: NodeId,
) -> Pending[T]:
    """Declare something that a unit does, to another unit if `target` is given, with what may be expected of it and
    with other nodes by their part in it; whoever carries it out resolves it."""
    aimed = {"target": group_node(target)} if target else {}
    seat = Seat(game.state.units[unit].owner)
    return game.declare(kind, seat, ALL, expect, **{"group": group_node(unit), **aimed, **about})


def losses(draft: Draft[Any]) -> Counted:
    """Return the losses to count of an act of the picked `unit` on the picked `target`: those of both."""
    return Counted((group_node(draft.group("target")),), group_node(draft.group("unit")))


def about(state: UnitTable[Any, Any], seat: Seat) -> tuple[NodeId, ...]:
    """Return the node of the acting unit."""
    return (group_node(state.acts),) if state.acts else ()


def raised(forces: Iterable[Iterable[int]]) -> Iterator[tuple[GroupId, int, int, tuple[FigureId, ...]]]:
    """Yield for each unit of the forces its id, its seat, its entry in the force, and the ids of its figures.

    `forces`: by seat, the numbers of figures of a force's units.
    """
    for seat, sizes in enumerate(forces):
        for entry, size in enumerate(sizes):
            id = GroupId(f"{seat}.{entry + 1}")
            yield id, seat, entry, tuple([FigureId(f"{id}.{place}") for place in range(1, size + 1)])
