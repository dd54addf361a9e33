"""F10: what concerns the table rather than the game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from client import theme
from client.layout import Rect
from client.session import Session
from client.shown import Shown
from client.ui import Ui
from client.views.care import TableCare
from client.views.keep_name import NameKeeper
from client.views.watching import draw_end_of_consent, roles_on_offer, sees_in_words
from protocol.from_client import GetSeatCode, NewCode, RemoveSeat, RemoveWatcher
from protocol.from_server import TableView

MOVED = "session/moved"

if TYPE_CHECKING:
    from client.pilot import Pilot


def draw_menu(
    ui: Ui,
    shown: Shown,
    session: Session,
    close: Callable[[], None],
    pilot: Pilot,
    care: TableCare,
    keeper: NameKeeper,
) -> None:
    """The invite code, who watches, the owner's means, and the ways out."""
    ui.begin_popup()
    view = shown.view
    owner = view is not None and view.owner == session.conversation.you
    watchers = view.watchers[:6] if view is not None else ()
    people = [seat for seat in (view.seats if view is not None else ()) if seat.who and seat.seat != shown.seat]
    seats = view.seats if view is not None else ()
    live = view is not None and view.state == "live"
    plays = live and shown.seat >= 0
    bots = [seat for seat in seats if live and seat.bot and not seat.who and view is not None and view.late]
    bots = bots if shown.seat < 0 else []
    offers = roles_on_offer(shown)
    rows = len(watchers) + (len(people) if owner else 0) + len(bots) + (2 if plays else 0) + len(offers)
    box = ui.window.middle(ui.px(460), ui.px(354) + ui.px(34) * rows)
    inside = ui.panel(box, view.name if view is not None else "Table")
    line = inside.rows(ui.px(28), ui.px(5))
    if view is not None and (view.code or owner):
        draw_invite_code(ui, next(line), view, owner, session, pilot)
    for watcher in watchers:
        row = next(line)
        away, words = row.cut_right(ui.px(90), 8)
        stop, words_ = words.cut_right(ui.px(60), 8)
        words = words_ if draw_end_of_consent(ui, stop, shown, session, watcher) else words
        sees = sees_in_words(shown, watcher.role)
        ui.label(f"{watcher.name} {sees}", words.x, words.centre[1], colour=theme.MUTED, room=words.w)
        if owner:
            send_away = RemoveWatcher(who=watcher.who)
            ui.button(away, "Send away", partial(session.say, send_away), name=f"Send away {watcher.name}")
    for seat in people if owner else ():
        row = next(line)
        away, words = row.cut_right(ui.px(90), 8)
        ui.label(f"{seat.name} plays {shown.seat_name(seat.seat)}", words.x, words.centre[1], room=words.w)
        take_over = RemoveSeat(seat=seat.seat)
        act = partial(session.say, take_over)
        ui.button(away, "Remove", act, name=f"Remove {seat.name}", tip="A bot plays on for the seat.")
    for seat in bots:
        row = next(line)
        take, words = row.cut_right(ui.px(90), 8)
        ui.label(f"A bot plays {shown.seat_name(seat.seat)}", words.x, words.centre[1], room=words.w)
        act = partial(care.take_seat, seat.seat, close)
        ui.button(take, "Play", act, name=f"Play {shown.seat_name(seat.seat)}", tip="You play on for the bot.")
    for title, look in offers:
        tip = "Whoever has seen more than is public cannot play in this match any more."
        ui.button(next(line), title, partial(session.say, look), tip="" if look.sees == "public" else tip)
    if plays:
        care.menu(ui, next(line), next(line), shown, close)
    ui.button(next(line), "Back to the table", close, primary=True, key="Esc")
    if shown.top.result is not None:
        ui.button(next(line), "Result", pilot.to_result)
    ui.button(next(line), keeper.title, keeper.open, tip=keeper.tip)
    ui.button(next(line), "To the lobby", pilot.to_lobby, tip="The match goes on; come back to it from the lobby.")
    if shown.seat >= 0:
        _seat_code(ui, next(line), session, pilot)
        tip = "A bot plays on for you, and you leave the table."
        ui.button(next(line), "Give up my seat", pilot.leave_table, tip=tip)
    else:
        ui.button(next(line), "Stop watching", pilot.leave_table)
    ui.button(next(line), "Quit", pilot.quit, tip="The match goes on without you until your time runs out.")


def _seat_code(ui: Ui, row: Rect, session: Session, pilot: Pilot) -> None:
    """The code by which my seat passes to another device, once I have asked for it."""
    told = session.seat_code
    if told is None:
        ask = GetSeatCode()
        tip = "Shows a code, good once and for ten minutes, by which you play on at another computer."
        ui.button(row, "Play on another device", lambda: session.say(ask), tip=tip)
        return
    copy, words = row.cut_right(ui.px(90), 8)
    note = f"Seat code, once, {told.seconds // 60} minutes: {told.code}"
    ui.label(note, words.x, words.centre[1], bold=True, room=words.w)
    ui.button(copy, "Copy", lambda: pilot.copy(told.code), name=f"Copy seat code {told.code}")


def draw_invite_code(ui: Ui, row: Rect, view: TableView, owner: bool, session: Session, pilot: Pilot) -> None:
    """The code that brings friends to the table, and for the owner a way to have another made."""
    if owner:
        fresh, row = row.cut_right(ui.px(90), 8)
        tip = "A new code; the one before it ends."
        ui.button(fresh, "New code", lambda: session.say(NewCode()), tip=tip)
    if view.code:
        copy, row = row.cut_right(ui.px(90), 8)
        ui.button(copy, "Copy", lambda: pilot.copy(view.code))
    ui.label(f"Invite code: {view.code or 'run out'}", row.x, row.centre[1], bold=True, room=row.w)


def draw_away(ui: Ui, session: Session, close: Callable[[], None]) -> None:
    """I play somewhere else now; from here I can connect again."""
    ui.begin_popup()
    moved = session.away == MOVED
    inside = ui.panel(ui.window.middle(ui.px(440), ui.px(150)), "Playing elsewhere")
    other = "Your seat has passed to another device by its code." if moved else "Another window of yours is you now."
    used = ui.lines(other, inside)
    foot, _ = inside.cut_top(used + ui.px(8))[1].cut_bottom(ui.px(34))
    back, out = foot.columns(2)
    ui.button(back, "Connect again" if moved else "Take it back", session.take_back, primary=True)
    ui.button(out, "Close", close)
