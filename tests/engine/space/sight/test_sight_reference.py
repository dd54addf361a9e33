"""The fast sight compared with a slow obvious one, on loose tables and on cramped ones full of touches and ties."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from bench.sight import random_table
from engine.space.sight.lines import Sighting, SightLines, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.hulls import hull_of
from engine.space.vectors.outlines import checked
from engine.space.vectors.points import Point, squared
from protocol.ids import GroupId
from tests.support.reference import slow_sight
from tests.support.runs.cases import cases


class Table(NamedTuple):
    areas: list[Area]
    barriers: list[Barrier]
    groups: list[list[Base]]


def is_outline(corners: tuple[Point, ...]) -> bool:
    try:
        checked(corners)
    except ValueError:
        return False
    return True


@st.composite
def tables(draw: st.DrawFn, side: int, radii: tuple[int, ...]) -> Table:
    """Generate square tables; a small side makes points meet, lines run along edges and bases touch walls."""
    points = st.tuples(st.integers(0, side), st.integers(0, side))
    patches = st.lists(points, min_size=3, max_size=6).map(hull_of)
    free = st.lists(points, min_size=3, max_size=7, unique=True).map(tuple)
    outlines = draw(st.lists(st.one_of(patches, free), max_size=3))
    lines = draw(st.lists(st.lists(points, min_size=2, max_size=3, unique=True).map(tuple), max_size=3))
    bases = st.builds(Base, st.just("figure"), points, st.sampled_from(radii))
    groups = draw(st.lists(st.lists(bases, min_size=1, max_size=4), min_size=2, max_size=5))
    sides = st.sampled_from((True, True, True, False))
    return Table(
        [Area(f"area-{n}", o, blocks_sight=draw(sides)) for n, o in enumerate(outlines) if is_outline(o)],
        [Barrier(f"wall-{n}", line, blocks_sight=draw(sides)) for n, line in enumerate(lines)],
        groups,
    )


def agree(table: Table) -> None:
    ground = scenery(100_000, 100_000, table.areas, table.barriers)
    groups = [formation(GroupId(str(n)), figures) for n, figures in enumerate(table.groups)]
    shooters, targets, *others = table.groups
    expected = {
        Sighting(i, j)
        for i, a in enumerate(shooters)
        for j, b in enumerate(targets)
        if slow_sight.sees(a, b, table.areas, table.barriers, others)
    }
    view = SightLines(ground, groups[0], groups[1], groups)
    pairs = list(view.pairs())
    assert set(pairs) == expected
    assert len(pairs) == len(expected)
    distances = [squared(shooters[p.shooter].at, targets[p.target].at) for p in pairs]
    assert distances == sorted(distances)
    again = SightLines(ground, groups[0], groups[1], groups)
    for i in range(len(shooters)):
        for j in range(len(targets)):
            assert again.sees(i, j) is ((i, j) in expected)
            assert (again.obstacle(i, j) is None) is ((i, j) in expected)
        seen = [j for j in range(len(targets)) if (i, j) in expected]
        assert (again.target_of(i) is None) is (not seen)


@given(tables(6, (1, 2)))
@cases(100, 300)
def test_cramped_tables_full_of_ties(table: Table) -> None:
    agree(table)


@given(tables(40, (1, 5)))
@cases(50, 200)
def test_tables_with_some_touches(table: Table) -> None:
    agree(table)


@given(tables(6_000, (50, 98)))
@cases(40, 200)
def test_tables_of_true_size(table: Table) -> None:
    agree(table)


@pytest.mark.parametrize("seed", range(12))
def test_groups_of_ten_on_crowded_tables(seed: int) -> None:
    """Every line that the quick test of chords leaves out is blocked by the exact test, too."""
    ground, groups = random_table(Random(seed))
    for a, b in zip(groups[:6], groups[6:12], strict=True):
        view, plain = SightLines(ground, a, b, groups), SightLines(ground, a, b, groups)
        seen = {Sighting(i, j) for i in range(10) for j in range(10) if plain.obstacle(i, j) is None}
        assert set(view.pairs()) == seen
