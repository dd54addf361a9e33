"""People above the screen: lists of friends, requests, and of those met, muted and blocked, and the card of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from client.model.lobby.people_lists import LISTS, deeds
from client.model.session import ClientSession
from client.model.table.view_model import ChatEntry
from client.text.days import day_of
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from client.views.moderator_form import ModeratorForm, on_person
from client.views.report_form import ReportForm
from protocol.limits import Limits
from protocol.wire.from_client import PeopleChange, PeopleList
from protocol.wire.people import PersonCard, PersonRow

if TYPE_CHECKING:
    from client.app.navigator import Navigator

ROWS: Final = 15
ROW, GAP = 28, 4
WIDTH, CARD_WIDTH, CARD_HEIGHT = 700, 460, 400
QUICK: Final[dict[PeopleList, tuple[PeopleChange, ...]]] = {
    "asking": ("accept", "decline"),
    "asked": ("take_back",),
    "muted": ("unmute",),
    "blocked": ("unblock",),
}
"""Deeds that stand beside each row of a list."""


class PeoplePopup:
    """Popup with the lists, or with a card alone where it was opened at a name. `results` opens the page of a person's
    matches, where the screen has one."""

    def __init__(
        self, session: ClientSession, navigator: Navigator, results: Callable[[str], None] | None = None
    ) -> None:
        self.session = session
        self.navigator = navigator
        self._results = results
        self.people = session.people
        self.is_open = False
        self.name = TextInput(most=Limits().name_length, enter=self._ask)
        self.report = ReportForm(session)
        self.order = ModeratorForm(session)
        self._card_wanted = False

    def draw_button(self, ui: Ui, rect: Rect) -> None:
        """Draw the button that opens the lists."""
        waiting = self.people.waiting
        words = phrase("people.open.news", waiting=waiting) if waiting else phrase("people.open")
        act, tip = (self.open, phrase("people.open.tip")) if self.people.is_kept else (None, phrase("people.none_here"))
        ui.button(rect, words, act, tip=tip, primary=waiting > 0 and act is not None, name=phrase("people.open"))

    def open(self) -> None:
        """Open the lists: the requests where any wait, else the friends."""
        self.is_open, self._card_wanted, self.session.notice = True, False, ""
        self.people.show("asking" if self.people.waiting else "friends")

    def of_person(self, who: str) -> Act | None:
        """Return an act that opens a person's card; None for the player, for nobody, and where none are kept."""
        if not self.people.is_kept or who in ("", self.session.conversation.you):
            return None
        return partial(self.look_at, who)

    def tag(self, ui: Ui, rect: Rect, who: str, name: str) -> None:
        """Describe a name that opens the card of its person at a click, where there is one."""
        act = self.of_person(who)
        if act is not None:
            ui.tag(rect, phrase("people.about", name=name), tip=phrase("people.about.tip", name=name), act=act)

    def of_line(self, line: ChatEntry) -> Act | None:
        """Return an act that opens the card of who has said a line, from where it can be reported; None where
        `of_person` has none."""
        return partial(self.look_at, line.who, line) if self.of_person(line.who) is not None else None

    def look_at(self, who: str, line: ChatEntry | None = None) -> None:
        """Open the card of a person, at a line of theirs."""
        self.is_open = self._card_wanted = True
        self.report.line = line
        self.people.look_at(who)

    def close(self) -> None:
        """Go back from a form to the card, from a card to its list, else close the popup."""
        for form in (self.report, self.order):
            if form.is_open:
                form.close()
                return
        if self._card_wanted and self.people.shown is not None:
            self._card_wanted = False
            return
        self.is_open = self._card_wanted = False
        self.people.close()

    def draw(self, ui: Ui) -> None:
        """Draw the form that is being filled in, the card that is wanted, else the list."""
        if self.report.is_open:
            self.report.draw(ui)
        elif self.order.is_open:
            self.order.draw(ui)
        elif self._card_wanted:
            self._draw_card(ui)
        else:
            self._draw_lists(ui)

    # The lists

    def _draw_lists(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDTH), ui.px(60) + ROWS * ui.px(ROW + GAP), phrase("people.title"))
        rows = inside.share(ROWS, ui.px(ROW), ui.px(GAP))
        shown, page = self.people.shown, self.people.page
        for box, name in zip(next(rows).columns(len(LISTS), 8), LISTS, strict=True):
            title = phrase(f"people.list.{name}")
            waiting = self.people.waiting if name == "asking" else 0
            words = phrase("people.list.asking.news", waiting=waiting) if waiting else title
            ui.button(box, words, partial(self.people.show, name), chosen=name == shown, name=title)
        if shown == "friends":
            self._draw_friends_head(ui, next(rows))
        count = Limits().people_page
        if page is None or not page.rows:
            words = phrase("people.asking_server") if page is None else phrase(f"people.empty.{shown}")
            ui.line(words, next(rows), colour=theme.MUTED)
            count -= 1
        for person in page.rows[:count] if page is not None else ():
            self._draw_row(ui, next(rows), person)
            count -= 1
        for _ in range(count + (shown != "friends")):
            next(rows)
        self._draw_pages(ui, next(rows))
        note = next(rows)
        ui.line(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        foot = next(rows)
        ui.button(foot, phrase("people.close"), self.close, primary=True, key=ui.keys.shown("back"))

    def _draw_friends_head(self, ui: Ui, row: Rect) -> None:
        """Draw the field by which somebody is asked, and the choice of being seen."""
        page = self.people.page
        shown, row = row.cut_right(on_grid(row.w * 0.44), 8)
        field, ask = row.columns(2, 8)
        ui.input(field, self.name, phrase("people.name"))
        can = bool(self.name.text.strip())
        tip = "" if can else phrase("people.ask_by_name.first")
        ui.button(ask, phrase("people.ask_by_name"), self._ask if can else None, primary=can, tip=tip)
        is_shown = page is None or not page.hidden
        words = phrase("people.shown", shown=yes_or_no(is_so=is_shown))
        act = partial(self.people.show_presence, shown=not is_shown)
        ui.button(shown, words, act, name=phrase("people.shown.name"), tip=phrase("people.shown.tip"))

    def _draw_row(self, ui: Ui, row: Rect, person: PersonRow) -> None:
        who, rest = row.cut_left(on_grid(row.w * 0.42), 8)
        name = person.name or phrase("people.deleted")
        about = phrase("people.about", name=name)
        ui.button(who, name, partial(self.look_at, person.who), left=True, name=about, listed=True)
        for label, name, act in self._quick(person):
            box, rest = rest.cut_right(ui.px(112), 8)
            ui.button(box, label, act, name=name)
        words, tone = self._note(person)
        ui.line(words, rest, colour=tone, size=theme.SMALL)

    def _quick(self, person: PersonRow) -> Iterator[tuple[str, str, Act]]:
        """Yield label, name and act of the buttons beside a row."""
        for deed in QUICK.get(self.people.shown or "friends", ()):
            label = phrase(f"people.do.{deed}")
            name = phrase("people.deed_of", deed=label, name=person.name or phrase("people.deleted"))
            yield label, name, partial(self.people.relate, deed, person.who)
        if person.table and person.free:
            name = phrase("people.join.of", name=person.name)
            yield phrase("people.join"), name, partial(self._go, person, joins=True)
        if person.table and person.state != "finished":
            name = phrase("people.watch.of", name=person.name)
            yield phrase("people.watch"), name, partial(self._go, person, joins=False)

    def _note(self, person: PersonRow) -> tuple[str, theme.Colour]:
        if self.people.shown == "friends":
            if person.table:
                return phrase("people.at", table=person.table_name), theme.GOOD
            return (phrase("people.here"), theme.GOOD) if person.here else (phrase("people.away"), theme.MUTED)
        day = day_of(person.at)
        return phrase("people.last" if self.people.shown == "recent" else "people.since", day=day), theme.MUTED

    def _draw_pages(self, ui: Ui, row: Rect) -> None:
        """Draw which part of a longer list this is, with the ways to the others."""
        page, shown = self.people.page, self.people.shown
        if page is None or shown is None or page.total <= len(page.rows):
            return
        back, words, on = row.columns(3, 8)
        most, last = Limits().people_page, page.first + len(page.rows)
        ui.line(phrase("people.pages", first=page.first + 1, last=last, total=page.total), words, anchor="center")
        earlier = partial(self.people.show, shown, max(page.first - most, 0)) if page.first else None
        ui.button(back, phrase("people.earlier"), earlier)
        ui.button(on, phrase("people.more"), partial(self.people.show, shown, last) if last < page.total else None)

    # The card

    def _draw_card(self, ui: Ui) -> None:
        card = self.people.card
        title = (card.name or phrase("people.deleted")) if card is not None else phrase("people.title")
        inside = ui.popup(ui.px(CARD_WIDTH), ui.px(CARD_HEIGHT), title)
        foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
        words = phrase("people.back" if self.people.shown is not None else "people.close")
        ui.button(foot, words, self.close, primary=True, key=ui.keys.shown("back"))
        if card is None:
            ui.lines(self.session.notice or phrase("people.asking_server"), inside, colour=theme.MUTED)
            return
        inside = ui.lines(_state(card), inside, colour=theme.MUTED, gap=8)
        rows = inside.share(8, ui.px(ROW), ui.px(GAP))
        for deed in deeds(card):
            label = phrase(f"people.do.{deed}")
            tip = phrase(f"people.tip.{deed}")
            ui.button(next(rows), label, partial(self.people.relate, deed, card.who), tip=tip, listed=True)
        if self._results is not None:
            tip = phrase("people.results.tip", name=title)
            ui.button(next(rows), phrase("people.results"), partial(self._show_results, card.who), tip=tip, listed=True)
        if self.session.takes_reports:
            act, tip = partial(self.report.open, card), phrase("report.open.tip")
            ui.button(next(rows), phrase("report.open"), act, tip=tip, listed=True)
        if self.session.moderation.moderates:
            act, tip = partial(self.order.open, on_person(card.who, title)), phrase("order.open_person.tip", name=title)
            ui.button(next(rows), phrase("order.open_person"), act, tip=tip, listed=True)
        ui.line(self.session.notice, next(rows), colour=theme.WARN, size=theme.SMALL)

    # Acts

    def _ask(self) -> None:
        name = self.name.text.strip()
        if name:
            self.session.notice = ""
            self.people.relate("ask", name=name)
            self.name.set("")

    def _show_results(self, who: str) -> None:
        if self._results is not None:
            self.is_open = self._card_wanted = False
            self.people.close()
            self._results(who)

    def _go(self, person: PersonRow, *, joins: bool) -> None:
        self._card_wanted = False
        self.close()
        go = self.navigator.join if joins else self.navigator.watch
        go(table=person.table)


def _state(card: PersonCard) -> str:
    """Return the relation of the player to a person, in sentences."""
    states = [name for name in ("friend", "asking", "asked", "muted", "blocked") if getattr(card, name)]
    words = [phrase(f"people.state.{name}") for name in states]
    if not card.kept:
        words.append(phrase("people.guest"))
    return " ".join(words) or phrase("people.state.none")
