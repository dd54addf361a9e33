"""Popup with the set-ups of tables that a person keeps by name: a table is set up by one, or kept as one."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from client.model.lobby.table_options import rule_options
from client.model.lobby.table_setups import TableSetup, read_setup, setup_of, written
from client.model.session import ClientSession
from client.storage.named_files import MOST_NAME, NamedFiles
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.scrolled_rows import ScrolledRows, draw_bar
from client.ui.text_input import TextInput
from protocol.wire.choices import SystemChoice
from protocol.wire.from_server import TableView

WIDTH, ROW, GAP, FRAME, FORGET = 620, 32, 4, 60, 80
COLUMNS: Final = 2
ROWS: Final = 6
"""In sight at once, where the window is high enough."""


class SetupsPopup:
    """Popup of a screen. `files`: what is kept on this computer."""

    def __init__(self, session: ClientSession, files: NamedFiles) -> None:
        self.session = session
        self.name = TextInput(most=MOST_NAME, enter=self._keep)
        self.is_open = False
        self._files = files
        self._kept: dict[str, TableSetup] = {}
        """By name, those for the game of the table."""
        self._rows = ScrolledRows()
        self._present: TableSetup | None = None
        """That of the table."""

    def draw_button(self, ui: Ui, rect: Rect, table: TableView) -> None:
        """Draw the button that opens the popup."""
        ui.button(rect, phrase("setups.open"), partial(self.open, table), tip=phrase("setups.open.tip"))

    def open(self, table: TableView) -> None:
        """Open it with what is kept for the game of this table."""
        self.is_open, self.session.notice = True, ""
        self.name.set("")
        self._rows = ScrolledRows()
        self._read(table.system)

    def close(self) -> None:
        self.is_open = False

    def draw(self, ui: Ui, table: TableView, system: SystemChoice | None) -> None:
        options = rule_options(system, table.scenario) if system is not None else []
        self._present = setup_of(table, options)
        inside = ui.popup(ui.px(WIDTH), ui.px(FRAME) + (ROWS + 3) * ui.px(ROW + GAP), phrase("setups.title"))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        field, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        note, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        ui.line(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        ui.button(foot, phrase("seat.close"), self.close, key=ui.keys.shown("back"))
        keep, field = field.cut_right(ui.px(180), ui.px(GAP))
        ui.input(field, self.name, phrase("setups.name"))
        can = bool(self.name.text.strip())
        tip = phrase("setups.keep.tip" if can else "setups.name_first")
        ui.button(keep, phrase("setups.keep"), self._keep if can else None, primary=can, tip=tip)
        if not self._kept:
            ui.lines(phrase("setups.none"), inside, colour=theme.MUTED)
        is_owner = table.owner == self.session.conversation.you
        names = list(self._kept)
        rows = [names[start : start + COLUMNS] for start in range(0, len(names), COLUMNS)]
        bar, inside = inside.cut_right(ui.px(4), ui.px(8))
        shown = list(self._rows.fitting(ui, inside, rows, ui.px(ROW), ui.px(GAP)))
        for row, kept in shown:
            for box, name in zip(row.columns(COLUMNS, ui.px(GAP)), kept, strict=False):
                self._draw_kept(ui, box, name, is_owner=is_owner)
        if len(shown) < len(rows):
            draw_bar(ui, bar, self._rows.first, len(shown), len(rows))

    def _draw_kept(self, ui: Ui, box: Rect, name: str, *, is_owner: bool) -> None:
        away, box = box.cut_right(ui.px(FORGET), ui.px(GAP))
        act = partial(self._take, name) if is_owner else None
        tip = phrase("setups.take.tip" if is_owner else "option.owner")
        ui.button(box, name, act, name=phrase("setups.take", name=name), tip=tip, left=True, listed=True)
        ui.button(
            away, phrase("setups.forget"), partial(self._forget, name), name=phrase("setups.forget.of", name=name)
        )

    def _take(self, name: str) -> None:
        self.close()
        self.session.say(self._kept[name].change)

    def _keep(self) -> None:
        present, name = self._present, self.name.text.strip()
        if present is None or not name:
            return
        try:
            name = self._files.keep(name, written(present), over=self._kept)
        except OSError as problem:
            self._fail(problem)
            return
        self._read(present.system)
        self.name.set("")
        self.session.notice = phrase("setups.kept", name=name)

    def _forget(self, name: str) -> None:
        try:
            self._files.forget(name)
        except OSError as problem:
            self._fail(problem)
            return
        self._kept.pop(name)
        self.session.notice = phrase("setups.forgotten", name=name)

    def _read(self, system: str) -> None:
        """Read what is kept for this game; what is damaged is left out."""
        self._kept = {}
        for name in self._files.names():
            try:
                setup = read_setup(self._files.read(name))
            except (OSError, UnicodeDecodeError, msgspec.MsgspecError):
                continue
            if setup.system == system:
                self._kept[name] = setup

    def _fail(self, problem: OSError) -> None:
        self.session.notice = phrase("setups.failed", why=str(problem.strerror or problem))
