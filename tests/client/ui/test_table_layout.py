"""Panels of the table: they fill the window, never overlap, and leave the board most of it."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from client.app.key_dispatch import SCALES
from client.app.window import LEAST, SMALLEST
from client.ui import theme
from client.ui.layout import Rect
from client.ui.table_layout import CHAT, GOALS, LIVE, LOG, NOWHERE, PAST, PROMPT_TAB, SEATS, TableLayout, table_layout

SIZES = [SMALLEST, (1024, 640), (1280, 800), (1920, 1080), (3840, 2160)]
USUAL = (1280, 800)
SHARE, FOLDED_SHARE = 0.65, 0.92
"""Least shares of the window that the board has with panels, and with folded ones."""
FULLEST = 236
"""Pixels of the seats of six players with five goals."""


def panels(layout: TableLayout) -> list[Rect]:
    """Return all panels that are open, with the board."""
    all_of_them = (layout.row, layout.board, layout.seats, layout.prompt, layout.tabs, layout.feed, layout.chat)
    return [panel for panel in all_of_them if panel != NOWHERE]


def fills(layout: TableLayout, size: tuple[int, int]) -> bool:
    """Return True if the panels fill the window and none overlaps another."""
    is_apart = not any(one.overlaps(other) for one, other in combinations(panels(layout), 2))
    return is_apart and sum(panel.w * panel.h for panel in panels(layout)) == pytest.approx(size[0] * size[1])


def share(board: Rect, size: tuple[int, int]) -> float:
    return board.w * board.h / (size[0] * size[1])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", SCALES)
def test_panels_fill_the_window_and_never_overlap(size: tuple[int, int], scale: int) -> None:
    for cards, wanted, seats in product((True, False), ("", SEATS, PROMPT_TAB, *LIVE), (112, FULLEST)):
        layout = table_layout(*size, scale / 100, cards=cards, seats=seats, wanted=wanted)
        assert fills(layout, size)
        assert layout.board.w >= 300
        assert layout.board.h >= 300
        assert layout.shown in ("", *layout.names)


@pytest.mark.parametrize("size", [size for size in SIZES if size >= USUAL])
@pytest.mark.parametrize("cards", [True, False])
def test_the_board_has_two_thirds_of_the_window_beside_open_panels(size: tuple[int, int], cards: bool) -> None:
    layout = table_layout(*size, cards=cards, seats=FULLEST)
    assert share(layout.board, size) >= SHARE
    assert NOWHERE not in (layout.row, layout.seats, layout.prompt, layout.tabs, layout.feed)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (3840, 2160)])
def test_the_board_has_the_window_where_panels_are_folded(size: tuple[int, int]) -> None:
    assert share(table_layout(*size, cards=False, folded=True).board, size) >= FOLDED_SHARE


def test_at_the_usual_size_all_edges_stand_on_the_grid() -> None:
    for cards, wanted, folded in product((True, False), ("", SEATS, PROMPT_TAB, *LIVE), (True, False)):
        layout = table_layout(*USUAL, cards=cards, wanted=wanted, folded=folded)
        assert [panel for panel in panels(layout) if any(edge % theme.STEP for edge in panel)] == []


@pytest.mark.parametrize("scale", [1.0, 1.4, 2.0])
@pytest.mark.parametrize("wanted", ["", SEATS, PROMPT_TAB, LOG, CHAT, PAST])
def test_every_panel_is_a_tab_where_panels_are_folded_and_in_a_small_window(wanted: str, scale: float) -> None:
    for size, folded in ((USUAL, True), (LEAST, False)):
        layout = table_layout(*size, scale, cards=False, wanted=wanted, folded=folded)
        assert fills(layout, size)
        assert layout.names == (SEATS, PROMPT_TAB, *LIVE)
        assert layout.shown == wanted
        assert {name for name in layout.names if layout.place_of(name).w} == {wanted} - {""}


def test_goals_give_way_before_the_prompt_and_the_log_do() -> None:
    seats, goals = 204, 88
    for height, is_there in ((800, True), (650, False)):
        layout = table_layout(1040, height, seats=seats, goals=goals)
        assert layout.seats.h == seats + goals * is_there
        assert layout.prompt.w
        assert layout.feed.w


def test_where_the_column_is_low_the_prompt_is_a_tab_and_open_first() -> None:
    for wanted in ("", SEATS, *LIVE):
        layout = table_layout(*USUAL, 2.0, seats=FULLEST, wanted=wanted)
        shown = wanted if wanted in LIVE else PROMPT_TAB
        assert layout.names == (PROMPT_TAB, *LIVE)
        assert [name for name in layout.names if layout.place_of(name).w] == [shown]
        assert layout.seats.w


def test_where_the_column_is_high_the_chat_has_a_place_of_its_own() -> None:
    for wanted in ("", CHAT, PAST):
        layout = table_layout(3840, 2160, wanted=wanted)
        assert layout.names == (LOG, PAST)
        assert layout.place_of(CHAT) == layout.chat != NOWHERE
        assert layout.place_of(PAST if wanted == PAST else LOG) == layout.feed
    assert table_layout(3840, 2160, tabs=(LOG, GOALS)).chat == NOWHERE
