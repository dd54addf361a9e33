"""Filters of the tables in the lobby: a field for words, a grid of buttons of which each click takes the next value,
and the way to further pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from client.model.lobby.table_search import PAGE
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput

ROW, GAP = 28, 4
MOST_WORDS: Final = 64
SEATS: Final = (None, 2, 3, 4, 5, 6)
FREE: Final = (None, 1, 2, 3)
STATES: Final = (None, "open", "live", "finished")
EITHER: Final = (None, True, False)


class TableFilters:
    """Filters of one session's search."""

    def __init__(self, session: ClientSession) -> None:
        self.search = session.search
        self._session = session
        self.words = TextInput(self.search.asked.words, most=MOST_WORDS, enter=self._find)

    def draw(self, ui: Ui, rect: Rect) -> Rect:
        """Draw the filters from the top of `rect`, where the server knows any; return the room below."""
        if not self.search.is_known:
            return rect
        top, rect = rect.cut_top(ui.px(ROW), ui.px(GAP))
        buttons, field = top.cut_right(on_grid(top.w * 0.5), GAP)
        ui.input(field, self.words, phrase("find.words"))
        find, state, clear = buttons.columns(3, GAP)
        ui.button(find, phrase("find.go"), self._find, tip=phrase("find.go.tip"))
        self._choice(ui, state, "state", STATES)
        ui.button(clear, phrase("find.clear"), self._clear if self.search.is_filtered else None)
        grid, rect = rect.cut_top(ui.px(ROW), ui.px(GAP * 2))
        boxes = grid.columns(6, GAP)
        self._choice(ui, boxes[0], "system", (None, *self._systems()))
        self._choice(ui, boxes[1], "seats", SEATS)
        self._choice(ui, boxes[2], "free", FREE)
        self._choice(ui, boxes[3], "mail", EITHER)
        self._choice(ui, boxes[4], "rated", EITHER)
        self._choice(ui, boxes[5], "language", (None, self._session.conversation.language))
        return rect

    def draw_pages(self, ui: Ui, rect: Rect) -> None:
        """Draw which part of the tables is shown, with the ways to the others."""
        counts, first = self.search.found.counts, self.search.found.first
        if not self.search.is_known or counts is None or (counts.total <= PAGE and not first):
            return
        back, words, on = rect.columns(3, GAP)
        last = min(first + PAGE, counts.total)
        ui.line(phrase("find.pages", first=first + 1, last=last, total=counts.total), words, anchor="center")
        ui.button(back, phrase("find.earlier"), partial(self.search.turn, first - PAGE) if first else None)
        ui.button(on, phrase("find.more"), partial(self.search.turn, first + PAGE) if last < counts.total else None)

    def _choice(self, ui: Ui, box: Rect, key: str, values: Sequence[object]) -> None:
        """Draw a filter as a button, whose next value a click takes."""
        now = getattr(self.search.asked, key)
        value = values[(values.index(now) + 1) % len(values)] if now in values else None
        act = partial(self.search.narrow, **{key: value})
        tip, name = phrase(f"find.{key}.tip"), phrase(f"find.{key}.name")
        ui.button(box, self._words(key, now), act, left=True, name=name, tip=tip, chosen=now is not None)

    def _words(self, key: str, value: object) -> str:
        """Return a filter with its value in words."""
        if value is None:
            return phrase(f"find.{key}.any")
        if key == "system":
            return self._systems().get(str(value), str(value))
        if isinstance(value, bool) or key == "state":
            return phrase(f"find.{key}.{str(value).lower()}")
        return phrase(f"filter.{key}", value=value if isinstance(value, int) else str(value))

    def _systems(self) -> dict[str, str]:
        """Return the names of the server's systems by id."""
        systems = self._session.conversation.systems
        return {one.id: self._session.texts.say(one.name) for one in systems.systems} if systems is not None else {}

    def _find(self) -> None:
        self.search.narrow(words=self.words.text.strip())

    def _clear(self) -> None:
        self.words.set("")
        self.search.clear()
