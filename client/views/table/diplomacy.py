"""Chat to one seat, and offers that bind nobody (F12). Offers to the player also wait at the top of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from client.input.key_table import KeyPress
from client.model.session import ClientSession
from client.model.table.sides import allies_of
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from protocol.limits import Limits
from protocol.text import Text, text
from protocol.wire.from_client import AnswerOffer, Offer
from protocol.wire.from_server import OfferView, SeatView, TableView

Kind = Literal["truce", "leave", "help", "share", "other"]
KINDS: tuple[Kind, ...] = ("truce", "leave", "help", "share", "other")
"""Kinds of offers, in the order in which they are shown."""
WIDTH = 780
LISTED = 6
WAITING = 2
SIDE = -3
"""The player's side as the recipient."""
GONE = -2
"""Recipient whose seat has no holder any more: nothing is sent until the player chooses anew."""


def others(view: TableView | None) -> tuple[SeatView, ...]:
    """Return the other seats that a person or a bot holds; none for a spectator."""
    if view is None or view.seat < 0:
        return ()
    return tuple(seat for seat in view.seats if seat.seat != view.seat and (seat.who or seat.bot))


class TableDiplomacy:
    """Chat line and page of offers of one table.

    `box`: the field for chat; `whisper`: the seat that alone reads it, -1 for all, SIDE for the player's side, GONE for
    nobody; `focus` lets a field take what is typed; `show` brings the chat into sight.
    """

    def __init__(
        self, session: ClientSession, box: TextInput, focus: Callable[[TextInput], None], show: Callable[[], None]
    ) -> None:
        self.session = session
        self.is_open = False
        self.whisper = -1
        self.box = box
        self._focus = focus
        self._show = show
        self._to = -1
        self._kind: Kind = KINDS[0]
        self._shown_to_all = False
        self.words = TextInput(most=Limits().offer_length, enter=self._send)

    # Recipient and chat line

    def sync(self) -> None:
        """Drop a recipient whose seat has no holder any more."""
        seats = [seat.seat for seat in others(self._view)]
        people = [seat.seat for seat in others(self._view) if seat.who]
        if self.whisper not in (-1, GONE, *self._hearers()):
            # a line meant for one seat must not go to all
            self.whisper = GONE if self.box.text else -1
        self._to = self._to if self._to in seats else next(iter(people or seats), -1)

    def next_recipient(self) -> None:
        """Choose the next recipient: all, then one's side, then each other person in turn."""
        order = [-1, *self._hearers()]
        self.whisper = order[(order.index(self.whisper) + 1) % len(order)] if self.whisper in order else -1

    def _hearers(self) -> list[int]:
        """Return whom the player may choose besides all: their side, where an ally is a person, and other people."""
        people = [seat for seat in others(self._view) if seat.who]
        allies = allies_of(self._view, self._seat) if self._view is not None else ()
        return [*([SIDE] if any(seat.seat in allies for seat in people) else []), *(seat.seat for seat in people)]

    def _recipient(self) -> str:
        """Return who reads the chat line, "" for all."""
        special = {GONE: "talk.to.nobody", SIDE: "talk.side"}.get(self.whisper)
        return self._say(special) if special is not None else self._name(self.whisper)

    def say(self) -> None:
        """Send the chat line to its recipient."""
        if self.whisper == GONE and self.box.text:
            self.session.notice = self._say("talk.gone")
            self.session.changes += 1
            return
        self.session.chat(self.box.text, self.whisper, is_to_side=self.whisper == SIDE)
        self.box.set("")

    def draw_chat_line(self, ui: Ui, line: Rect) -> None:
        """Draw the chat line, with its recipient and the button of the page."""
        name = self._recipient()
        if others(self._view):
            page, line = line.cut_right(min(ui.px(92), on_grid(line.w * 0.3)), ui.px(4))
            ui.button(
                page, self._say("talk.open"), self.toggle, key=ui.keys.shown("offers"), tip=self._say("talk.open.tip")
            )
            hearer, line = line.cut_left(min(ui.px(84), on_grid(line.w * 0.36)), ui.px(4))
            words = name or self._say("talk.to.all")
            tip = self._say("talk.to.tip", pressed=ui.keys.shown("hearer"))
            label = self._say("talk.to", name=words)
            ui.button(hearer, words, self.next_recipient, chosen=bool(name), tip=tip, name=label)
        if self.whisper == GONE:
            label = self._say("talk.say.nobody", pressed=ui.keys.shown("hearer"))
        else:
            pressed = ui.keys.shown("talk")
            label = self._say("talk.say.one" if name else "talk.say", name=name, pressed=pressed)
        ui.input(line, self.box, label)

    # The page

    def toggle(self) -> None:
        self.is_open = not self.is_open and bool(others(self._view))

    def draw(self, ui: Ui, model: ViewModel) -> None:
        """Draw the page: recipient, kind and words of an offer; below, the offers made."""
        offers = self._listed()
        inside = ui.popup(ui.px(WIDTH), ui.px(352) + ui.px(32) * len(offers), self._say("talk.title"))
        below = ui.lines(self._say("talk.binds"), inside, size=theme.SMALL, colour=theme.MUTED, gap=8)
        rows = below.rows(ui.px(28), ui.px(4))
        head, seats = next(rows).cut_left(ui.px(128))
        ui.label(self._say("talk.whom"), head.x, head.centre[1], bold=True)
        held = others(self._view)
        for box, seat in zip(seats.columns(max(len(held), 1), 4), held, strict=False):
            tip = model.seat_name(seat.seat)
            act = partial(self._choose, seat.seat)
            ui.button(box, self._name(seat.seat), act, chosen=seat.seat == self._to, tip=tip, listed=True)
        row = next(rows)
        ui.label(self._say("talk.what"), row.x, row.centre[1], bold=True)
        for box, kind in zip(next(rows).columns(len(KINDS), 8), KINDS, strict=True):
            ui.button(box, self._kind_name(kind), partial(self._take, kind), chosen=kind == self._kind, listed=True)
        ui.input(next(rows), self.words, self._say("talk.words"))
        self._acts(ui, next(rows))
        row = next(rows)
        ui.painter.rect(Rect(row.x, row.centre[1], row.w, 1), theme.PANEL_EDGE)
        if not offers:
            row = next(rows)
            ui.line(self._say("talk.none"), row, colour=theme.FAINT)
        for offer, row in zip(offers, inside_rows(rows), strict=False):
            self._offer(ui, row, offer)
        foot = inside.cut_bottom(ui.px(32))[0]
        ui.button(
            foot.cut_right(ui.px(208))[0], self._say("talk.close"), self.toggle, primary=True, key=ui.keys.shown("back")
        )

    def _acts(self, ui: Ui, row: Rect) -> None:
        whisper, row = row.cut_left(on_grid(row.w * 0.4), ui.px(4))
        name, is_person = self._name(self._to), any(s.seat == self._to and s.who for s in others(self._view))
        act = self._write_to_one if is_person else None
        tip = "" if is_person else self._say("problem.talk/bot")
        ui.button(whisper, self._say("talk.whisper", name=name), act, tip=tip)
        reach, send = row.columns(2, 8)
        words = self._say("talk.shown", shown=Text("talk.yes" if self._shown_to_all else "talk.no"))
        ui.button(reach, words, self._turn_open, tip=self._say("talk.shown.tip"), name=phrase("talk.shown.name"))
        can = bool(self.words.text.strip())
        tip = "" if can else self._say("talk.send.first")
        ui.button(
            send, self._say("talk.send"), self._send if can else None, primary=can, key=ui.keys.shown("take"), tip=tip
        )

    def _offer(self, ui: Ui, row: Rect, offer: OfferView) -> None:
        mine, place = self._seat, row
        if offer.state == "open" and offer.to == mine:
            answers, place = row.cut_right(ui.px(204), 8)
            self._answers(ui, answers, offer)
        elif offer.state == "open" and offer.by == mine:
            back, place = row.cut_right(ui.px(112), 8)
            name = f"{self._say('talk.withdraw')} {self._say('talk.to', name=self._name(offer.to))}"
            ui.button(back, self._say("talk.withdraw"), partial(self._answer, offer.id, yes=False), name=name)
        else:
            tone = {"open": theme.WARN, "accepted": theme.GOOD}.get(offer.state, theme.MUTED)
            ui.label(self._say(f"talk.state.{offer.state}"), row.right, row.centre[1], colour=tone, anchor="right")
            place = row.cut_right(ui.px(84), 8)[1]
        words = self._line("talk.line", offer)
        ui.line(words, place)
        ui.tag(place, words, tip=words)

    def _answers(self, ui: Ui, rect: Rect, offer: OfferView) -> None:
        whose = self._say("talk.of", kind=self._kind_name(offer.kind), name=self._name(offer.by))
        for box, yes, key in zip(rect.columns(2, 8), (True, False), ("talk.accept", "talk.decline"), strict=True):
            act = partial(self._answer, offer.id, yes=yes)
            tip = ui.keys.shown("answer", 0 if yes else 1) if self.is_open else ""
            ui.button(box, self._say(key), act, primary=yes, name=f"{self._say(key)}: {whose}", tip=tip)

    # Over the board

    def draw_waiting(self, ui: Ui, board: Rect, below: float) -> None:
        """Draw the offers that wait for the player's answer, from `below` pixels under the top of the board on."""
        top = board.top - ui.px(8) - below
        for offer in self._to_me()[:WAITING]:
            # the stack is at the left
            width = min(ui.px(560), max(board.w - ui.px(284), ui.px(300)), board.w - ui.px(16))
            box = Rect(board.right - width - ui.px(8), top - ui.px(40), width, ui.px(40))
            ui.painter.box(box, theme.RAISED, 1, theme.WARN, 5)
            answers, inside = box.inset(ui.px(4)).cut_right(ui.px(160), 8)
            words = self._line("talk.asked", offer)
            ui.line(words, inside)
            ui.tag(inside, words, tip=words)
            self._answers(ui, answers, offer)
            top = box.y - ui.px(4)

    # Keys

    def key(self, press: KeyPress) -> bool:
        """Take a key of the talk at the table; on its page those of an offer. Return False for any other key.

        No letter alone sends something, or opens a field that does: a person may think that they are writing elsewhere.
        """
        if press.means("offers"):
            self.toggle()
        elif self.is_open:
            return self._page_key(press)
        elif press.means("hearer"):
            self.next_recipient()
            self._show()
        elif press.means("talk") and self.can_chat:
            self._focus(self.box)
        else:
            return False
        return True

    def _page_key(self, press: KeyPress) -> bool:
        waiting, no = self._to_me(), press.which("answer")
        if press.means("talk"):
            self._focus(self.words)
        elif no is not None and waiting:
            self._answer(waiting[0].id, yes=not no)
        elif press.means("take"):
            self._send()
        else:
            return False
        return True

    # Acts

    def _choose(self, seat: int) -> None:
        self._to = seat

    def _take(self, kind: Kind) -> None:
        self._kind = kind

    def _turn_open(self) -> None:
        self._shown_to_all = not self._shown_to_all

    def _write_to_one(self) -> None:
        self.whisper, self.is_open = self._to, False
        self._focus(self.box)

    def _send(self) -> None:
        words = self.words.text.strip()
        if not words or self._to < 0:
            return
        self.session.say(Offer(to=self._to, kind=self._kind, text=words, open=self._shown_to_all))
        self.words.set("")

    def _answer(self, offer: str, *, yes: bool) -> None:
        self.session.say(AnswerOffer(offer=offer, yes=yes))

    # State

    @property
    def _view(self) -> TableView | None:
        return self.session.conversation.table

    @property
    def can_chat(self) -> bool:
        """True where anybody would read a line written here."""
        return self._view is not None and (self._view.seat >= 0 or self._view.watchers_heard)

    @property
    def _seat(self) -> int:
        return self._view.seat if self._view is not None else -1

    def _to_me(self) -> list[OfferView]:
        offers = self.session.feed.offers.values()
        return [offer for offer in offers if offer.state == "open" and offer.to == self._seat]

    def _listed(self) -> list[OfferView]:
        """Return the offers to list: open ones first, then the newest."""
        offers = sorted(self.session.feed.offers.values(), key=lambda offer: (offer.state == "open", offer.at))
        return offers[: -LISTED - 1 : -1]

    def _line(self, key: str, offer: OfferView) -> str:
        by, to = self._name(offer.by), self._name(offer.to)
        return self._say(key, by=by, to=to, kind=self._kind_name(offer.kind), words=offer.text)

    def _kind_name(self, kind: str) -> str:
        return self._say(f"talk.kind.{kind}")

    def _name(self, seat: int) -> str:
        seats = self._view.seats if self._view is not None else ()
        return next((view.name for view in seats if view.seat == seat), "")

    def _say(self, key: str, **arguments: str | int | Text) -> str:
        return self.session.texts.say(text(key, **arguments))


def inside_rows(rows: Iterator[Rect]) -> Iterator[Rect]:
    """Yield the rows that are left, but for the last, where the page's foot is."""
    held = next(rows, None)
    for row in rows:
        if held is not None:
            yield held
        held = row
