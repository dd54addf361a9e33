"""The board: one arrangement of the groups of a match, with what has been worked out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial, wraps
from operator import attrgetter
from typing import Any, Concatenate, Final, Generic, ParamSpec, Protocol, TypeVar

from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.memo import Memo, are_same
from engine.core.rules.steps import Steps
from engine.kit.board.sightlines import Look, Sight, Sightlines
from engine.space.sight.lines import Formation, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.vectors.points import Point
from protocol.ids import GroupId

BOARD: Final[Callable[[Any], Memo]] = attrgetter("board")
"""Returns the memo of a state's arrangement, by which `kept` keeps, of a state that has it as its `board`."""


class Placed(Protocol):
    """A figure at its place."""

    @property
    def at(self) -> Point:
        """The place of its centre."""


F = TypeVar("F", bound=Placed)
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
G = TypeVar("G", bound=Placed, contravariant=True)


class Basing(Protocol[G]):
    """A system's way to stand figures on a board."""

    def bases(self, figures: Sequence[G]) -> Sequence[Base]:
        """Return the bases of a group's figures; some may share one."""

    def is_down(self, figure: G) -> bool:
        """Tell if a figure is on the ground, and so in what is there."""

    @property
    def look(self) -> Look:
        """The rule of sight."""


class Standing(Memo, Generic[F]):
    """A group where it stands, and the memo of what follows from its figures and the ground alone: the same object
    while neither changes."""

    def __init__(self, id: GroupId, figures: tuple[F, ...], ground: Scenery, basing: Basing[F]) -> None:
        super().__init__()
        self.figures = figures
        self.ground = ground
        self.formation: Formation = formation(id, basing.bases(figures))
        self._basing = basing

    @cached_property
    def inside(self) -> dict[str, int]:
        """Count of its figures in each area that holds any; a figure is in one when its centre is."""
        counts: dict[str, int] = {}
        for figure in self.figures:
            for area in self.ground.areas_at(figure.at) if self._basing.is_down(figure) else ():
                counts[str(area)] = counts.get(str(area), 0) + 1
        return counts

    @cached_property
    def centre(self) -> Point:
        """Mean of its bases' centres, rounded down."""
        points = self.formation.centres
        return sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)


def _standing(
    id: GroupId, figures: tuple[F, ...], ground: Scenery, basing: Basing[F], last: Standing[F] | None
) -> Standing[F]:
    """Return a group where it stands: the same object as on the last board, if it stands as it did there."""
    if last is not None and last.ground is ground and are_same(last.figures, figures):
        return last
    return Standing(id, figures, ground, basing)


class Board(Memo, Generic[F]):
    """An arrangement of groups on their ground, and the memo of what holds for it alone.

    `parts`: the objects that it is found by. `memo`: that of the match. Not the state itself, whose content keeps its
    boards: in a cycle, an ended match would stay in memory.
    """

    def __init__(
        self,
        parts: tuple[object, ...],
        memo: Memo,
        ground: Scenery,
        groups: Mapping[GroupId, tuple[F, ...]],
        basing: Basing[F],
    ) -> None:
        super().__init__(parts)
        self.ground = ground
        self.standing: dict[GroupId, Standing[F]] = {
            id: memo.renew(("standing", id), partial(_standing, id, figures, ground, basing))
            for id, figures in groups.items()
        }
        self._sightlines = memo.get("sightlines", (), partial(Sightlines, basing.look))

    @cached_property
    def blockers(self) -> tuple[Formation, ...]:
        """All groups that may stand in a line of sight."""
        return tuple([self.standing[id].formation for id in self.standing if self.blocks(id)])

    def blocks(self, id: GroupId) -> bool:
        """Tell if a group may stand in a line of sight. A system overrides it where some do not."""
        return True

    def sight(self, shooters: GroupId, target: GroupId) -> Sight:
        """Return the lines of sight from one group to another."""
        return self.get(("sight", shooters, target), (), partial(self._sight, shooters, target))

    def _sight(self, shooters: GroupId, target: GroupId) -> Sight:
        one, other = self.standing[shooters].formation, self.standing[target].formation
        return self._sightlines.find(self.ground, one, other, self.blockers)


def kept(
    board: Callable[[S], Memo], *fields: str
) -> Callable[[Callable[Concatenate[S, P], T]], Callable[Concatenate[S, P], T]]:
    """Keep what a function of the state works out or refuses, while the board and these fields of the state are the
    same objects.

    Its other arguments are hashable. Stands above `@implements`; `function.__wrapped__` works it out anew.
    """
    of = _reading(fields)

    def keep(work: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
        @wraps(work)
        def found(state: S, /, *given: P.args, **named: P.kwargs) -> T:
            name = (work, given, *named.values()) if named else (work, given)
            known = board(state).get(name, of(state), tried, state, *given, **named)
            if type(known) is Refusal:
                raise IllegalIntent.repeated(known)
            return known  # type: ignore[return-value]  # no refusal

        def tried(state: S, /, *given: P.args, **named: P.kwargs) -> T | Refusal:
            try:
                return work(state, *given, **named)
            except IllegalIntent as illegal:
                # the exception itself would keep the frames that it came through, and so the match
                return illegal.refusal

        return found

    return keep


def kept_steps(
    board: Callable[[S], Memo], *fields: str
) -> Callable[[Callable[Concatenate[S, P], Steps[T]]], Callable[Concatenate[S, P], Steps[T]]]:
    """Keep, as `kept` does, what a function of the state works out in steps; what it finds is never None."""
    of = _reading(fields)

    def keep(work: Callable[Concatenate[S, P], Steps[T]]) -> Callable[Concatenate[S, P], Steps[T]]:
        @wraps(work)
        def found(state: S, /, *given: P.args, **named: P.kwargs) -> Steps[T]:
            memo, name, parts = board(state), (work, given, *named.values()), of(state)
            known: T | None = memo.recall(name, parts)
            if known is None:
                made = yield from work(state, *given, **named)
                known = memo.get(name, parts, lambda: made)
            return known

        return found

    return keep


def _reading(fields: tuple[str, ...]) -> Callable[[Any], tuple[object, ...]]:
    """Return a reading of these fields as a tuple."""
    if len(fields) > 1:
        return attrgetter(*fields)
    return lambda state: tuple([getattr(state, field) for field in fields])
