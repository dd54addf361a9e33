"""Sight by example: things that block, things that do not, and the obstacle that is named."""

from __future__ import annotations

from engine.space.sight.lines import Obstacle, Sighting, SightLines, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, scenery
from protocol.ids import FigureId, GroupId
from tests.support.reference.small_tables import group

OPEN = scenery(7_200, 4_800, [], [])


WEST = group(GroupId("west"), (1000, 1000))
EAST = group(GroupId("east"), (3000, 1000))


def test_nothing_between() -> None:
    view = SightLines(OPEN, WEST, EAST, [WEST, EAST])
    assert view.first() == Sighting(0, 0)
    assert view.obstacle(0, 0) is None


def test_a_group_blocks_as_a_whole_between_its_figures() -> None:
    between = group(GroupId("between"), (2000, 500), (2000, 1500))
    view = SightLines(OPEN, WEST, EAST, [WEST, EAST, between])
    assert view.first() is None
    assert view.obstacle(0, 0) == Obstacle("group", "between")


def test_touching_a_group_does_not_block() -> None:
    assert SightLines(OPEN, WEST, EAST, [group(GroupId("near"), (2000, 1050))]).first() is not None
    assert SightLines(OPEN, WEST, EAST, [group(GroupId("nearer"), (2000, 1049))]).first() is None


def test_the_largest_base_counts() -> None:
    mixed = formation(GroupId("mixed"), [Base(FigureId("a"), (2000, 1080), 50), Base(FigureId("b"), (2000, 1300), 98)])
    assert SightLines(OPEN, WEST, EAST, [mixed]).first() is None


def test_the_nearest_pair_is_found_first() -> None:
    squad = group(GroupId("squad"), (900, 1000), (1000, 2000), (1000, 1000))
    wall = scenery(7_200, 4_800, [], [Barrier("wall", ((1200, 900), (1200, 1100)), blocks_sight=True)])
    assert SightLines(OPEN, squad, EAST, []).first() == Sighting(2, 0)
    assert SightLines(wall, squad, EAST, []).first() == Sighting(1, 0)
    assert list(SightLines(wall, squad, EAST, []).pairs()) == [Sighting(1, 0)]
    assert SightLines(wall, squad, EAST, []).target_of(0) is None
    assert SightLines(wall, squad, EAST, []).target_of(1) == 0


def test_a_blocking_area_and_its_edge() -> None:
    def wood(bottom: int, *, blocks: bool = True) -> SightLines:
        area = Area("wood", ((1900, bottom), (2100, bottom), (2100, 1500), (1900, 1500)), blocks_sight=blocks)
        return SightLines(scenery(7_200, 4_800, [area], []), WEST, EAST, [])

    assert wood(999).obstacle(0, 0) == Obstacle("area", "wood")
    assert wood(999).first() is None
    assert wood(1000).first() is not None
    assert wood(900, blocks=False).first() is not None


def test_figures_in_an_area_see_out_of_it_but_not_through_another() -> None:
    def patch(id: str, x: int) -> Area:
        return Area(id, ((x, 800), (x + 400, 800), (x + 400, 1200), (x, 1200)), blocks_sight=True)

    squad = group(GroupId("squad"), (1000, 1000), (500, 1000))
    view = SightLines(scenery(7_200, 4_800, [patch("house", 700)], []), squad, EAST, [])
    assert view.sees(0, 0)
    assert not view.sees(1, 0)
    both = SightLines(scenery(7_200, 4_800, [patch("house", 700), patch("barn", 2800)], []), squad, EAST, [])
    assert both.sees(0, 0)
    third = SightLines(scenery(7_200, 4_800, [patch("house", 700), patch("shed", 2000)], []), squad, EAST, [])
    assert third.obstacle(0, 0) == Obstacle("area", "shed")
    on_edge = group(GroupId("edge"), (700, 1000))
    assert SightLines(scenery(7_200, 4_800, [patch("house", 700)], []), on_edge, EAST, []).first() is not None


def test_who_touches_a_wall_sees_over_it() -> None:
    def wall(x: int) -> SightLines:
        line = Barrier("wall", ((x, 900), (x, 1100)), blocks_sight=True)
        return SightLines(scenery(7_200, 4_800, [], [line]), WEST, EAST, [])

    assert wall(1054).first() is not None, "a gap of 4 hundredths is contact"
    assert wall(1055).obstacle(0, 0) == Obstacle("barrier", "wall")
    assert wall(2946).first() is not None, "the target may touch it as well"
    assert wall(2945).first() is None


def test_the_end_of_a_wall_blocks() -> None:
    line = Barrier("wall", ((2000, 1000), (2000, 1100)), blocks_sight=True)
    fence = Barrier("wire", ((2000, 900), (2000, 1100)), blocks_sight=False)
    assert SightLines(scenery(7_200, 4_800, [], [line]), WEST, EAST, []).first() is None
    assert SightLines(scenery(7_200, 4_800, [], [fence]), WEST, EAST, []).first() is not None


def test_many_obstacles_together_hide_a_group() -> None:
    rank = group(GroupId("rank"), (1000, 500), (1000, 1000), (1000, 1500))
    target = group(GroupId("target"), (4000, 500), (4000, 1500))
    screens = [group(GroupId(f"screen{n}"), (2500, y), (2500, y + 300)) for n, y in enumerate(range(300, 1700, 350))]
    assert SightLines(OPEN, rank, target, screens).first() is None
    assert SightLines(OPEN, rank, target, screens[1:]).first() is not None
