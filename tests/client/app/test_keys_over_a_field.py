"""Keys that hold everywhere, pressed while a text field has the focus."""

from __future__ import annotations

import pytest
from arcade import key as keys

from client.app.key_dispatch import is_for_text
from client.views.table.table_screen import TableScreen
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand


@pytest.fixture
def writing(table: Table, hand: Hand) -> Table:
    """Window at a table, in whose chat a line has been begun."""
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("hold the mill")
    return table


def line(table: Table) -> str:
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert table.app.ui.focus in (None, view.say)
    return view.say.text


def test_sizes_and_sounds_change_and_the_line_goes_on(writing: Table, hand: Hand) -> None:
    hand.press(keys.EQUAL, keys.MOD_CTRL)
    assert writing.app.text_scale == 110
    hand.press(keys.MINUS, keys.MOD_CTRL)
    assert writing.app.text_scale == 100
    hand.press(keys.S, keys.MOD_CTRL)
    assert not writing.profile.sound
    hand.type(" well")
    assert line(writing) == "hold the mill well"


@pytest.mark.parametrize(
    ("symbol", "modifiers", "page"),
    [(keys.F1, 0, "help"), (keys.K, keys.MOD_CTRL, "keys"), (keys.COMMA, keys.MOD_CTRL, "settings")],
)
def test_a_page_opens_takes_the_next_keys_and_leaves_the_line(
    writing: Table, hand: Hand, symbol: int, modifiers: int, page: str
) -> None:
    def is_open() -> bool:
        app = writing.app
        return {"help": app.help, "keys": app.keys_page.is_open, "settings": app.settings_page.is_open}[page]

    hand.press(symbol, modifiers)
    assert is_open()
    hand.press(keys.ESCAPE)
    assert not is_open()
    assert line(writing) == "hold the mill"


def test_keys_of_the_clipboard_go_before_those_of_the_window(writing: Table, hand: Hand) -> None:
    writing.profile.key_changes["mute"] = ["ctrl+a"]
    hand.press(keys.A, keys.MOD_CTRL)
    assert writing.profile.sound
    hand.type("go")
    assert line(writing) == "go"


def test_a_letter_that_opens_a_page_elsewhere_is_written_in_a_field(writing: Table, hand: Hand) -> None:
    writing.profile.key_changes["help"] = ["h"]
    hand.press(keys.H)
    hand.type("h")
    assert not writing.app.help
    assert line(writing) == "hold the millh"


@pytest.mark.parametrize(
    ("chord", "is_text"),
    [
        ("f", True), ("shift+f", True), ("page_up", True), ("+", True), ("f1", False), ("shift+f12", False),
        ("ctrl++", False), ("alt+shift+x", False),
    ],
)  # fmt: skip
def test_keys_of_text_are_told_from_commands(chord: str, *, is_text: bool) -> None:
    assert is_for_text(chord) == is_text
