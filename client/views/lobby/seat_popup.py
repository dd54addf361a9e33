"""Popup about one seat before the start: to take it, to change places, and for the owner to keep or lock it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from client.model.session import ClientSession
from client.model.words.seat_words import holder_in_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from protocol.limits import Limits
from protocol.wire.client_message import Message
from protocol.wire.from_client import JoinTable
from protocol.wire.from_server import SeatView, TableView
from protocol.wire.people import PersonRow
from protocol.wire.seating import KeepSeat, SwapSeats

WIDTH, ROW, GAP, FRAME = 520, 32, 4, 60
COLUMNS: Final = 2
"""Of friends."""


class Deed(NamedTuple):
    """Thing that can be done about a seat."""

    words: str
    message: Message
    tip: str = ""


class SeatPopup:
    """Popup of a screen; it closes when something has been done."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.name = TextInput(most=Limits().name_length, enter=self._keep_by_name)
        self._seat = -1

    @property
    def is_open(self) -> bool:
        return self._seat >= 0

    def draw_button(self, ui: Ui, rect: Rect, seat: SeatView) -> None:
        """Draw the button that opens the popup about a seat."""
        act = partial(self.open, seat.seat) if self.session.invitations.is_known else None
        tip = phrase("seat.open.tip") if act is not None else phrase("seat.none_here")
        ui.button(rect, phrase("seat.open"), act, name=phrase("seat.open.of", seat=seat.seat + 1), tip=tip)

    def open(self, seat: int) -> None:
        self._seat = seat
        self.name.set("")
        if self.session.people.is_kept:
            self.session.people.show("friends")

    def close(self) -> None:
        if self.is_open:
            self._seat = -1
            self.session.people.close()

    def draw(self, ui: Ui, table: TableView) -> None:
        seat = next((seat for seat in table.seats if seat.seat == self._seat), None)
        if seat is None:
            self.close()
            return
        is_owner = table.owner == self.session.conversation.you
        deeds = [*_of_player(table, seat), *(_of_owner(table, seat) if is_owner else ())]
        keeps = is_owner and not seat.who and not seat.bot
        friends = self._friends() if keeps else ()
        count = len(deeds) + 1 + (2 - (-len(friends) // COLUMNS) if keeps else not deeds)
        who = holder_in_words(table, seat, self.session.texts)
        title = phrase("seat.title", seat=seat.seat + 1, who=who)
        inside = ui.popup(ui.px(WIDTH), ui.px(FRAME) + count * ui.px(ROW + GAP), title)
        rows = inside.share(count, ui.px(ROW), ui.px(GAP))
        for deed in deeds:
            ui.button(next(rows), deed.words, self._act(deed.message), tip=deed.tip, left=True, listed=True)
        if not deeds and not keeps:
            ui.line(phrase("seat.nothing"), next(rows), colour=theme.MUTED)
        if keeps:
            self._draw_keeping(ui, rows, friends)
        ui.button(next(rows), phrase("seat.close"), self.close, primary=True, key=ui.keys.shown("back"))

    def _friends(self) -> tuple[PersonRow, ...]:
        page = self.session.people.page
        return page.rows if page is not None and page.list == "friends" else ()

    def _draw_keeping(self, ui: Ui, rows: Iterator[Rect], friends: Sequence[PersonRow]) -> None:
        """Draw the field for a name, and the friends, for whom the seat can be kept."""
        row = next(rows)
        keep, field = row.cut_right(ui.px(140), ui.px(8))
        ui.input(field, self.name, phrase("seat.name"))
        act = self._keep_by_name if self.name.text.strip() else None
        ui.button(keep, phrase("seat.keep"), act, tip=phrase("seat.keep.tip"))
        ui.line(phrase("seat.friends" if friends else "seat.no_friends"), next(rows), colour=theme.MUTED)
        lines = range(0, len(friends), COLUMNS)
        places = [place for _ in lines for place in next(rows).columns(COLUMNS, ui.px(GAP))]
        for place, friend in zip(places, friends, strict=False):
            keeping = self._act(KeepSeat(seat=self._seat, who=friend.who))
            here = phrase("seat.friend_here") if friend.here else ""
            name = phrase("seat.keep_for", name=friend.name)
            ui.button(place, f"{friend.name}{here}", keeping, name=name, left=True, listed=True)

    def _act(self, message: Message) -> Act:
        def act() -> None:
            self.session.notice = ""
            self.close()
            self.session.say(message)

        return act

    def _keep_by_name(self) -> None:
        if self.name.text.strip():
            self._act(KeepSeat(seat=self._seat, name=self.name.text.strip()))()


def _of_player(table: TableView, seat: SeatView) -> Iterator[Deed]:
    """Yield what anybody may do about a seat."""
    number, mine = seat.seat, next((one for one in table.seats if one.seat == table.seat), None)
    if mine is None:
        if not (seat.who or seat.bot or seat.locked or seat.kept_for):
            yield Deed(phrase("seat.promise" if table.begins else "seat.take"), JoinTable(table=table.id, seat=number))
    elif mine.seat == number:
        if mine.swap_with >= 0:
            yield Deed(phrase("seat.wish_no_more", seat=mine.swap_with + 1), SwapSeats(seat=number))
    elif seat.who and seat.swap_with == mine.seat:
        yield Deed(phrase("seat.agree", name=seat.name), SwapSeats(seat=number))
    elif seat.who and mine.swap_with == number:
        yield Deed(phrase("seat.wish_no_more", seat=number + 1), SwapSeats(seat=mine.seat))
    elif seat.who:
        yield Deed(phrase("seat.wish", name=seat.name), SwapSeats(seat=number), phrase("seat.wish.tip"))
    elif not (seat.bot or seat.locked or seat.kept_for):
        yield Deed(phrase("seat.move"), SwapSeats(seat=number))


def _of_owner(table: TableView, seat: SeatView) -> Iterator[Deed]:
    """Yield what the owner may do about a seat beside."""
    number = seat.seat
    for other in table.seats:
        is_mine = other.seat == table.seat and not (seat.who or seat.bot)
        if other.seat != number and not is_mine and (seat.who or seat.bot or other.who or other.bot):
            words, tip = phrase("seat.exchange", seat=other.seat + 1), phrase("seat.exchange.tip")
            yield Deed(words, SwapSeats(seat=number, other=other.seat), tip)
    if seat.locked or seat.kept_for:
        yield Deed(phrase("seat.unlock"), KeepSeat(seat=number))
    elif not (seat.who or seat.bot):
        yield Deed(phrase("seat.lock"), KeepSeat(seat=number, locked=True), phrase("seat.lock.tip"))
