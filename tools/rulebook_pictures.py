"""The rulebooks' pictures as files, drawn by the client's own board and row of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import arcade
from PIL import Image

from client.app.window import LEAST, App
from client.draw.panels.cards import draw_row
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from client.ui.frame import Ui
from client.views.board.board_picture import BoardPicture, corner
from client.views.screen import Screen
from protocol.scene.diagrams import Diagram

SIZE: Final = (640, 320)
"""Pixels of a picture: the upper left corner of a window that is large enough to be drawn at all."""
ROW: Final = 100
"""The height of the picture of the row."""
COLOURS: Final = 160


class RowPicture(Screen):
    """View of the row of cards alone."""

    def __init__(self, app: App, diagram: Diagram) -> None:
        super().__init__(app)
        self.diagram = diagram

    def build(self, ui: Ui) -> None:
        strip = corner(ui, SIZE).cut_top(ROW)[0].inset(ui.px(8))
        draw_row(ui, strip, ViewModel(Tabletop(self.diagram.nodes), Texts()))


def draw_all(books: Mapping[Path, Mapping[str, Diagram]]) -> Iterator[Path]:
    """Draw every picture of a book into its folder. Raises OSError."""
    app = App(LEAST, visible=False)
    try:
        pictures = [
            (folder / f"{name}.png", diagram) for folder, book in books.items() for name, diagram in book.items()
        ]
        for path, diagram in pictures:
            is_row = "row" in diagram.nodes
            app.show(RowPicture(app, diagram) if is_row else BoardPicture(app, diagram, Texts(), SIZE))
            app.on_draw()
            height = ROW if is_row else SIZE[1]
            image = arcade.get_image(0, LEAST[1] - height, SIZE[0], height)
            image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, "PNG", optimize=True)
            yield path
    finally:
        app.close()
