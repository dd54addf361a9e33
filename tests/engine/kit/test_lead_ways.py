"""Obstacles on straight ways: bases that are kept clear of, and closed areas."""

from __future__ import annotations

from engine.kit.board.formations import cluster
from engine.kit.board.lead_ways import LeadWays
from engine.space.terrain.features import Area, scenery

POND = Area("pond", ((1500, 900), (1700, 900), (1700, 1100), (1500, 1100)))
TABLE = scenery(4000, 4000, [POND], [])
BOX = (1000, 1000, 2000, 2000)
NEAR, TOUCHED, FAR = (1000, 1500), (1000, 1120), (3000, 1000)
START = (1000, 1000)


def ways(*, flies: bool = False) -> LeadWays:
    return LeadWays(BOX, 50, [cluster([(*at, 150)]) for at in (NEAR, TOUCHED, FAR)], TABLE.areas, flies=flies)


def test_only_what_a_way_in_the_box_may_meet_is_an_obstacle() -> None:
    assert [at for at, _ in ways().clear] == [NEAR, TOUCHED]
    assert [area.id for area in ways().closed] == ["pond"]
    assert (ways(flies=True).clear, ways(flies=True).closed) == ([], [])


def test_a_way_ends_before_a_base_but_may_lead_away_from_one_that_is_too_near_already() -> None:
    assert ways().too_near(START, (1000, 1100)) == TOUCHED
    assert ways().too_near(START, (1200, 1000)) is None
    assert ways().too_near((1300, 1500), (1201, 1500)) is None
    assert ways().too_near((1300, 1500), (1199, 1500)) == NEAR


def test_a_closed_area_is_met_by_the_rim_of_a_base() -> None:
    assert ways().closed_on(START, (1449, 1000)) is None
    met = ways().closed_on(START, (1451, 1000))
    assert met is not None
    assert met.id == "pond"
