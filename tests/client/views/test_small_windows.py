"""Small windows: panels as tabs, then one line that says what is needed; larger again, all is back."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.app.navigator import Navigator
from client.app.window import SMALLEST
from client.storage.profile import UserProfile
from client.text.phrases import phrase
from client.views.table.table_screen import TableScreen
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp


def labels_at(table: Table, size: tuple[int, int]) -> set[str]:
    """Return what can be clicked or asked about in a window of this size."""
    table.app.describe(size)
    table.app.refresh()
    return {spot.label for spot in table.app.ui.hotspots}


def turn(table: Table, tab: str) -> None:
    """Press a tab, as it stood last."""
    spot = next(spot for spot in table.app.ui.hotspots if spot.label == tab)
    assert spot.act is not None
    spot.act()


def test_each_panel_is_a_tab_in_a_small_window(table: Table) -> None:
    view, small = table.app.front, (800, 600)
    assert isinstance(view, TableScreen)
    shown = labels_at(table, small)
    assert {"Move a group", "What to do", "Players", "Iron Shells 1"} <= shown
    assert "Say something (Ctrl+T)" not in shown
    for tab, what in (
        ("Chat", "Say something (Ctrl+T)"),
        ("Log", "about the dice"),
        ("Players", "seat Iron Shells (you)"),
    ):
        turn(table, tab)
        assert what in labels_at(table, small)
        assert "Move a group" not in labels_at(table, small)
    turn(table, "Players")
    assert view.tab == ""
    assert {"Move a group", "seat Iron Shells (you)", "about the log"} <= labels_at(table, (1280, 800))


@pytest.mark.parametrize("size", [(799, 700), (1200, 599), (400, 300)])
def test_below_that_one_line_says_what_is_needed(table: Table, size: tuple[int, int]) -> None:
    assert labels_at(table, size) == set()
    words = " ".join(key[0] for key, _, _ in table.app.ui.layers["panels"].letters.lines)
    assert f"{size[0]} x {size[1]} pixels; the game needs 800 x 600" in words
    labels_at(table, (1280, 800))


@pytest.mark.parametrize("scale", [100, 160])
def test_a_note_at_the_address_is_seen_whole(app: ReadableApp, tmp_path: Path, scale: int) -> None:
    profile = UserProfile("Ada", servers=[f"friend{number}.example.org:8440" for number in range(4)])
    navigator = Navigator(app, profile, "test", tmp_path)
    navigator.to_address(phrase("profile.set_aside", path="/a/long/place" * 5, why="Input data was truncated"))
    app.scale_text(scale)
    app.describe(SMALLEST)
    shown = " ".join(key[0] for key, _, _ in app.ui.layers["panels"].letters.lines)
    assert "brings it back" in shown
    assert "Quit" in {spot.label for spot in app.ui.hotspots}
    app.refresh()
