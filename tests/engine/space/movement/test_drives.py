"""Rectangular bases: valid places, obstacles, and the distance that they can go straight ahead."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from engine.space.movement.drives import Surroundings, farthest, is_clear_around, may_stand
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Scenery
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.outlines import outline_of, outlines_overlap
from engine.space.vectors.points import box_of
from protocol.ids import FigureId
from tests.support.faults.crowded_tables import bases, ground, place
from tests.support.reference.small_tables import OPEN, WALL, WOOD, table

FOE = FigureId("foe")

TRUCK = BoxBase((1000, 1000), 0, 300, 100)
"""A base whose front is at 1150."""


def around(features: Scenery = OPEN, *there: Base, barred: str = "", hulls: str = "") -> Surroundings:
    return Surroundings(features, frozenset(barred.split()), frozenset(hulls.split()), there)


def test_a_base_and_its_lane_lie_along_its_heading() -> None:
    assert box_of(TRUCK.outline()) == (850, 950, 1150, 1050)
    assert box_of(TRUCK.outline(100)) == (750, 850, 1250, 1150)
    assert box_of(TRUCK.strip_ahead(400)) == (1150, 950, 1550, 1050)
    assert box_of(replace(TRUCK, facing=180).strip_ahead(400)) == (450, 950, 850, 1050)


def test_a_free_lane_is_gone_to_the_end() -> None:
    assert farthest(TRUCK, around(), 900) == 900
    assert farthest(TRUCK, around(), 0) == 0


def test_the_front_stops_at_the_edge_of_the_table() -> None:
    assert farthest(replace(TRUCK, at=(7_000, 1_000)), around(), 900) == 50
    assert farthest(replace(TRUCK, at=(7_100, 1_000)), around(), 900) == 0


def test_a_base_keeps_off_other_bases_and_hulls_but_touches_what_is_barred() -> None:
    assert farthest(TRUCK, around(OPEN, Base(FOE, (2000, 1000), 50)), 2_000) == 700
    assert farthest(TRUCK, around(OPEN, Base(FOE, (2000, 1100), 50)), 2_000) == 2_000, "beside the strip"
    assert farthest(TRUCK, around(table(WOOD), hulls="wood"), 2_000) == 750
    assert farthest(TRUCK, around(table(WOOD), barred="wood"), 2_000) == 850
    assert farthest(TRUCK, around(table(WALL), barred="wall"), 2_000) == 850


def test_what_is_entered_is_entered_by_a_length() -> None:
    thin = Area("thin", outline_of((2000, 500, 2200, 1500)))
    assert farthest(TRUCK, around(table(WOOD)), 2_000) == 1_300
    assert farthest(TRUCK, around(table(WOOD)), 999) == 999
    assert farthest(TRUCK, around(table(thin)), 2_000) == 1_200, "not out again"
    assert farthest(TRUCK, around(table(WALL)), 2_000) == 1_300
    assert farthest(replace(TRUCK, at=(2100, 1000)), around(table(WOOD)), 2_000) == 2_000, "left freely"
    assert farthest(replace(TRUCK, at=(2000, 1000)), around(table(WALL)), 2_000) == 2_000


def test_a_base_stands_on_the_table_and_clear_of_what_is_there() -> None:
    assert may_stand(TRUCK, around())
    assert may_stand(replace(TRUCK, at=(150, 50)), around()), "at the corner of the table"
    assert not may_stand(replace(TRUCK, at=(149, 50)), around())
    by_wood = replace(TRUCK, at=(1850, 1000))
    assert may_stand(by_wood, around(table(WOOD), barred="wood"))
    assert not may_stand(replace(by_wood, at=(1851, 1000)), around(table(WOOD), barred="wood"))
    assert may_stand(replace(by_wood, at=(1851, 1000)), around(table(WOOD))), "it may stand in what is not barred"
    assert may_stand(TRUCK, around(OPEN, Base(FOE, (1200, 1000), 50)))
    assert not may_stand(TRUCK, around(OPEN, Base(FOE, (1199, 1000), 50)))


def test_to_keep_off_is_asked_of_hulls_and_bases_only() -> None:
    foe = Base(FOE, (1300, 1000), 50)
    assert may_stand(TRUCK, around(OPEN, foe), 100)
    assert not may_stand(TRUCK, around(OPEN, foe), 101)
    by_wood = replace(TRUCK, at=(1850, 1000))
    assert not may_stand(by_wood, around(table(WOOD), hulls="wood"), 1)
    assert may_stand(by_wood, around(table(WOOD), barred="wood"), 100)


def test_the_first_thing_that_is_met_is_named() -> None:
    pit, wreck = Area("pit", WOOD.outline), Area("wreck", WOOD.outline)
    there = around(table(pit, wreck, WALL), Base(FOE, (2100, 1000), 50), barred="pit wall", hulls="wreck")
    outline = outline_of((1900, 900, 2200, 1100))
    assert there.bar(outline) == "pit"
    assert there.met(outline) == "wreck"
    assert around(table(WALL), barred="wall").bar(outline) == "wall"
    assert around(OPEN, Base(FOE, (2100, 1000), 50)).met(outline) == "foe"
    assert there.bar(outline_of((1900, 900, 2000, 1100))) is None
    assert there.met(outline_of((1900, 900, 2000, 1100))) is None


def test_what_is_left_out_as_not_near_is_not_met() -> None:
    random, fewer = Random(13), 0
    for _ in range(60):
        features = ground(random)
        ids = frozenset(area.id for area in features.areas)
        barred = frozenset(barrier.id for barrier in features.barriers)
        there = Surroundings(features, barred, ids, bases(random, 12))
        outline = BoxBase(place(random), random.choice(ANGLES), 400, 200).outline()
        near = there.near(box_of(outline))
        fewer += len(near.bases) + len(near.scenery.areas) < 17
        assert (near.met(outline), near.bar(outline)) == (
            there.met(outline),
            there.bar(outline),
        )
        assert near.holds(outline) is there.holds(outline)
    assert fewer > 50


def test_a_base_that_turns_freely_stands_wherever_it_looks() -> None:
    random, free = Random(5), 0
    for _ in range(60):
        features = ground(random)
        ids = frozenset([*(area.id for area in features.areas), *(barrier.id for barrier in features.barriers)])
        solid = frozenset(["area/0"])
        there = Surroundings(features, ids - solid, solid, bases(random, 6))
        for _ in range(6):
            base = BoxBase(place(random), 0, random.randrange(200, 500), random.randrange(100, 300))
            if is_clear_around(base, there):
                free += 1
                assert all(may_stand(replace(base, facing=angle), there) for angle in ANGLES)
    assert free > 50


def test_a_lane_of_no_length_overlaps_what_it_cuts() -> None:
    assert outlines_overlap(TRUCK.strip_ahead(0), outline_of((1100, 900, 1200, 1100)))
    assert not outlines_overlap(TRUCK.strip_ahead(0), outline_of((1150, 900, 1200, 1100)))
