"""Controls of a table's owner before and during a match: the invite code and the removal of a person."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.link_row import draw_link
from client.views.popups import Confirmation
from protocol.wire.from_client import NewCode, RemoveSeat
from protocol.wire.from_server import SeatView, TableView

if TYPE_CHECKING:
    from client.app.navigator import Navigator


def remove_person(session: ClientSession, seat: SeatView) -> Confirmation:
    """Return the confirmation before a person is removed from a seat."""
    act, title = partial(session.say, RemoveSeat(seat=seat.seat)), phrase("remove.title", name=seat.name)
    return Confirmation(title, phrase("remove.about"), phrase("remove.yes"), act)


def draw_invite_code(
    ui: Ui, rows: Iterator[Rect], view: TableView, session: ClientSession, navigator: Navigator, *, owner: bool
) -> None:
    """Draw the table's invite code, for the owner with a button for a new one, and while it works the table's link in
    the next row."""
    row = next(rows)
    if owner:
        fresh, row = row.cut_right(ui.px(88), 8)
        act, about = partial(session.say, NewCode()), phrase("new_code.about")
        ask = partial(navigator.app.ask, Confirmation(phrase("new_code.title"), about, phrase("new_code.yes"), act))
        ui.button(fresh, phrase("menu.new_code"), ask, tip=phrase("menu.new_code.tip"))
    if view.code:
        copy, row = row.cut_right(ui.px(88), 8)
        ui.button(copy, phrase("copy"), lambda: navigator.copy(view.code))
    ui.line(phrase("menu.invite_code", code=view.code or phrase("menu.no_code")), row, bold=True)
    if view.code:
        draw_link(ui, next(rows), session.link_to(view.code), navigator.copy)
