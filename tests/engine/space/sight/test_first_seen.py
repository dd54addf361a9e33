"""The first place of a path that is seen, beside a slow look at every place that counts."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from engine.space.sight.cuts import Smoke
from engine.space.sight.first_seen import STEP, Seen, first_seen
from engine.space.sight.lines import formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.paths import path_length, point_at
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from tests.support.reference import slow_sight
from tests.support.reference.small_tables import OPEN, WALL, group, table

HIGH = Barrier("wall", WALL.line, blocks_sight=True)
MAN = Base(FigureId("man"), (0, 0), 50)
GUN = group(GroupId("gun"), (4_000, 1_000))


def test_it_comes_into_view_past_the_end_of_a_wall() -> None:
    """The wall hides all up to y 1500; the line from the gun by its end meets the path at 1750."""
    path = ((1_000, 1_000), (1_000, 4_000))
    assert first_seen(path, GUN, MAN, table(HIGH)) == Seen(751, (1_000, 1_751), 0)
    assert first_seen(path, GUN, MAN, OPEN) == Seen(0, (1_000, 1_000), 0)
    assert first_seen(((1_000, 1_000), (1_000, 1_700)), GUN, MAN, table(HIGH)) is None


def test_what_is_far_is_not_seen() -> None:
    path = ((0, 1_000), (3_000, 1_000))
    assert first_seen(path, GUN, MAN, OPEN, reach=1_500) == Seen(2_500, (2_500, 1_000), 0)
    assert first_seen(path, GUN, MAN, OPEN, reach=999) is None


def test_others_and_smoke_are_in_the_way() -> None:
    path = ((1_000, 1_000), (1_000, 3_000))
    behind = [group(GroupId("foe"), (2_000, 1_000))]
    seen = first_seen(path, GUN, MAN, OPEN, behind)
    assert seen is not None
    assert 70 < seen.distance < 80
    later = first_seen(path, GUN, MAN, OPEN, cuts=[Smoke("smoke", (2_000, 1_000), 50)])
    assert later is not None
    assert 70 < later.distance < 80
    assert first_seen(path, GUN, MAN, OPEN, cuts=[Smoke("smoke", (4_000, 1_000), 10)]) is None


def test_a_bent_path_is_looked_at_at_its_corners() -> None:
    bent = ((1_000, 1_000), (1_000, 1_760), (1_000, 1_000))
    assert first_seen(bent, GUN, MAN, table(HIGH)) == Seen(751, (1_000, 1_751), 0)


spots = st.tuples(st.integers(0, 90), st.integers(0, 90))
walls = st.lists(st.lists(spots, min_size=2, max_size=2, unique=True).map(tuple), max_size=2)
patches = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(5, 40)), max_size=2)


@given(st.lists(spots, min_size=1, max_size=3), st.lists(spots, min_size=1, max_size=2), walls, patches, st.booleans())
@settings(max_examples=120, deadline=None)
def test_the_first_place_seen_is_that_of_a_slow_walk(
    path: list[Point],
    eyes: list[Point],
    lines: list[tuple[Point, ...]],
    blocks: list[tuple[int, int, int]],
    is_short: bool,
) -> None:
    areas = [Area(n, outline_of((x, y, x + s, y + s)), blocks_sight=True) for n, (x, y, s) in enumerate(blocks)]
    barriers = [Barrier(f"wall-{n}", line, blocks_sight=True) for n, line in enumerate(lines)]
    observers = [Base(FigureId(str(n)), at, 1) for n, at in enumerate(eyes)]
    mover, reach = Base(FigureId("man"), path[0], 1), 60 if is_short else None

    def seen_at(distance: int) -> Seen | None:
        at = point_at(path, distance)
        for n, eye in enumerate(observers):
            far = slow_sight.squared_distance(slow_sight.place(*eye.at), slow_sight.place(*at))
            if (reach is None or far <= reach**2) and slow_sight.sees(eye, Base(mover.id, at, 1), areas, barriers, []):
                return Seen(distance, at, n)
        return None

    corners = {path_length(path[: n + 1]) for n in range(len(path))}
    marks = sorted({*corners, *range(0, path_length(path), STEP)})
    number = next((n for n, mark in enumerate(marks) if seen_at(mark)), None)
    expected = None
    if number is not None:
        before = marks[number - 1] + 1 if number else marks[0]
        expected = next(seen for d in range(before, marks[number] + 1) if (seen := seen_at(d)))
    ground = scenery(1_000, 1_000, areas, barriers)
    assert first_seen(path, formation(GroupId("eyes"), observers), mover, ground, reach=reach) == expected
