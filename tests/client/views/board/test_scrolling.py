"""Log and chat: they follow what comes, and stay where the wheel has left them."""

from __future__ import annotations

from client.model.table.view_model import LogLine
from client.views.board.table_panels import ScrollPosition
from client.views.table.table_screen import TableScreen
from tests.support.clients.sessions import Table

NEWEST = "entry 39"


def shown(table: Table) -> list[str]:
    """Return the entries of the log in sight, the lowest first."""
    table.app.refresh()
    table.app.build()
    lines = [(y, key[0]) for key, _, y in table.app.ui.layers["panels"].letters.lines if key[0].startswith("entry ")]
    return [words for _, words in sorted(lines)]


def add(table: Table, *numbers: int) -> None:
    table.session.feed.add([LogLine(f"entry {number}") for number in numbers])
    table.session.changes += 1
    table.settle()


def test_the_log_stays_where_the_wheel_left_it_and_follows_at_its_end(table: Table) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    add(table, *range(40))
    assert shown(table)[0] == NEWEST
    add(table, 40)
    assert shown(table)[0] == "entry 40"
    view.log.turn(10)
    before = shown(table)
    assert before[0] == "entry 30"
    add(table, 41, 42, 43)
    assert shown(table) == before
    view.log.turn(-100)
    assert shown(table)[0] == "entry 43"
    add(table, 44)
    assert shown(table)[0] == "entry 44"


def test_older_entries_that_come_in_front_move_nothing() -> None:
    place = ScrollPosition(back=2)
    place.follow("cdef", least=1)
    place.follow("abcdefgh", least=1)
    assert (place.back, place.lowest) == (4, "d")
    place.follow("xyz", least=2)
    assert place.back == 1
