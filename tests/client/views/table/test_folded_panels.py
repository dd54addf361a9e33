"""Panels folded away, so that the board has the window: by mouse and by keys, kept for other tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.storage.profile import load_profile
from client.ui.layout import Rect
from client.views.table.table_screen import TableScreen
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

SHARE = 0.92
"""Least share of the window that the board has."""


def playing(table: Table) -> TableScreen:
    assert isinstance(table.app.front, TableScreen)
    return table.app.front


def share(board: Rect, size: tuple[int, int]) -> float:
    return round(board.w * board.h / (size[0] * size[1]), 3)


@pytest.mark.parametrize("by_keys", [True, False])
def test_panels_fold_and_come_back(table: Table, hand: Hand, tmp_path: Path, *, by_keys: bool) -> None:
    def fold(label: str) -> None:
        if by_keys:
            hand.press(keys.B, keys.MOD_CTRL)
        else:
            hand.click_on(label)

    if not by_keys:
        hand.click_on("Menu")
    fold("Fold the panels")
    shown = table.app.labels()
    assert share(playing(table).layout.board, (1280, 800)) >= SHARE
    assert load_profile("test", tmp_path).folded
    assert "Say something (Ctrl+T)" not in shown
    assert TableScreen(table.app, table.session, table.navigator).is_folded
    hand.click_on("Chat")
    assert "Say something (Ctrl+T)" in table.app.labels()
    fold("All panels")
    assert {"Move a group", "about the log", "seat Iron Shells (you)"} <= set(table.app.labels())
    assert not load_profile("test", tmp_path).folded


def test_what_can_be_done_is_reached_with_folded_panels(table: Table, hand: Hand) -> None:
    hand.press(keys.B, keys.MOD_CTRL)
    hand.click_on("What to do")
    hand.click_on("Move a group")
    assert playing(table).controller.driver is not None
