"""The buttons of the notices at the foot of the board show the keys that the person has for them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.draw.panels.notices import OTHER_RULES
from protocol.wire.from_server import TableView
from tests.support.clients.sessions import Table
from tests.support.examples import scenes

VIEW = scenes.table_view(1)
SEATS = tuple(replace(seat, bot="level1") if seat.seat == 1 else seat for seat in VIEW.seats)


@pytest.mark.parametrize(
    ("view", "action", "key"),
    [
        (replace(VIEW, seats=SEATS), "again", "F9"),
        (replace(VIEW, rest="paused"), "pause", "F5"),
        (replace(VIEW, parked=OTHER_RULES), "pause", "F5"),
    ],
    ids=["bot", "rest", "parked"],
)
def test_a_changed_key_stands_on_the_button(view: TableView, action: str, key: str, table: Table) -> None:
    table.say(view)
    assert words_on(table) >= {key}
    table.app.ui.keys.change(action, 0, "f11")
    table.app.refresh()
    shown = words_on(table)
    assert "F11" in shown
    assert key not in shown


def words_on(table: Table) -> set[str]:
    """Return all that stands in the window."""
    table.app.build()
    return {line[0][0] for layer in table.app.ui.layers.values() for line in layer.letters.lines}
