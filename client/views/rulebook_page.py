"""Page of the game's rulebook over the table (H), opened at the rule or choice at hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from client.draw.diagram import draw_diagram, shape_of
from client.input.key_table import KeyPress
from client.model.rulebook import MOST_PARAGRAPHS, ParagraphRef, Rulebook, RulebookSection
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import last_start
from client.views.factions_page import FactionsPage
from protocol.text import Text, text


class RulebookPage:
    """Sections at the left, the paragraphs of one at the right. `system` names the game that is played. The pages of
    its factions are the book's other half."""

    def __init__(self, session: ClientSession, system: Callable[[], str]) -> None:
        self.session = session
        self.is_open = False
        self._system = system
        self._place = ParagraphRef("")
        self._book, self._read = Rulebook({}, ""), (-1, "")
        self._first = 0
        """Number of paragraphs scrolled out of sight, `_last` at most, as it was last drawn."""
        self._last = MOST_PARAGRAPHS
        self.factions = FactionsPage(session, system, self.of_rule, self._opener, self.close)

    @property
    def book(self) -> Rulebook:
        """The system's rulebook, read anew only when another catalogue has come."""
        read = (self.session.texts.learnt, self._system())
        if self._read != read:
            self._book, self._read = Rulebook(self.session.texts.entries, read[1]), read
        return self._book

    def open(self, place: ParagraphRef | None = None) -> None:
        """Open the page at a paragraph, else where it was open last."""
        sections = self.book.sections
        if not sections:
            return
        self.is_open = True
        self.factions.close()
        if place is not None:
            self._place, self._first, self._last = place, max(place.paragraph - 1, 0), MOST_PARAGRAPHS
        elif not any(section.id == self._place.section for section in sections):
            self._place = ParagraphRef(sections[0].id)

    def of_rule(self, rule: str) -> Callable[[], None] | None:
        """Return an act that opens the paragraph of a rule; None where there is none."""
        place = self.book.of_rule(rule) if rule else None
        return partial(self.open, place) if place is not None else None

    def _opener(self) -> Callable[[], None] | None:
        """Return the act that opens the book; None where there is none."""
        return self.open if self.book.sections else None

    def open_factions(self, faction: str = "") -> None:
        """Open the pages of the factions, at this one where it is one of them."""
        self.factions.open(faction)
        self.is_open = self.factions.is_open

    def close(self) -> None:
        self.is_open = False
        self.factions.close()

    def draw(self, ui: Ui) -> None:
        """Draw the page; of the factions, while that is open."""
        if self.factions.is_open:
            self.factions.draw(ui)
            return
        book = self.book
        inside = ui.popup(ui.px(860), ui.size[1] * 0.9, self._say("book.title"))
        foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
        close, words = foot.cut_right(ui.px(140), 8)
        if self.factions.choices:
            factions, words = words.cut_left(min(ui.px(140), words.w * 0.5), ui.px(12))
            ui.button(factions, phrase("factions.open"), self.open_factions, key=ui.keys.shown("factions"))
        ui.button(close, self._say("book.close"), self.close, primary=True, key=ui.keys.shown("back"))
        named = text("book.keys", sections=ui.keys.shown("sections"), lines=ui.keys.shown("lines"))
        ui.line(self.session.texts.say(named), words, size=theme.SMALL, colour=theme.MUTED)
        index, page = inside.cut_left(min(ui.px(256), on_grid(inside.w * 0.36)), ui.px(16))
        gap = ui.px(4)
        height = min(ui.px(28), index.h / max(len(book.sections), 1) - gap)
        for row, section in zip(index.rows(height, gap), book.sections, strict=False):
            act = partial(self._turn_to, section.id)
            ui.button(row, section.title, act, left=True, chosen=section.id == self._place.section, listed=True)
        self._page(ui, page)

    def _page(self, ui: Ui, page: Rect) -> None:
        section = next((s for s in self.book.sections if s.id == self._place.section), None)
        if section is None:
            return
        head, page = page.cut_top(ui.px(28), ui.px(4))
        ui.line(section.title, head, size=theme.LARGE, bold=True)
        page = self._picture(ui, page, section)
        ui.scrolls(page, lambda steps: self._scroll(-steps))
        gap, width = ui.px(8), page.w - ui.px(16)
        heights = [ui.lines_height(words, width) + gap for words in section.paragraphs]
        self._last = last_start(heights, page.h)
        first = min(self._first, self._last)
        top = page.top
        for number, (words, height) in enumerate(zip(section.paragraphs, heights, strict=True), 1):
            if number <= first or (top - height < page.y - gap and number > first + 1):
                continue
            room = Rect(page.x + ui.px(16), max(top - height, page.y), width, min(height, top - page.y))
            if number == self._place.paragraph:
                ui.painter.rect(Rect(page.x, room.y + gap, ui.px(4), room.h - gap), theme.CHOSEN)
            ui.lines(words, room)
            ui.tag(room, phrase("rulebook.paragraph", section=section.id, number=number))
            top -= height

    def _picture(self, ui: Ui, page: Rect, section: RulebookSection) -> Rect:
        """Draw the section's picture at the foot of the page, where there is room; return the room above it."""
        if section.picture is None:
            return page
        caption = ui.lines_height(section.caption, page.w, size=theme.SMALL)
        height = min(page.w * shape_of(section.picture), page.h * 0.42) + caption + ui.px(8)
        if height > page.h * 0.6 or page.h < ui.px(300):
            return page
        foot, rest = page.cut_bottom(height, ui.px(12))
        words, place = foot.cut_bottom(caption, ui.px(4))
        draw_diagram(ui, place, section.picture, self.session.texts)
        ui.lines(section.caption, words, size=theme.SMALL, colour=theme.MUTED)
        ui.tag(place, phrase("rulebook.picture", section=section.id))
        return rest

    def key(self, press: KeyPress) -> bool:
        """Take a key while the page is open."""
        if press.means("factions") and not self.factions.is_open:
            self.open_factions()
            return True
        if self.factions.is_open and not press.means("rules"):
            taken = self.factions.key(press)
            self.is_open = self.factions.is_open
            return taken
        ids = [section.id for section in self.book.sections]
        at = ids.index(self._place.section) if self._place.section in ids else 0
        on = press.which("sections")
        on = press.which("turn") if on is None else on
        if press.means("rules") and self.factions.is_open:
            self.open()
        elif press.means("rules"):
            self.close()
        elif on is not None:
            self._turn_to(ids[min(at + 1, len(ids) - 1) if on else max(at - 1, 0)])
        elif (down := press.which("lines")) is not None:
            self._scroll(1 if down else -1)
        else:
            return False
        return True

    def _turn_to(self, section: str) -> None:
        self._place, self._first = ParagraphRef(section), 0

    def _scroll(self, steps: int) -> None:
        """Scroll on by a number of paragraphs."""
        self._first = min(max(min(self._first, self._last) + steps, 0), self._last)

    def _say(self, key: str) -> str:
        return self.session.texts.say(Text(key))
