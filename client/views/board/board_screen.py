"""Base class of screens with the board in the middle and panels around it: live table and replay."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from client.draw.panels.seats import seats_height
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import measure, theme
from client.ui.frame import Ui
from client.ui.table_layout import LIVE, PROMPT_TAB, SEATS, TableLayout, table_layout
from client.views.board.board_panel import BoardPanel
from client.views.board.table_panels import ScrollPosition
from client.views.screen import Screen

if TYPE_CHECKING:
    from client.app.window import App


class BoardScreen(Screen):
    """Base screen with a board. `model`: what is drawn, which each subclass gathers for itself; `feeds`: the panels
    that share the place below the prompt; `tab`: the one that is wanted, which may be seats or prompt where these are
    tabs, too."""

    model: ViewModel
    feeds: tuple[str, ...] = LIVE

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.board = BoardPanel(worker=app.ground_worker)
        self.log, self.chat = ScrollPosition(), ScrollPosition()
        self.tab = PROMPT_TAB
        self.layout: TableLayout = table_layout(*app.get_size())

    def lay_out(self, ui: Ui) -> None:
        """Lay the panels out for the present size of the window."""
        cards = self.model.top.row is not None and not self.is_folded
        seats, goals = seats_height(self.model)
        self.layout = table_layout(
            *ui.size,
            ui.scale,
            cards=cards,
            seats=seats,
            goals=goals,
            prompt=self.prompt_height(),
            tabs=self.feeds,
            wanted=self.tab,
            folded=self.is_folded,
        )

    def draw_tabs(self, ui: Ui) -> None:
        """Draw the tabs; where a person has folded the panels, another button that brings them back."""
        layout = self.layout
        ui.painter.box(layout.tabs, theme.PANEL, 1, theme.PANEL_EDGE)
        boxes = layout.tabs.inset(ui.px(4)).columns(len(layout.names) + self.is_folded, ui.px(4))
        for box, name in zip(boxes, layout.names, strict=False):
            is_open, tip = layout.shown == name, phrase(f"tab.{name}.tip")
            act = partial(self.turn_tab, name)
            words, calls = self.tab_words(name), self.tab_calls(name)
            if measure.width(words, ui.px(theme.BODY), narrow=True) > box.w - 2 * ui.px(8):
                words = phrase(f"tab.{name}.short")
            ui.button(box, words, act, chosen=is_open, primary=calls, tip=tip, name=phrase(f"tab.{name}"))
        if self.is_folded:
            ui.button(boxes[-1], phrase("fold.back"), self.fold, key=ui.keys.shown("fold"))

    def prompt_height(self) -> int:
        """Return the pixels that the panel of the prompt would take at text scale 1, 0 where its share will do."""
        return 0

    def tab_words(self, name: str) -> str:
        """Return the words on a tab."""
        return phrase(f"tab.{name}")

    def tab_calls(self, name: str) -> bool:
        """Return True where a tab that is shut has something new."""
        return False

    @property
    def is_folded(self) -> bool:
        """True while the panels are folded away, so that the board has the window."""
        return False

    def fold(self) -> None:
        """Fold the panels away, or bring them back; nothing on a screen where that cannot be done."""

    def turn_tab(self, name: str) -> None:
        """Open a tab; the one that is open is shut where none need be open."""
        is_shut = self.layout.shown == name and SEATS in self.layout.names
        self.tab = "" if is_shut else name

    def pictures(self) -> object:
        return self.board.pictures()

    def draw_below(self) -> None:
        self.board.ground.draw()

    def draw_between(self) -> None:
        self.board.figures.sprites.draw()

    def wheel(self, x: float, y: float, steps: int) -> None:
        if self.layout.board.contains(x, y):
            self.board.wheel(x, y, steps)
