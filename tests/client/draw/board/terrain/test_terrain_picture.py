"""The painted table: each kind of terrain has a look of its own, and no scene, however odd, is too much."""

from __future__ import annotations

import tomllib

import pytest

from client.draw.board.terrain.buildings import inset
from client.draw.board.terrain.canvas import FINER, Canvas
from client.draw.board.terrain.picture import LINES, LONGEST, PAINTERS, terrain_picture
from client.ui import theme
from protocol.scene.looks import GROUNDS
from protocol.scene.nodes import Feature, Point, Table
from protocol.text import text
from server.content.systems import find_systems, texts_of

TABLE = Table((1200, 800))
NAME = text("name")
GREEN = theme.GROUND_ELSE
SQUARE: tuple[Point, ...] = ((300, 200), (800, 200), (800, 600), (300, 600))


def feature(kind: str, outline: tuple[Point, ...] = SQUARE, *states: str) -> Feature:
    return Feature(outline, kind, NAME, line=kind in LINES, states=states)


def test_every_kind_that_a_system_ships_has_a_painter_and_colours() -> None:
    kinds = {
        kind
        for system in find_systems().values()
        for file in texts_of(system).values()
        for kind in tomllib.loads(file).get("terrain", {})
    }
    assert kinds
    assert kinds <= PAINTERS.keys()
    assert PAINTERS.keys() == theme.TERRAIN.keys()


@pytest.mark.parametrize("kind", [*PAINTERS, "of its own"])
def test_a_kind_is_seen_on_the_ground_and_the_same_each_time(kind: str) -> None:
    bare = terrain_picture(TABLE, ())
    once, again = (terrain_picture(TABLE, (feature(kind),)) for _ in range(2))
    assert once.size == bare.size == (480, 320)
    assert once.tobytes() == again.tobytes() != bare.tobytes()
    assert once.getpixel((2, 2)) == bare.getpixel((2, 2)), "the ground far off is left as it is"


def test_grounds_differ() -> None:
    pictures = [terrain_picture(Table((400, 300), ground=ground), ()).tobytes() for ground in GROUNDS]
    assert len(set(pictures)) == len(GROUNDS)


def test_what_burns_looks_otherwise() -> None:
    plain, burning = (terrain_picture(TABLE, (feature("woods", SQUARE, *states),)) for states in ((), ("burning",)))
    assert plain.tobytes() != burning.tobytes()


def test_terrain_has_the_size_of_things_whatever_the_book_measures_in() -> None:
    inches = terrain_picture(TABLE, ())
    centimetres = terrain_picture(Table((3048, 2032), unit="cm"), ())
    assert inches.size == centimetres.size


@pytest.mark.parametrize("size", [(0, 0), (1, 10**9), (10**9, 10**9), (-5, 3)])
def test_a_table_of_any_size_has_a_picture(size: Point) -> None:
    picture = terrain_picture(Table(size), (feature("woods"), feature("wall")))
    assert max(picture.size) <= LONGEST


FAR = 10**9
ODD = ((), ((5, 5),), ((5, 5),) * 2, ((5, 5),) * 4, ((0, 0), (FAR, 0), (FAR, FAR)), ((-900, 0), (-800, 9)))


@pytest.mark.parametrize("outline", ODD)
@pytest.mark.parametrize("kind", PAINTERS)
def test_an_outline_of_any_shape_is_painted(kind: str, outline: tuple[Point, ...]) -> None:
    terrain_picture(Table((600, 400)), (feature(kind, outline),))


def test_terrain_that_covers_the_table_many_times_is_painted_plain() -> None:
    whole = ((0, 0), (1200, 0), (1200, 800), (0, 800))
    picture = terrain_picture(TABLE, [feature("building", (*whole, (0, n))) for n in range(400)])
    assert picture.getpixel((240, 160)) == theme.TERRAIN["building"][0][:3]


def test_a_sheet_as_large_as_a_table_is_no_finer_than_its_picture() -> None:
    """Each layer of a sheet takes its time by the pixel, and a scene may lay one over another."""
    usual, whole = ([(0.0, 0.0), (0.0, side), (side, side)] for side in (400.0, float(LONGEST)))
    assert Canvas(usual, 28.0, GREEN).finer == FINER
    assert Canvas(whole, 28.0, GREEN).finer == 1
    assert Canvas(whole, 28.0, GREEN).finished()[0].width > LONGEST


def test_an_outline_is_moved_inwards_on_all_sides_whichever_way_it_turns() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    within = [(2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)]
    assert [(round(x, 6), round(y, 6)) for x, y in inset(square, 2)] == within
    assert [(round(x, 6), round(y, 6)) for x, y in inset(square[::-1], 2)] == within[::-1]
