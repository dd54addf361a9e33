"""Tables as people see them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.sides import ALONE, Sides
from engine.core.rules.system import ScenarioInfo
from protocol.ids import TableId
from protocol.text import Text
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.lobby.table.views import Now, table_row, table_view

TABLE = TableRecord(TableId("t1"), "CODE", "Table", "duel", "three", "ann", (SeatRecord("ann"),) * 3, 0, 0)


@pytest.mark.parametrize(
    ("sides", "shown"), [((0, 0, 1), [0, 0, 1]), (ALONE, [-1, -1, -1])], ids=["sides", "each alone"]
)
def test_seats_have_the_sides_of_their_match_whatever_its_scenario_says_by_now(sides: Sides, shown: list[int]) -> None:
    scenario = ScenarioInfo("three", Text("three"), Text("about"), 3, (), 60, sides=(0, 1, 1))
    assert [seat.side for seat in table_view(TABLE, "ann", scenario, sides, Now()).seats] == shown


def test_a_row_says_that_its_match_may_be_rated_unless_a_bot_or_a_lesson_or_its_owner_forbids_it() -> None:
    bot = replace(TABLE, seats=(SeatRecord("ann"), SeatRecord(bot="level1")))
    stands_in = replace(TABLE, seats=(SeatRecord("ann"), SeatRecord("ben", bot="level1")))
    tables = [TABLE, bot, stands_in, replace(TABLE, lesson="first"), replace(TABLE, rated=False)]
    assert [table_row(table, "eve", None, ()).rated for table in tables] == [True, False, True, False, False]
