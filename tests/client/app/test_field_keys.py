"""Keys and mouse in a text field of the window: selection, clipboard, words."""

from __future__ import annotations

import pytest
from arcade import key as keys

from client.views.table.table_screen import TableScreen
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits


@pytest.fixture
def clipboard(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The clipboard of a display that has one: the last entry is what is on it."""
    held: list[str] = [""]
    monkeypatch.setattr(table.app, "set_clipboard_text", held.append)
    monkeypatch.setattr(table.app, "get_clipboard_text", lambda: held[-1])
    return held


def write(table: Table, hand: Hand, words: str) -> TableScreen:
    view = table.app.front
    assert isinstance(view, TableScreen)
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type(words)
    return view


def test_copy_cut_paste_and_all(table: Table, hand: Hand, clipboard: list[str]) -> None:
    view = write(table, hand, "hold the mill")
    hand.press(keys.A, keys.MOD_CTRL)
    hand.press(keys.C, keys.MOD_CTRL)
    assert (clipboard[-1], view.say.text) == ("hold the mill", "hold the mill")
    table.app.dispatch_event("on_text_motion", keys.MOTION_END_OF_LINE)
    table.app.dispatch_event("on_text_motion_select", keys.MOTION_PREVIOUS_WORD)
    table.app.dispatch_events()
    hand.press(keys.X, keys.MOD_CTRL)
    assert (clipboard[-1], view.say.text) == ("mill", "hold the ")
    hand.press(keys.V, keys.MOD_CTRL)
    hand.press(keys.V, keys.MOD_CTRL)
    assert view.say.text == "hold the millmill"


def test_the_mouse_puts_the_caret_and_selects(table: Table, hand: Hand) -> None:
    view = write(table, hand, "hold")
    table.app.build()
    spot = next(spot for spot in table.app.ui.front_spots if spot.input is view.say)
    y = spot.rect.centre[1]
    hand.drag((spot.rect.x + 1, y), (spot.rect.right - 1, y))
    assert view.say.selection == (0, 4)
    hand.type("go")
    assert view.say.text == "go"


def test_tab_goes_on_from_a_field_and_an_empty_line_of_chat_is_closed_by_enter(table: Table, hand: Hand) -> None:
    view = write(table, hand, "")
    hand.press(keys.ENTER)
    assert table.app.ui.focus is None
    table.app.step(3)
    hand.press(keys.T, keys.MOD_CTRL)
    assert table.app.ui.focus is view.say
    hand.press(keys.TAB)
    assert table.app.ui.focus is None
    assert table.app.ui.marked is not None
