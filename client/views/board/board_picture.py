"""View of the board alone, for pictures: a scene with its figures, and arrows over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.draw.board.groups import Marks
from client.draw.diagram import draw_arrow
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.board.board_panel import BoardPanel
from client.views.screen import Screen
from protocol.scene.diagrams import Diagram

if TYPE_CHECKING:
    from client.app.window import App


def corner(ui: Ui, size: tuple[int, int]) -> Rect:
    """Return the upper left part of the window that becomes a picture of this size: a window as small as the picture
    might not be drawn at all."""
    return ui.window.cut_top(size[1])[0].cut_left(size[0])[0]


class BoardPicture(Screen):
    """The board in the upper left corner of a window, so many pixels wide and high."""

    def __init__(self, app: App, diagram: Diagram, texts: Texts, size: tuple[int, int]) -> None:
        super().__init__(app)
        self.size = size
        self.diagram = diagram
        self.texts = texts
        self.board = BoardPanel()

    def build(self, ui: Ui) -> None:
        """Describe the board, and the arrows over it."""
        model = ViewModel(Tabletop(self.diagram.nodes), self.texts)
        self.board.build(ui, corner(ui, self.size), model, Marks(), whole_names=True)
        ui.on("marks")
        camera = self.board.camera
        for arrow in self.diagram.arrows:
            draw_arrow(ui, arrow, camera.to_window(*arrow.start), camera.to_window(*arrow.end))

    def draw_below(self) -> None:
        """Draw the ground."""
        self.board.ground.draw()

    def draw_between(self) -> None:
        """Draw the figures."""
        self.board.figures.sprites.draw()
