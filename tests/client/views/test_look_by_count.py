"""The look of every page by count: sizes and weights of all text, colours of the theme alone, edges on a grid of 4
pixels, marks seen everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from client.draw.die import draw_die
from client.ui import theme
from client.ui.layout import Rect
from client.ui.painter import Shape
from tests.client.views.test_every_page_fits import PAGES
from tests.support.clients.sessions import Table
from tests.support.clients.windows.off_grid import off_grid, words_off_grid
from tests.support.clients.windows.readable_app import ReadableApp

USUAL = (1280, 800)
ON_BOARD = ("ground", "veil", "marks")
MARKS = ("SELECT", "CAN_PICK", "CANNOT_PICK", "TARGET", "LESSON", "MARK_GOOD", "MARK_BAD", "MARK_WARN", "RULER")
"""Colours of opaque marks on the board, each of which has a dark edge."""


def theme_colours() -> Iterator[tuple[int, ...]]:
    """Yield all colours of the chosen theme and palette, whatever their opacity."""
    for value in vars(theme).values():
        yield from _colours_in(value)


def _colours_in(value: object) -> Iterator[tuple[int, ...]]:
    match value:
        case (int(red), int(green), int(blue), int()):
            yield red, green, blue
        case tuple():
            yield from (colour for part in value for colour in _colours_in(part))
        case dict():
            yield from (colour for part in value.values() for colour in _colours_in(part))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_five_sizes_the_colours_of_the_theme_the_grid_and_marks_with_a_dark_edge(
    table: Table, page: Callable[[Table], None]
) -> None:
    theme.choose("light", "red_green")  # not the first ones, so that a colour is found that was kept from those
    page(table)
    table.app.ui.scale = 1.0
    table.app.describe(USUAL)
    layers, known = table.app.ui.layers, set(theme_colours())
    table.app.help = table.app.settings_page.is_open = False
    table.app.refresh()
    lines = [key for layer in layers.values() for key, _, _ in layer.letters.lines]
    assert lines
    assert {key.size for key in lines} <= set(theme.SIZES)
    assert [(key.text, key.colour) for key in lines if key.colour[:3] not in known] == []
    shapes = {(name, *shape[2:]) for name, layer in layers.items() for shape in dict(layer.painter.shapes)}
    assert [shape for shape in shapes if shape[2][:3] not in known] == []
    assert off_grid(table.app.ui, table.app.front) == []
    assert words_off_grid(table.app.ui) == []
    assert [mark for name in ON_BOARD for mark in _bare_marks(set(dict(layers[name].painter.shapes)))] == []


def _bare_marks(shapes: set[Shape]) -> list[Shape]:
    """Return the marks without a dark edge."""
    tones = {getattr(theme, name) for name in MARKS}
    lines = [shape for shape in shapes if shape[0] in ("open", "closed") and shape[3] in tones]
    return [line for line in lines if (*line[:2], line[2] + 2, theme.CASING) not in shapes]


def test_no_text_is_smaller_than_13_pixels_and_there_are_five_sizes() -> None:
    assert len(theme.SIZES) == 5
    assert min(theme.SIZES) == 13


@pytest.mark.parametrize("side", [18, 24, 40, 64])
def test_a_number_on_a_die_has_one_of_the_sizes(app: ReadableApp, side: int) -> None:
    app.ui.begin(USUAL)
    draw_die(app.ui, Rect(100, 100, side, side), 20, 20, theme.WARN, is_pale=False)
    sizes = [key.size for key, _, _ in app.ui.letters.lines if key.text == "20"]
    app.ui.end()
    assert len(sizes) == 1
    assert sizes[0] in theme.SIZES
    assert sizes[0] <= max(side * 0.6, theme.SMALL)
