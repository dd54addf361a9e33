"""Places as TOML gives them, and their checks."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from engine.core.content.unsound import Unsound
from engine.kit.terrain.checks import (
    barrier_kinds,
    feature_faults,
    layout_faults,
    on_table,
    outline_faults,
    outlined_faults,
    scatter_faults,
    shape_faults,
    start_faults,
)
from engine.kit.terrain.place_schema import FeatureEntry, PlaceEntry, Shape, ZoneEntry
from engine.kit.terrain.scatter import Scatter
from engine.space.vectors.outlines import Outline, octagon, outline_of

SIZE = (2000, 1000)
BOX = ((100, 200), (400, 200), (400, 600), (100, 600))


def place(**keys: object) -> PlaceEntry:
    return PlaceEntry.model_validate(keys)


def test_a_place_is_read_in_each_of_three_ways() -> None:
    assert place(box=[1, 2, 3, 4]).corners == BOX
    assert place(patch=[5, 5, 2, Decimal("1.5")]).corners == octagon((500, 500), 200, 150)
    assert place(outline=[[1, 2], [4, 2], [4, 6]]).corners == ((100, 200), (400, 200), (400, 600))
    assert place().corners == ()


def test_a_shape_is_corners_or_the_four_numbers_of_a_box() -> None:
    shapes = TypeAdapter(Shape)
    assert shapes.validate_python([1, 2, 3, 4]) == BOX
    assert shapes.validate_python([[1, 2], [4, 2], [4, Decimal("6.5")]]) == ((100, 200), (400, 200), (400, 650))
    for wrong in ([1, 2, 3], [[1, 2]], [1, 2, 3, 401], []):
        with pytest.raises(ValidationError):
            shapes.validate_python(wrong)


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
    doors = [[x / Decimal(100) for x in at] for at in (door, (250, 200))]
    hut = FeatureEntry.model_validate({"id": "hut", "kind": "hut", "name": "hut", "box": [1, 2, 3, 4], "doors": doors})
    assert len(list(feature_faults(("x",), hut, SIZE, {"hut": False}, blind=False))) == wrong


def test_features_and_zones_of_a_table() -> None:
    kinds = {"hedge": True}
    hedge = FeatureEntry.model_validate({"id": "h", "kind": "hedge", "name": "h", "outline": [[1, 1], [1, 1], [5, 5]]})
    tower = FeatureEntry.model_validate({"id": "h", "kind": "tower", "name": "t", "box": [1, 2, 3, 4]})
    yard = ZoneEntry.model_validate({"id": "yard", "name": "yard", "box": [19, 2, 3, 4]})
    told = [(fault.loc, fault.reason) for fault in layout_faults("map", [hedge, tower], [yard, yard], SIZE, kinds)]
    assert told == [
        (("map", "feature", 1, "id"), "the id h is used twice"),
        (("map", "feature", 0, "outline"), "names a point twice running"),
        (("map", "feature", 1, "kind"), "no terrain has the id tower"),
        (("map", "zone", 1, "id"), "the id yard is used twice"),
        (("map", "zone", 0, "box"), "reaches beyond the table"),
        (("map", "zone", 1, "box"), "reaches beyond the table"),
    ]
    assert list(layout_faults("map", [tower], [], SIZE, kinds, blind=True)) == []


class Outlined(NamedTuple):
    """A piece of terrain that is given by its outline."""

    id: str
    kind: str
    outline: Outline


def test_pieces_by_their_outlines() -> None:
    hedge, tower = Outlined("h", "hedge", ((0, 0), (0, 0), (9, 9))), Outlined("h", "tower", ((0, 0), (9, 9), (9, 0)))
    out = Outlined("o", "wood", ((0, 0), (9, 9), (2001, 0)))
    kinds = {"hedge": True, "wood": False}
    faults = outlined_faults(("map", "feature"), [hedge, tower, out], SIZE, kinds, blind=False)
    assert [(fault.loc, fault.reason) for fault in faults] == [
        (("map", "feature", 1, "id"), "the id h is used twice"),
        (("map", "feature", 0, "outline"), "names a point twice running"),
        (("map", "feature", 1, "kind"), "no terrain has the id tower"),
        (("map", "feature", 2, "outline"), "reaches beyond the table"),
    ]


class Kinds(BaseModel):
    terrain: dict[str, Any]


def test_kinds_of_terrain_are_barriers_or_not_wherever_they_are_defined() -> None:
    torn = Unsound("a.toml")
    read = Kinds.model_construct(terrain={"wood": Outlined("", "", ()), "torn": torn})
    unread = [{"terrain": {"hedge": {"line": True}, "pond": {"line": "yes"}, "odd": 3}}]
    found = barrier_kinds([read], unread)
    assert found.pop("torn") is torn
    assert found == {"hedge": True, "pond": False, "odd": False, "wood": False}


def test_start_zones_are_wide_enough_and_lie_apart() -> None:
    zones = [outline_of((0, 0, 300, 300)), outline_of((300, 0, 600, 299)), outline_of((299, 200, 700, 600))]
    assert [(fault.loc, fault.reason) for fault in start_faults(("role",), zones)] == [
        (("role", 1, "start"), "a start zone is 3 inches wide and high at least"),
        (("role", 2, "start"), "the start zone lies over that of role 0"),
        (("role", 2, "start"), "the start zone lies over that of role 1"),
    ]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({}, None),
        ({"kind": "sea"}, "kind"),
        ({"form": "line"}, "form"),
        ({"kind": "hedge"}, "form"),
        ({"within": outline_of((0, 0, 2001, 1000))}, "within"),
        ({"size": (99, 300)}, "size"),
        ({"size": (1500, 1100)}, "size"),
        ({"size": (2001, 300)}, "size"),
        ({"apart": -1}, "apart"),
        ({"apart": 0}, None),
    ],
)
def test_faults_of_terrain_left_to_chance(changes: dict[str, object], key: str | None) -> None:
    wood = Scatter("wood", "trees", "wood", 3, (600, 400), outline_of((0, 0, *SIZE)))
    found = scatter_faults(("w",), msgspec.structs.replace(wood, **changes), SIZE, {"trees": False, "hedge": True})
    assert [fault.loc for fault in found] == ([("w", key)] if key else [])
