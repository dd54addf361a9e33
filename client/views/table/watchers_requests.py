"""Requests of spectators to the player: to see what they see, or to take over a seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from client.model.session import ClientSession
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.table.spectator_roles import view_requests
from protocol.wire.client_message import Message
from protocol.wire.from_client import Consent
from protocol.wire.from_server import TableView
from protocol.wire.seating import AskSeat, GiveSeat

MOST = 3
HEIGHT, GAP = 40, 4


@dataclass(frozen=True)
class Request:
    """Request of the spectator of this `name`, with the two answers to it."""

    name: str
    words: str
    tip: str
    allow: Message
    refuse: Message


def requests_of(view: TableView | None, you: str) -> list[Request]:
    """Return the first requests that wait for this person."""
    return [*_looks(view), *_seats(view, you)][:MOST]


def _looks(view: TableView | None) -> Iterator[Request]:
    for one in view_requests(view):
        words, tip = phrase("watching.wishes", name=one.name), phrase("watching.allow.tip")
        yield Request(one.name, words, tip, Consent(who=one.who, allow=True), Consent(who=one.who, allow=False))


def _seats(view: TableView | None, you: str) -> Iterator[Request]:
    """Yield the requests for the player's seat, and for the owner of the table those for bots' seats."""
    for one in view.watchers if view is not None else ():
        seat = next((seat for seat in view.seats if seat.seat == one.asks), None) if view is not None else None
        if view is None or seat is None or you != (seat.who or view.owner):
            continue
        if seat.who:
            words, tip = phrase("watching.wants_seat", name=one.name), phrase("watching.wants_seat.tip")
        else:
            words, tip = phrase("watching.wants_bot", name=one.name, seat=seat.name), phrase("watching.wants_bot.tip")
        yield Request(one.name, words, tip, GiveSeat(who=one.who), GiveSeat(who=one.who, allow=False))


def requests_height(ui: Ui, view: TableView | None, you: str) -> float:
    """Return the height in pixels that the requests take at the top of the board."""
    return ui.px(HEIGHT + GAP) * len(requests_of(view, you))


def draw_requests(ui: Ui, board: Rect, model: ViewModel, session: ClientSession) -> None:
    """Draw each request, with the two answers."""
    top = board.top - ui.px(8)
    for request in requests_of(model.view, session.conversation.you):
        width = min(ui.px(520), board.w - ui.px(12))
        box = Rect(board.centre[0] - width / 2, top - ui.px(HEIGHT), width, ui.px(HEIGHT))
        ui.painter.box(box, theme.RAISED, 1, theme.WARN, 5)
        inside = box.inset(ui.px(4))
        no, inside = inside.cut_right(ui.px(72), 8)
        yes, inside = inside.cut_right(ui.px(72), 8)
        ui.line(request.words, inside)
        allow, refuse = phrase("watching.allow"), phrase("vote.no")
        act, name = partial(session.say, request.allow), f"{allow} {request.name}"
        ui.button(yes, allow, act, name=name, tip=request.tip, primary=True)
        ui.button(no, refuse, partial(session.say, request.refuse), name=f"{refuse} {request.name}")
        top = box.y - ui.px(GAP)


def seats_to_ask_for(view: TableView | None, model: ViewModel, you: str) -> Iterator[tuple[str, AskSeat]]:
    """Yield the seats that a spectator may ask to take over: words and message. A bot's is taken without a question
    where late people may."""
    if view is None or view.seat >= 0 or view.state != "live":
        return
    asked = next((one.asks for one in view.watchers if one.who == you), -1)
    for seat in view.seats:
        if seat.seat == asked:
            yield phrase("watching.ask_seat.not", seat=model.seat_name(seat.seat)), AskSeat()
        elif seat.who or (seat.bot and not view.late):
            yield phrase("watching.ask_seat", seat=model.seat_name(seat.seat)), AskSeat(seat=seat.seat)
