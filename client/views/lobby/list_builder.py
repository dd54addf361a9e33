"""Page over the set-up of a table: an army list in the making, as the form that the server gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from client.draw.panels.form import GAP, ROW, FormLine, draw_lines
from client.input.key_table import KeyPress
from client.input.list_draft import ListDraft
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from client.views.lobby.kept_lists_popup import KeptListsPopup
from protocol.text import Text, text
from protocol.wire.client_message import MOST_WORDS
from protocol.wire.from_client import BringList
from protocol.wire.list_form import ListForm

if TYPE_CHECKING:
    from client.app.navigator import Navigator

SIDES: Final = ("page", "list")
PAGE: Final = 8
"""Rows by which Page Up and Page Down move the mark."""


class ListBuilder:
    """Options at the left, the list so far at the right, its faults below. `about` opens the page of a faction."""

    def __init__(self, session: ClientSession, navigator: Navigator, about: Callable[[str], object]) -> None:
        self.session = session
        self.navigator = navigator
        self.about = about
        self.is_open = False
        self.draft = ListDraft(session)
        self.kept = KeptListsPopup(session, navigator, self._load)
        self.code = TextInput(most=MOST_WORDS, enter=self._read)
        self.name = TextInput(most=40, enter=self._keep)
        self._first = dict.fromkeys(SIDES, 0)
        """Number of lines scrolled out of sight on each side, `_last` at most."""
        self._last = dict.fromkeys(SIDES, 0)
        self._marked = dict.fromkeys(SIDES, -1)
        """Line that keys move, on each side; -1 until one has been pressed."""
        self._side = SIDES[0]

    def open(self, seat: int | None = None) -> None:
        """Open the list of the player's own seat, or of a bot's."""
        self.is_open = True
        self._first, self._marked = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, -1)
        self.kept.close()
        self.kept.read()
        self.session.notice = ""
        self.draft.begin(seat)

    def close(self) -> None:
        """Close the lists that are kept, else the page."""
        if self.kept.is_open:
            self.kept.close()
        else:
            self.is_open = False

    def sync(self) -> None:
        """Take in the session's change."""
        self.draft.sync()

    def draw(self, ui: Ui) -> None:
        self._draw_page(ui)
        if self.kept.is_open:
            self.kept.draw(ui)

    def _draw_page(self, ui: Ui) -> None:
        form = self.draft.form
        inside = ui.popup(ui.px(1240), ui.size[1] * 0.96)
        head, inside = inside.cut_top(ui.px(32), ui.px(4))
        files, inside = inside.cut_bottom(ui.px(32), ui.px(4))
        foot, inside = inside.cut_bottom(ui.px(48), ui.px(4))
        self._foot(ui, foot, form)
        self._files(ui, files, form)
        if form is None:
            ui.label(self._say("lists.waiting"), *inside.centre, anchor="center", colour=theme.MUTED)
            return
        tone = theme.WARN if form.faults else theme.GOOD
        total = self.session.texts.say(form.total)
        right, left = head.cut_right(on_grid(head.w / 2), ui.px(16))
        if self.session.factions.is_known and form.faction:
            about, left = left.cut_right(ui.px(132), ui.px(8))
            ui.button(about, phrase("factions.open"), partial(self.about, form.faction), key=ui.keys.shown("factions"))
        ui.line(self.session.texts.say(form.title), left, size=theme.LARGE, bold=True)
        ui.line(total, right, bold=True, colour=tone, anchor="right")
        ui.tag(right, phrase("list_builder.total", total=total))
        for room, side in zip(inside.columns(2, ui.px(24)), SIDES, strict=True):
            self._lines(ui, room, side, self._lines_on(side))

    def _lines_on(self, side: str) -> list[FormLine]:
        sections = self.draft.form.sections if self.draft.form is not None else ()
        own = [one for one in sections if one.aside == (side == SIDES[1])]
        return [line for section in own for line in (section.title, *section.rows)]

    def _lines(self, ui: Ui, rect: Rect, side: str, lines: list[FormLine]) -> None:
        fitting = max(int((rect.h + ui.px(GAP)) // (ui.px(ROW) + ui.px(GAP))), 1)
        self._last[side] = max(len(lines) - fitting, 0)
        first = self._first[side] = min(self._first[side], self._last[side])
        bar, room = rect.cut_right(ui.px(4), ui.px(8))
        marked = self._marked[side] if side == self._side else -1
        texts, is_list = self.session.texts, side == SIDES[1]
        shown = draw_lines(ui, room, lines, first, texts, self.draft.step, marked, numbered=is_list)
        if shown < len(lines):
            ui.painter.rect(bar, theme.FIELD, 2)
            height = bar.h * shown / len(lines)
            top = bar.top - bar.h * first / len(lines)
            ui.painter.rect(Rect(bar.x, top - height, bar.w, height), theme.HOVER, 2)
        ui.scrolls(rect, lambda steps: self._scroll(side, -2 * steps))

    def _foot(self, ui: Ui, rect: Rect, form: ListForm | None) -> None:
        close, rect = rect.cut_right(ui.px(112), ui.px(8))
        bring, words = rect.cut_right(ui.px(200), ui.px(16))
        faults = [self.session.texts.say(fault) for fault in form.faults] if form is not None else []
        ui.button(close, self._say("lists.close"), self.close, key=ui.keys.shown("back"))
        act = self._bring if form is not None and not faults else None
        ui.button(bring, self._say("lists.bring"), act, primary=True, tip="\n".join(faults))
        told = faults[0] if len(faults) == 1 else ""
        if len(faults) > 1:
            told = self.session.texts.say(text("lists.faults", first=faults[0], more=len(faults) - 1))
        if told or self.session.notice:
            ui.lines(told or self.session.notice, words, colour=theme.WARN, most=2)
        else:
            ui.lines(self._keys(ui), words, size=theme.SMALL, colour=theme.MUTED, most=2)
        if faults:
            ui.tag(words, phrase("list_builder.faults"), "\n".join(faults))

    def _files(self, ui: Ui, rect: Rect, form: ListForm | None) -> None:
        """Draw the code of the list, and what leads to the lists that are kept."""
        code, kept = rect.columns(2, ui.px(24))
        copy, code = code.cut_right(ui.px(104), ui.px(8))
        read, code = code.cut_right(ui.px(104), ui.px(8))
        ui.input(code, self.code, self._say("lists.code"))
        ui.button(read, self._say("lists.read"), self._read if self.code.text.strip() else None)
        ui.button(copy, self._say("lists.copy"), partial(self.navigator.copy, form.draft) if form is not None else None)
        mine, kept = kept.cut_right(ui.px(120), ui.px(8))
        keep, name = kept.cut_right(ui.px(104), ui.px(8))
        ui.input(name, self.name, self._say("lists.name"))
        ui.button(keep, self._say("lists.keep"), self._keep if form is not None else None)
        self.kept.draw_button(ui, mine)

    def _bring(self) -> None:
        if self.draft.form is not None:
            self.session.say(BringList(list=self.draft.form.draft, seat=self.draft.seat))
            self.close()

    def _read(self) -> None:
        if self.code.text.strip():
            self.session.notice = ""
            self.draft.load(self.code.text)

    def _keep(self) -> None:
        form = self.draft.form
        if form is None:
            return
        files, title = self.navigator.army_lists, self.name.text or self.session.texts.say(form.title)
        try:
            name = files.keep(title, form.file, over=self.kept.names)
        except OSError as error:
            self.session.notice = self.session.texts.say(text("lists.not_kept", why=str(error.strerror or error)))
            return
        self.kept.read()
        self.session.notice = self.session.texts.say(text("lists.kept", name=name))

    def _load(self, name: str) -> bool:
        try:
            written = self.navigator.army_lists.read(name)
        except (OSError, UnicodeDecodeError) as error:
            self.session.notice = self.session.texts.say(text("lists.not_read", why=str(error)))
            return False
        self.name.set(name)
        self.draft.load(written)
        return True

    def key(self, press: KeyPress) -> bool:
        """Take a key while the page is open; return False if it means nothing here."""
        if self.kept.is_open:
            return False
        if (down := press.which("rows")) is not None:
            self._mark(1 if down else -1)
        elif (down := press.which("turn")) is not None:
            self._mark(PAGE if down else -PAGE)
        elif press.means("next"):
            self._side = SIDES[1 - SIDES.index(self._side)]
            self._mark(0)
        elif (more := press.which("change")) is not None:
            marked, lines = self._marked[self._side], self._lines_on(self._side)
            row = lines[marked] if 0 <= marked < len(lines) else None
            if row is not None and not isinstance(row, Text):
                self.draft.step(row.id, 1 if more else -1)
        elif press.means("factions"):
            self.about(self.draft.form.faction if self.draft.form is not None else "")
        elif press.means("take") and self.draft.form is not None and not self.draft.form.faults:
            self._bring()
        else:
            return False
        return True

    def _mark(self, by: int) -> None:
        """Move the mark by a number of lines, past headings, and scroll it into sight."""
        side, lines = self._side, self._lines_on(self._side)
        rows = [number for number, line in enumerate(lines) if not isinstance(line, Text)]
        if not rows:
            return
        wanted = self._marked[side] + by
        beyond = [row for row in rows if (row <= wanted if by < 0 else row >= wanted)]
        at = max(beyond, default=rows[0]) if by < 0 else min(beyond, default=rows[-1])
        self._marked[side] = at
        seen = max(len(lines) - self._last[side], 1)
        self._first[side] = min(max(self._first[side], at - seen + 1), at)

    def _scroll(self, side: str, lines: int) -> None:
        self._first[side] = min(max(self._first[side] + lines, 0), self._last[side])

    def _keys(self, ui: Ui) -> str:
        named = {action: ui.keys.shown(action) for action in ("rows", "turn", "change", "next", "buttons", "take")}
        return self.session.texts.say(text("lists.keys", **named))

    def _say(self, key: str) -> str:
        return self.session.texts.say(Text(key))
