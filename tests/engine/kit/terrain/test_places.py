"""Places as TOML gives them, and their checks."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.kit.terrain.checks import door_faults, on_table, outline_faults, shape_faults
from engine.kit.terrain.shapes import PlaceEntry
from engine.space.vectors.outlines import octagon

SIZE = (2000, 1000)
BOX = ((100, 200), (400, 200), (400, 600), (100, 600))


def place(**keys: object) -> PlaceEntry:
    return PlaceEntry.model_validate(keys)


def test_a_place_is_read_in_each_of_three_ways() -> None:
    assert place(box=[1, 2, 3, 4]).corners == BOX
    assert place(patch=[5, 5, 2, Decimal("1.5")]).corners == octagon((500, 500), 200, 150)
    assert place(outline=[[1, 2], [4, 2], [4, 6]]).corners == ((100, 200), (400, 200), (400, 600))
    assert place().corners == ()


@pytest.mark.parametrize(
    ("keys", "at", "reason"),
    [
        ({}, (), "in one way"),
        ({"box": [1, 1, 2, 2], "patch": [5, 5, 1, 1]}, (), "in one way"),
        ({"box": [18, 1, 3, 3]}, ("box",), "beyond the table"),
        ({"patch": [1, 5, 2, 2]}, ("patch",), "beyond the table"),
        ({"outline": [[0, 0], [2, 2], [2, 0], [0, 2]]}, ("outline",), "meet"),
    ],
)
def test_faults_of_a_place(keys: dict[str, object], at: tuple[str, ...], reason: str) -> None:
    [fault] = shape_faults(("x",), place(**keys), SIZE)
    assert fault.loc == ("x", *at)
    assert reason in fault.reason


def test_a_line_needs_no_inside_but_may_not_stand_still() -> None:
    line = ((0, 0), (500, 500), (0, 500), (500, 0))
    assert list(outline_faults((), line, line=True)) == []
    [fault] = outline_faults((), ((0, 0), (0, 0), (5, 5)), line=True)
    assert "twice running" in fault.reason


def test_the_edge_of_the_table_is_on_it() -> None:
    assert on_table(((0, 0), SIZE), SIZE)
    assert not on_table(((0, 0), (2001, 1000)), SIZE)
    assert not on_table(((0, -1), SIZE), SIZE)


@pytest.mark.parametrize(("door", "wrong"), [((100, 300), 0), ((90, 300), 0), ((89, 300), 1), ((250, 400), 1)])
def test_a_door_is_on_the_outline(door: tuple[int, int], wrong: int) -> None:
    assert len(list(door_faults(("x",), (door, (250, 200)), BOX))) == wrong
