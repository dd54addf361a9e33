"""Base class of screens with the board in the middle and panels around it: live table and replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.model.view_model import ViewModel
from client.ui.frame import Ui
from client.ui.layout import TableLayout, table_layout
from client.views.board.board_panel import BoardPanel
from client.views.board.table_panels import ScrollPosition
from client.views.screen import Screen

if TYPE_CHECKING:
    from client.app.window import App


class BoardScreen(Screen):
    """Base screen with a board. `model`: what is drawn, which each subclass gathers for itself."""

    model: ViewModel

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.board = BoardPanel()
        self.log, self.chat = ScrollPosition(), ScrollPosition()
        self.layout: TableLayout = table_layout(*app.get_size())

    def lay_out(self, ui: Ui) -> None:
        """Lay the panels out for the present size of the window."""
        self.layout = table_layout(*ui.size, ui.scale, cards=self.model.top.row is not None)

    def pictures(self) -> object:
        return self.board.pictures()

    def draw_below(self) -> None:
        self.board.ground.draw()

    def draw_between(self) -> None:
        self.board.figures.sprites.draw()

    def wheel(self, x: float, y: float, steps: int) -> None:
        if self.layout.board.contains(x, y):
            self.board.wheel(x, y, steps)
