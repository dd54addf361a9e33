"""Popup with the army lists that a person keeps on this computer for the game of the table: a click loads one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from client.model.lobby.kept_lists import lists_of
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.scrolled_rows import ScrolledRows, draw_bar
from protocol.text import Text, text

if TYPE_CHECKING:
    from client.app.navigator import Navigator

WIDTH, ROW, GAP, FRAME = 520, 32, 4, 60
ROWS: Final = 12
"""In sight at once, where the window is high enough."""


class KeptListsPopup:
    """Popup over the list builder. `load` takes the name of a list, and returns False where it cannot be read."""

    def __init__(self, session: ClientSession, navigator: Navigator, load: Callable[[str], bool]) -> None:
        self.session = session
        self.navigator = navigator
        self.is_open = False
        self.names: list[str] = []
        """The newest first."""
        self._load = load
        self._rows = ScrolledRows()

    def read(self) -> None:
        """Read what is kept for the game of the table."""
        table, systems = self.session.conversation.table, self.session.conversation.systems
        game = table.system if table is not None else ""
        self.names = lists_of(game, self.navigator.army_lists, systems.systems if systems is not None else ())

    def draw_button(self, ui: Ui, rect: Rect) -> None:
        """Draw the button that opens it."""
        act = self.open if self.names else None
        ui.button(
            rect,
            phrase("list_builder.mine"),
            act,
            tip=phrase("list_builder.mine.tip" if self.names else "list_builder.mine.none"),
        )

    def open(self) -> None:
        self.is_open, self.session.notice = True, ""
        self._rows = ScrolledRows()

    def close(self) -> None:
        self.is_open = False

    def draw(self, ui: Ui) -> None:
        count = min(len(self.names), ROWS) + 2
        inside = ui.popup(ui.px(WIDTH), ui.px(FRAME) + count * ui.px(ROW + GAP), phrase("list_builder.mine.title"))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        note, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        ui.line(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        ui.button(foot, self.session.texts.say(Text("lists.close")), self.close, key=ui.keys.shown("back"))
        bar, rows = inside.cut_right(ui.px(4), ui.px(8))
        shown = list(self._rows.fitting(ui, rows, self.names, ui.px(ROW), ui.px(GAP)))
        for box, name in shown:
            label = self.session.texts.say(text("lists.load", name=name))
            ui.button(box, name, partial(self._take, name), name=label, tip=label, left=True, listed=True)
        if len(shown) < len(self.names):
            draw_bar(ui, bar, self._rows.first, len(shown), len(self.names))

    def _take(self, name: str) -> None:
        self.session.notice = ""
        self.is_open = not self._load(name)
