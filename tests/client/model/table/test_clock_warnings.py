"""The warning that one's time runs out: it goes with the clock that it was about."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.wire.from_server import Clocks, ClockView, ClockWarning, TableView
from tests.support.clients.sessions import Table
from tests.support.examples import scenes

MINE, OTHERS = 1, 0
TABLE = TableId("t1")


def view(*clocks: ClockView, table: TableId = TABLE) -> TableView:
    return replace(scenes.table_view(MINE), id=table, clocks=clocks)


def seconds_left(table: Table) -> float:
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    return screen.controls.seconds_left()


@pytest.fixture
def warned(table: Table) -> Table:
    """A table at which nine seconds of a minute are left to the person."""
    table.say(view(ClockView(MINE, 0, 60_000)))
    table.time += 51
    table.say(ClockWarning(TABLE, (MINE,), 9_000))
    assert seconds_left(table) == pytest.approx(9)
    return table


@pytest.mark.parametrize("is_alone", [True, False])
@pytest.mark.parametrize(
    "clocks", [(ClockView(MINE, 0, 60_000),), (ClockView(MINE, 0, 13_000),), (ClockView(MINE, 0),), ()]
)
def test_the_warning_goes_when_ones_clock_starts_anew_or_stops(
    warned: Table, clocks: tuple[ClockView, ...], *, is_alone: bool
) -> None:
    warned.time += 1
    warned.say(Clocks(TABLE, clocks) if is_alone else view(*clocks))
    assert seconds_left(warned) == 0
    warned.say(view(ClockView(MINE, 0, 60_000)))
    assert seconds_left(warned) == 0


@pytest.mark.parametrize("is_alone", [True, False])
def test_the_warning_stays_while_ones_clock_runs_on(warned: Table, *, is_alone: bool) -> None:
    warned.time += 3
    clocks = ClockView(OTHERS, 0, 60_000), ClockView(MINE, 53_000, 7_000)  # a second late
    warned.say(Clocks(TABLE, clocks) if is_alone else view(*clocks))
    assert seconds_left(warned) == pytest.approx(6)


def test_a_warning_before_ones_own_clock_is_up_stays(table: Table) -> None:
    """A question to several ends with the clock of the first of them."""
    clock = ClockView(MINE, 0, 40_000)
    table.say(view(clock), ClockWarning(TABLE, (MINE,), 9_000), view(clock))
    assert seconds_left(table) == pytest.approx(9)


def test_the_warning_stays_at_its_table(warned: Table) -> None:
    warned.say(view(ClockView(MINE, 51_000, 9_000), table=TableId("t2")))
    assert seconds_left(warned) == 0
