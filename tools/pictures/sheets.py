"""All screens at three sizes of the window and three scales of text, then table, lobby and set-up in each theme and
palette, on contact sheets of twelve: in out/sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from client.app.window import SMALLEST
from client.ui import theme
from client.ui.theme import PALETTES, THEMES
from tests.client.views import test_every_page_fits as pages
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tools.pictures.camera import Camera

USUAL: Final = (1280, 800)
SIZES: Final = (SMALLEST, USUAL, (1920, 1080))
SCALES: Final = (100, 130, 160)
SCREENS: Final[tuple[Callable[[Table], None], ...]] = (
    pages.first_start, pages.opened, pages.menu, pages.lobby, pages.set_up_seen, pages.results,
    pages.account, pages.over, pages.replayed,
    pages.settings, pages.book, pages.factions,
)  # fmt: skip
IN_COLOURS: Final[tuple[Callable[[Table], None], ...]] = (pages.opened, pages.lobby, pages.set_up_seen)
"""Screens that are drawn in all colours."""
COLOURS: Final = (*product(THEMES[1:], PALETTES[:1]), *product(THEMES[:1], PALETTES[1:]))
"""Themes and palettes of the seats, without those that all screens have."""
IN_LOBBY: Final = (pages.lobby, pages.results, pages.account)
ON_A_SHEET, COLUMNS = 12, 3
CELL: Final = (640, 420)
HEAD: Final = 16
OUT: Final = Path("out/sheets")
MOST_BYTES: Final = 1_000_000
"""Of a picture that is not kept: it is looked at alone."""


async def draw_sheets(folder: Path, _: Camera) -> None:
    """Draw every screen, and put the pictures together. Raises OSError."""
    camera = Camera(OUT, MOST_BYTES)
    for size in SIZES:
        app = ReadableApp(size, visible=False)
        try:
            for screen in SCREENS:
                _draw(app, folder, screen, camera)
            if size == USUAL:
                _draw_colours(app, folder, camera)
        finally:
            app.close()
    for number, names in enumerate(_parts(camera.taken), 1):
        sheet(OUT, names).save(OUT / f"sheet-{number:02}.png")


def _draw_colours(app: ReadableApp, folder: Path, camera: Camera) -> None:
    """Draw some screens in each theme and palette."""
    try:
        for name, palette in COLOURS:
            theme.choose(name, palette)
            for screen in IN_COLOURS:
                _open(app, folder, screen)
                camera.take(app, f"{screen.__name__}-{name}-{palette}")
    finally:
        theme.choose(THEMES[0], PALETTES[0])


def _draw(app: ReadableApp, folder: Path, screen: Callable[[Table], None], camera: Camera) -> None:
    """Draw one screen at each scale."""
    _open(app, folder, screen)
    for scale in SCALES:
        app.scale_text(scale)
        camera.take(app, f"{screen.__name__}-{app.width}-{scale}")


def _open(app: ReadableApp, folder: Path, screen: Callable[[Table], None]) -> None:
    """Show one screen."""
    app.front = app.confirmation = None
    app.close_pages()
    app.before_tick.clear()
    app.scale_text(SCALES[0])
    table = at_table(app, folder)
    table.navigator.in_lobby = screen in IN_LOBBY
    screen(table)


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), ON_A_SHEET):
        yield names[start : start + ON_A_SHEET]


def sheet(folder: Path, names: Sequence[str]) -> Image.Image:
    """Return these pictures of a folder side by side, each below its name. Raises OSError."""
    (width, height), rows = CELL, -(-len(names) // COLUMNS)
    whole = Image.new("RGB", (width * COLUMNS, height * rows), "white")
    pen = ImageDraw.Draw(whole)
    for place, name in enumerate(names):
        x, y = place % COLUMNS * width, place // COLUMNS * height
        with Image.open(folder / f"{name}.png") as found:
            picture = found.convert("RGB")
        picture.thumbnail((width - 4, height - HEAD - 4))
        pen.text((x, y), name, fill="black")
        whole.paste(picture, (x, y + HEAD))
    return whole
