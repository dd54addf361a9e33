"""Screen of a table as a picture: the panels of the live table without anything to click. Base of the replay's
screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.draw.board.groups import Marks, group_label
from client.draw.panels.seats import draw_seats
from client.draw.panels.victory_conditions import draw_victory_conditions
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.board.board_screen import BoardScreen
from client.views.board.table_panels import draw_bottom, draw_top

if TYPE_CHECKING:
    from client.app.window import App


class StaticTableScreen(BoardScreen):
    """The table of one view model. `playing`: figures glide to their places rather than appear there."""

    playing = False

    def __init__(self, app: App, model: ViewModel) -> None:
        super().__init__(app)
        self.model = model

    def build(self, ui: Ui) -> None:
        self.lay_out(ui)
        draw_top(ui, self.layout.row, self.model)
        draw_seats(ui, self.layout.seats, self.model)
        self.side(ui, self.layout.prompt)
        draw_bottom(ui, self.layout.log, self.model, self.log, self.chat, None)
        stack = frozenset(thing for _, item in self.model.top.stack for thing in item.about)
        names = self.board.build(ui, self.layout.board, self.model, Marks(about=stack), glide=self.playing)
        for group, box in names.items():
            ui.tag(box, group_label(self.model.texts, self.model.top.groups[group]))

    def side(self, ui: Ui, rect: Rect) -> None:
        """Draw the panel at the right."""
        draw_victory_conditions(ui, ui.panel(rect, phrase("standing.title")), self.model)
