"""The board: groups where they stand, found again while nothing of theirs changes, and who sees whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.memo import Memo
from engine.core.rules.steps import Steps, finished
from engine.kit.board.board import Board, kept, kept_steps
from engine.kit.board.sightlines import Look, Sight
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, SightLines
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Scenery, scenery
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId, NodeId
from protocol.text import text

WALL = Area("wall", ((1900, 0), (2100, 0), (2100, 1500), (1900, 1500)), blocks_sight=True)
GROUND = scenery(4000, 4000, [WALL, Area("wood", ((0, 2000), (1000, 2000), (1000, 3000), (0, 3000)))], [])


class Pawn(msgspec.Struct, frozen=True):
    """A figure; one that flies is in nothing on the ground."""

    id: FigureId
    at: Point
    flies: bool = False


def looks(
    ground: Scenery, one: Formation, other: Formation, others: Sequence[Formation], corridor: Corridor | None = None
) -> Sight:
    """Return the line from each figure to the first that it sees."""
    view = SightLines(ground, one, other, others, corridor)
    if view.first() is None:
        return Sight((), view.nearest_obstacle)
    seen = [(figure.id, view.target_of(number)) for number, figure in enumerate(one.figures)]
    return Sight(tuple([(id, other.figures[place].id) for id, place in seen if place is not None]))


class Pawns:
    """Pawns stand on round bases."""

    @property
    def look(self) -> Look:
        return looks

    def bases(self, figures: Sequence[Pawn]) -> list[Base]:
        return [Base(pawn.id, pawn.at, 50) for pawn in figures]

    def is_down(self, figure: Pawn) -> bool:
        return not figure.flies


def group(id: str, *places: Point, flies: bool = False) -> tuple[GroupId, tuple[Pawn, ...]]:
    return GroupId(id), tuple([Pawn(FigureId(f"{id}/{n}"), at, flies) for n, at in enumerate(places)])


def board(memo: Memo, *groups: tuple[GroupId, tuple[Pawn, ...]]) -> Board[Pawn]:
    return Board(groups, memo, GROUND, dict(groups), Pawns())


def test_a_group_that_has_not_moved_is_the_same_on_the_next_board() -> None:
    memo, still = Memo(), group("a", (500, 2500), (700, 2500))
    first = board(memo, still, group("b", (3000, 3000)))
    second = board(memo, still, group("b", (3100, 3000)))
    assert first.standing[GroupId("a")] is second.standing[GroupId("a")]
    assert first.standing[GroupId("b")] is not second.standing[GroupId("b")]


def test_a_group_is_in_what_holds_its_figures_on_the_ground() -> None:
    own = board(Memo(), group("a", (500, 2500), (700, 2500), (1500, 2500)), group("f", (500, 2600), flies=True))
    assert own.standing[GroupId("a")].inside == {"wood": 2}
    assert own.standing[GroupId("a")].centre == (900, 2500)
    assert own.standing[GroupId("f")].inside == {}


def test_terrain_hides_both_from_each_other_and_is_named() -> None:
    own = board(Memo(), group("a", (1000, 500)), group("b", (3000, 500)))
    one, other = own.sight(GroupId("a"), GroupId("b")), own.sight(GroupId("b"), GroupId("a"))
    assert not one.clear
    assert one is other
    assert one.blocker is not None
    assert one.blocker.id == "wall"


class Moment(NamedTuple):
    """A state: what its board is, and what else it is made of."""

    board: Memo
    weather: tuple[str, ...] = ()


def board_of(moment: Moment) -> Memo:
    return moment.board


def test_what_is_kept_of_a_board_is_worked_out_once_for_each_weather() -> None:
    tries: list[str] = []

    @kept(board_of, "weather")
    def seen(moment: Moment, name: str, *, far: bool = False) -> int:
        tries.append(name)
        return len(tries)

    memo, fog = Memo(), ("fog",)
    assert [seen(Moment(memo, fog), "a"), seen(Moment(memo, fog), "a")] == [1, 1]
    assert [seen(Moment(memo, fog), "b"), seen(Moment(memo, fog), "b", far=True)] == [2, 3]
    assert [seen(Moment(memo), "a"), seen(Moment(Memo(), fog), "a"), seen(Moment(memo, fog), "a")] == [4, 5, 1]


def test_what_is_refused_on_a_board_is_kept_as_well() -> None:
    tries: list[str] = []

    @kept(board_of, "weather")
    def check(moment: Moment, name: str) -> None:
        tries.append(name)
        raise IllegalIntent("sight/none", name=name).showing(NodeId("feature/1"))

    moment = Moment(Memo())
    for _ in range(2):
        with pytest.raises(IllegalIntent) as refused:
            check(moment, "a")
        assert refused.value.refusal == Refusal("sight/none", text("refuse.sight/none", name="a"), NodeId("feature/1"))
    assert tries == ["a"]


def test_what_is_kept_of_a_board_in_steps_is_worked_out_once() -> None:
    tries: list[str] = []

    @kept_steps(board_of, "weather")
    def seen(moment: Moment, name: str) -> Steps[int]:
        tries.append(name)
        yield
        yield
        return len(tries)

    memo, fog = Memo(), ("fog",)
    assert len(list(seen(Moment(memo, fog), "a"))) == 2
    assert list(seen(Moment(memo, fog), "a")) == []
    found = [finished(seen(moment, name)) for moment in (Moment(memo, fog), Moment(memo)) for name in "ab"]
    assert found == [1, 2, 3, 4]


PLACES = st.tuples(st.integers(1, 7), st.integers(1, 7)).map(lambda cell: (cell[0] * 500, cell[1] * 500))
TABLES = st.lists(st.tuples(PLACES, PLACES, PLACES, PLACES), min_size=2, max_size=5)


@given(TABLES)
def test_sight_carried_from_board_to_board_is_that_worked_out_afresh(tables: list[tuple[Point, ...]]) -> None:
    memo = Memo()
    standing: dict[GroupId, tuple[Pawn, ...]] = {}
    for places in tables:
        moved = dict([group(f"g{n}", at) for n, at in enumerate(places)])
        standing = {id: standing.get(id, pawns) if standing.get(id) == pawns else pawns for id, pawns in moved.items()}
        own, fresh = board(memo, *standing.items()), board(Memo(), *standing.items())
        for one in standing:
            for other in standing:
                if one != other:
                    kept, plain = own.sight(one, other), fresh.sight(one, other)
                    assert (kept.lines, kept.blocker) == (plain.lines, plain.blocker)
