"""Base class of screens with the board in the middle and panels around it: live table and replay."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import TableLayout, table_layout
from client.views.board.board_panel import BoardPanel
from client.views.board.table_panels import ScrollPosition
from client.views.screen import Screen

if TYPE_CHECKING:
    from client.app.window import App


DRAWERS: Final = ("seats", "log", "prompt")
"""Panels that are drawers in a small window, or where the panels are folded, from the left."""


class BoardScreen(Screen):
    """Base screen with a board. `model`: what is drawn, which each subclass gathers for itself."""

    model: ViewModel

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.board = BoardPanel()
        self.log, self.chat = ScrollPosition(), ScrollPosition()
        self.drawer = "prompt"
        self.layout: TableLayout = table_layout(*app.get_size())

    def lay_out(self, ui: Ui) -> None:
        """Lay the panels out for the present size of the window."""
        cards = self.model.top.row is not None and not self.is_folded
        self.layout = table_layout(*ui.size, ui.scale, cards=cards, drawer=self.drawer, folded=self.is_folded)

    def draw_tabs(self, ui: Ui) -> None:
        """Draw the buttons of the drawers, where the window is too small for all panels; where a person has folded
        them, another one that brings them back."""
        if not self.layout.tabs.w:
            return
        ui.painter.rect(self.layout.tabs, theme.PANEL)
        boxes = self.layout.tabs.inset(ui.px(3)).columns(len(DRAWERS) + self.is_folded, 6)
        for box, name in zip(boxes, DRAWERS, strict=False):
            is_open = self.drawer == name
            ui.button(box, phrase(f"drawer.{name}"), partial(self._turn_drawer, name), chosen=is_open)
        if self.is_folded:
            ui.button(boxes[-1], phrase("fold.back"), self.fold, key=ui.keys.shown("fold"))

    @property
    def is_folded(self) -> bool:
        """True while the panels are folded away, so that the board has the window."""
        return False

    def fold(self) -> None:
        """Fold the panels away, or bring them back; nothing on a screen where that cannot be done."""

    def _turn_drawer(self, name: str) -> None:
        """Open a drawer, which shuts the one before, or shut it."""
        self.drawer = "" if self.drawer == name else name

    def pictures(self) -> object:
        return self.board.pictures()

    def draw_below(self) -> None:
        self.board.ground.draw()

    def draw_between(self) -> None:
        self.board.figures.sprites.draw()

    def wheel(self, x: float, y: float, steps: int) -> None:
        if self.layout.board.contains(x, y):
            self.board.wheel(x, y, steps)
