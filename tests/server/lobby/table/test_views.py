"""Tables as people see them."""

from __future__ import annotations

import pytest

from engine.core.rules.sides import ALONE, Sides
from engine.core.rules.system import ScenarioInfo
from protocol.ids import TableId
from protocol.text import Text
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.lobby.table.views import Now, table_view

TABLE = TableRecord(TableId("t1"), "CODE", "Table", "duel", "three", "ann", (SeatRecord("ann"),) * 3, 0, 0)


@pytest.mark.parametrize(
    ("sides", "shown"), [((0, 0, 1), [0, 0, 1]), (ALONE, [-1, -1, -1])], ids=["sides", "each alone"]
)
def test_seats_have_the_sides_of_their_match_whatever_its_scenario_says_by_now(sides: Sides, shown: list[int]) -> None:
    scenario = ScenarioInfo("three", Text("three"), Text("about"), 3, (), 60, sides=(0, 1, 1))
    assert [seat.side for seat in table_view(TABLE, "ann", scenario, sides, Now()).seats] == shown
