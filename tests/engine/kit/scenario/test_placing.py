"""Places of groups in a start zone."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, strategies as st

from engine.kit.scenario.placing import APART, BESIDE, Stand, StartZone, slots
from engine.space.terrain.contact import Base, gap
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE

ZONE = outline_of((200, 200, 2200, 1200))
TABLE = scenery(
    4000, 3000, [Area("pond", outline_of((900, 500, 1300, 900)))], [Barrier("wall", ((1600, 0), (1600, 3000)))]
)
MAN, TRUCK = Stand(50), Stand(100, 500, 200)


def bases(stands: Sequence[Stand], places: Sequence[Point], facing: int = 0) -> list[Base]:
    return [disc for stand, at in zip(stands, places, strict=True) for disc in stand.discs(at, facing)]


@given(st.integers(200, 2200), st.integers(200, 1200), st.integers(1, 8))
def test_a_group_stands_together_in_its_zone_on_open_ground(x: int, y: int, count: int) -> None:
    other = Base(NO_FIGURE, (400, 400), 50)
    places = StartZone.of(TABLE, ZONE, (other,)).places([MAN] * count, (x, y))
    assert places is not None
    own = bases([MAN] * count, places)
    for number, base in enumerate(own):
        assert 250 <= base.at[0] <= 2150
        assert 250 <= base.at[1] <= 1150
        assert not TABLE.areas_at(base.at)
        assert (base.at[0] < 1600) is (own[0].at[0] < 1600), "a barrier parts no group"
        assert gap(base, other) >= APART - 1
        assert all(gap(base, before) >= BESIDE - 1 for before in own[:number])


def test_a_long_base_keeps_off_the_edge_of_an_area_too() -> None:
    places = StartZone.of(TABLE, ZONE, ()).places([TRUCK, TRUCK], (1100, 700))
    assert places is not None
    for base in bases([TRUCK, TRUCK], places):
        x, y = base.at
        dx, dy = max(900 - x, 0, x - 1300), max(500 - y, 0, y - 900)
        assert dx * dx + dy * dy >= (base.radius - 1) ** 2


def test_discs_cover_a_long_base_as_it_faces() -> None:
    east, north = TRUCK.discs((1000, 1000), 0), TRUCK.discs((1000, 1000), 90)
    assert [disc.at[0] - 1000 for disc in east] == [-188, -63, 62, 187]
    assert [disc.at[1] - 1000 for disc in north] == [-188, -63, 62, 187]
    assert all(disc.radius**2 >= 63**2 + 100**2 for disc in east)
    assert MAN.discs((5, 5), 90) == [Base(NO_FIGURE, (5, 5), 50)]


def test_without_room_there_are_no_places() -> None:
    full = outline_of((900, 500, 1300, 900))
    assert StartZone.of(TABLE, full, ()).places([MAN], (1000, 700)) is None


def test_slots_lie_along_the_longer_side() -> None:
    assert slots(ZONE, 2, 1) == [(700, 700), (1700, 700), (1200, 700)]
    assert slots(outline_of((0, 0, 100, 900)), 3) == [(50, 150), (50, 450), (50, 750)]
