"""Places of footprints: faults by name, and the nearest free place beside a slow search."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from engine.space.placement.figures import Misplaced, Misplacement
from engine.space.placement.stands import nearest_stand, stand_fault
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, scenery
from engine.space.terrain.footprints import BoxBase, Footprint, are_nearer, box_of_footprint, moved
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point, squared
from protocol.ids import FigureId
from tests.support.reference.small_tables import LAKE, OPEN, table

TRUCK = BoxBase((1_000, 1_000), 0, 300, 100, FigureId("truck"))
MAN = Base(FigureId("man"), (1_200, 1_000), 50)


def test_faults_are_named() -> None:
    assert stand_fault(TRUCK, OPEN, [MAN]) is None
    assert stand_fault(moved(TRUCK, (149, 1_000)), OPEN, []) == Misplacement(TRUCK.id, Misplaced.OFF_TABLE)
    assert stand_fault(moved(TRUCK, (1_001, 1_000)), OPEN, [MAN]) == Misplacement(TRUCK.id, Misplaced.OVERLAP, MAN.id)
    assert stand_fault(TRUCK, OPEN, [MAN], 1) == Misplacement(TRUCK.id, Misplaced.OVERLAP, MAN.id)
    assert stand_fault(moved(TRUCK, (1_850, 1_000)), table(LAKE), []) is None, "it may touch a lake"
    wet = Misplacement(TRUCK.id, Misplaced.IMPASSABLE, "lake")
    assert stand_fault(moved(TRUCK, (1_851, 1_000)), table(LAKE), []) == wet
    wet = Misplacement(MAN.id, Misplaced.IMPASSABLE, "lake")
    assert stand_fault(moved(MAN, (1_951, 1_000)), table(LAKE), []) == wet


def test_a_base_goes_aside_and_keeps_its_facing() -> None:
    assert nearest_stand(TRUCK, OPEN, [MAN], 300, 10) == TRUCK
    assert nearest_stand(TRUCK, OPEN, [MAN], 300, 10, apart=40) == moved(TRUCK, (960, 1_000))
    assert nearest_stand(TRUCK, OPEN, [MAN], 30, 10, apart=40) is None


spots = st.tuples(st.integers(0, 40), st.integers(0, 40))
sizes = st.integers(1, 6).map(lambda half: 2 * half)
footprints = st.one_of(
    st.builds(Base, st.just(FigureId("a")), spots, sizes),
    st.builds(BoxBase, spots, st.sampled_from(ANGLES), sizes, sizes),
)


@given(footprints, st.lists(footprints, max_size=3), spots, st.integers(0, 12), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_no_free_place_is_nearer(
    footprint: Footprint, others: list[Footprint], corner: Point, reach: int, apart: int
) -> None:
    x, y = corner
    lake = Area("lake", outline_of((x, y, x + 9, y + 9)), impassable=True)
    ground = scenery(40, 40, [lake], [])

    def is_free(at: Point) -> bool:
        own = moved(footprint, at)
        left, bottom, right, top = box_of_footprint(own)
        if min(left, bottom) < 0 or max(right, top) > 40 or any(are_nearer(own, other, apart) for other in others):
            return False
        return not are_nearer(own, BoxBase((x + 4, y + 4), 0, 0, 0), 0) and stand_fault(own, ground, []) is None

    ways = [(dx, dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1)]
    near = [(footprint.at[0] + dx, footprint.at[1] + dy) for dx, dy in ways if dx * dx + dy * dy <= reach * reach]
    free = [at for at in near if is_free(at)]
    found = nearest_stand(footprint, ground, others, reach, 1, apart)
    expected = min(free, key=lambda at: (squared(at, footprint.at), at), default=None)
    assert (None if found is None else found.at) == expected
