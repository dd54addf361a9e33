"""Program that draws a table into a PNG file without a visible window; `eschaton-server content draw` runs it.

It takes a TablePicture as msgpack from its input, and the file as its argument.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import msgspec

from client.app.display import go_headless
from client.text.phrases import phrase
from protocol.scene.nodes import TABLE_NODE, Table
from protocol.scene.table_pictures import TablePicture

COLOURS: Final = 160
LOWEST: Final = 240
"""Least height of a picture, in pixels."""


def draw(picture: TablePicture, path: Path) -> None:
    """Draw a table. Raises OSError if the file cannot be written, RuntimeError if nothing can be drawn here."""
    go_headless()
    try:
        import arcade
        from PIL import Image

        from client.app.window import LEAST, App
        from client.text.texts import Texts
        from client.views.board.board_picture import BoardPicture

        width, height = _size(picture)
        app = App((max(width, LEAST[0]), max(height, LEAST[1])), visible=False)
    except ImportError as error:
        raise RuntimeError(phrase("picture.none.window")) from error
    except Exception as error:  # whatever the graphics driver raises
        raise RuntimeError(phrase("picture.none.opengl", why=str(error))) from error
    try:
        texts = Texts()
        texts.learn(picture.entries)
        app.show(BoardPicture(app, picture.table, texts, (width, height)))
        app.switch_to()
        app.on_draw()
        image = arcade.get_image(0, app.get_size()[1] - height, width, height).convert("RGB")
        image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, "PNG", optimize=True)
    finally:
        app.close()


def _size(picture: TablePicture) -> tuple[int, int]:
    """Return the picture's sides: the table fills it."""
    table = picture.table.nodes.get(TABLE_NODE)
    width, height = table.size if isinstance(table, Table) else (1, 1)
    return picture.width, max(LOWEST, picture.width * height // max(width, 1))


def main() -> int:
    """Draw what stands in the input; return the exit status, with a sentence on the error stream where it is not 0."""
    picture = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=TablePicture)
    try:
        draw(picture, Path(sys.argv[1]))
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0
