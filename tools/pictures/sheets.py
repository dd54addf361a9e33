"""All screens at three sizes of the window and three scales of text, on contact sheets of twelve: in out/sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from client.app.window import SMALLEST
from tests.client.views import test_every_page_fits as pages
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tools.pictures.camera import Camera

SIZES: Final = (SMALLEST, (1280, 800), (1920, 1080))
SCALES: Final = (100, 130, 160)
SCREENS: Final[tuple[Callable[[Table], None], ...]] = (
    pages.opened, pages.menu, pages.lobby, pages.set_up, pages.results, pages.account, pages.over, pages.replayed,
    pages.settings, pages.book, pages.factions, pages.factions_below,
)  # fmt: skip
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
        finally:
            app.close()
    for number, names in enumerate(_parts(camera.taken), 1):
        sheet(OUT, names).save(OUT / f"sheet-{number:02}.png")


def _draw(app: ReadableApp, folder: Path, screen: Callable[[Table], None], camera: Camera) -> None:
    """Draw one screen at each scale."""
    app.front = app.confirmation = None
    app.close_pages()
    app.before_tick.clear()
    app.scale_text(SCALES[0])
    table = at_table(app, folder)
    table.navigator.in_lobby = screen in IN_LOBBY
    screen(table)
    for scale in SCALES:
        app.scale_text(scale)
        camera.take(app, f"{screen.__name__}-{app.width}-{scale}")


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
