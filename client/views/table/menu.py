"""Menu of the table (F10): what concerns the table rather than the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from client.model.session import ClientSession
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.views.name_registration import NameRegistration
from client.views.owner_controls import draw_invite_code, remove_person
from client.views.people_popup import PeoplePopup
from client.views.popups import Confirmation
from client.views.table.match_controls import MatchControls
from client.views.table.spectator_roles import available_roles, draw_consent_withdrawal, sees_in_words
from client.views.table.watchers_requests import seats_to_ask_for
from protocol.wire.from_client import GetSeatCode, LookAs, RemoveWatcher
from protocol.wire.from_server import SeatView, TableView, Watcher
from protocol.wire.seating import AskSeat

if TYPE_CHECKING:
    from client.app.navigator import Navigator

T = TypeVar("T")
MenuSection = tuple[int, Callable[[Iterator[Rect]], None]]
MOST_NAMED = 6
WIDE = 460
"""Width in pixels of a column."""
FRAME, ROW, GAP = 56, 28, 4
"""Heights in pixels of the panel's title and edges, of a row, and between two rows."""


@dataclass
class TableMenu:
    """Page of the menu in sections: how many rows each takes, and what draws them; in two columns where one would be
    higher than the window."""

    ui: Ui
    model: ViewModel
    session: ClientSession
    close: Callable[[], None]
    navigator: Navigator
    controls: MatchControls
    registration: NameRegistration
    people: PeoplePopup
    fold: Callable[[], None]

    def __post_init__(self) -> None:
        view = self.model.view
        self.owner = view is not None and view.owner == self.session.conversation.you
        self.watches = self.model.seat < 0
        self.live = view is not None and view.state == "live"

    def draw(self) -> None:
        """Draw the invite code, the spectators, the owner's controls, and the ways out."""
        ui, view = self.ui, self.model.view
        company, acts = list(self._company()), list(self._acts())
        columns = [company + acts]
        if self._height(columns[0]) > ui.popup_room.h:
            columns = [company, acts]
        height = max(map(self._height, columns))
        title = view.name if view is not None else phrase("menu.title")
        inside = ui.popup(ui.px(WIDE) * len(columns), height, title)
        for column, sections in zip(inside.columns(len(columns), ui.px(16)), columns, strict=True):
            rows = column.share(sum(count for count, _ in sections), ui.px(ROW), ui.px(GAP))
            for _, draw in sections:
                draw(rows)

    def _height(self, sections: Iterable[MenuSection]) -> int:
        """Return the height in pixels of the page with these sections below each other."""
        return self.ui.px(FRAME) + sum(count for count, _ in sections) * (self.ui.px(ROW) + self.ui.px(GAP))

    def _company(self) -> Iterator[MenuSection]:
        """Yield the sections about the people at the table, from top to bottom."""
        view, model = self.model.view, self.model
        if view is not None:
            if view.code or self.owner:
                ui, session, navigator = self.ui, self.session, self.navigator
                count = 2 if view.code else 1
                yield count, lambda rows: draw_invite_code(ui, rows, view, session, navigator, owner=self.owner)
            if self.live:
                yield 1, lambda rows: self._delayed_view(next(rows), view)
            watchers = view.watchers[:MOST_NAMED]
            yield len(watchers), lambda rows: self._each(rows, watchers, self._watcher)
            people = [seat for seat in view.seats if self.owner and seat.who and seat.seat != model.seat]
            yield len(people), lambda rows: self._each(rows, people, self._person)
            can_join = self.live and self.watches and view.late
            bots = [seat for seat in view.seats if can_join and seat.bot and not seat.who]
            yield len(bots), lambda rows: self._each(rows, bots, self._bot)
        looks = list(available_roles(model))
        yield len(looks), lambda rows: self._each(rows, looks, self._look)
        you, is_known = self.session.conversation.you, self.session.invitations.is_known
        seats = list(seats_to_ask_for(view, model, you)) if is_known else []
        yield len(seats), lambda rows: self._each(rows, seats, self._ask_seat)

    def _acts(self) -> Iterator[MenuSection]:
        """Yield the sections of what can be done, from top to bottom."""
        model = self.model
        if self.live and not self.watches:
            yield 2, lambda rows: self.controls.menu(self.ui, next(rows), next(rows), model, self.close)
        yield 2, lambda rows: self._window(next(rows), next(rows))
        yield 5 + (model.top.result is not None) + (1 if self.watches else 2), self._ways_out

    def _each(self, rows: Iterator[Rect], things: Iterable[T], draw: Callable[[Rect, T], None]) -> None:
        for thing in things:
            draw(next(rows), thing)

    def _delayed_view(self, row: Rect, view: TableView) -> None:
        words = phrase("menu.delayed_view", said=yes_or_no(is_so=view.delayed_view))
        self.ui.line(words, row, colour=theme.MUTED)
        self.ui.tag(row, words, phrase("menu.delayed_view.tip"))

    def _watcher(self, row: Rect, watcher: Watcher) -> None:
        ui, session = self.ui, self.session
        away, words = row.cut_right(ui.px(88), 8)
        stop, beside = words.cut_right(ui.px(60), 8)
        words = beside if draw_consent_withdrawal(ui, stop, self.model, session, watcher) else words
        sees = sees_in_words(self.model, watcher.role)
        ui.line(f"{watcher.name} {sees}", words, colour=theme.MUTED)
        self.people.tag(ui, words, watcher.who, watcher.name)
        if self.owner:
            act, name = partial(session.say, RemoveWatcher(who=watcher.who)), watcher.name
            ui.button(away, phrase("menu.send_away"), act, name=phrase("menu.send_away.of", name=name))

    def _person(self, row: Rect, seat: SeatView) -> None:
        plays = phrase("menu.plays", name=seat.name, seat=self.model.seat_name(seat.seat))
        act = partial(self.navigator.app.ask, remove_person(self.session, seat))
        name, tip = phrase("menu.remove.of", name=seat.name), phrase("menu.remove.tip")
        self._player(row, plays, phrase("menu.remove"), act, name, tip)

    def _bot(self, row: Rect, seat: SeatView) -> None:
        seat_name = self.model.seat_name(seat.seat)
        act = partial(self.controls.take_seat, seat.seat, self.close)
        name, tip = phrase("menu.play.of", name=seat_name), phrase("menu.play.tip")
        self._player(row, phrase("menu.bot_plays", name=seat_name), phrase("menu.play"), act, name, tip)

    def _player(self, row: Rect, words: str, label: str, act: Act, name: str, tip: str) -> None:
        """Draw a line about one player, with a button beside it."""
        button, rest = row.cut_right(self.ui.px(88), 8)
        self.ui.line(words, rest)
        self.ui.button(button, label, act, name=name, tip=tip)

    def _look(self, row: Rect, offer: tuple[str, LookAs]) -> None:
        title, look = offer
        tip = "" if look.sees == "public" else phrase("menu.seen_more")
        self.ui.button(row, title, partial(self.session.say, look), tip=tip)

    def _ask_seat(self, row: Rect, offer: tuple[str, AskSeat]) -> None:
        title, ask = offer
        self.ui.button(row, title, partial(self.session.say, ask), tip=phrase("watching.ask_seat.tip"))

    def _window(self, fold: Rect, settings: Rect) -> None:
        ui, page = self.ui, self.navigator.app.settings_page
        words = phrase("fold.back" if self.navigator.profile.folded else "fold.away")
        ui.button(fold, words, self._fold, key=ui.keys.shown("fold"))
        ui.button(settings, phrase("settings.open"), page.toggle, key=ui.keys.shown("preferences"))

    def _fold(self) -> None:
        self.close()
        self.fold()

    def _ways_out(self, rows: Iterator[Rect]) -> None:
        ui, navigator = self.ui, self.navigator
        ui.button(next(rows), phrase("to_table"), self.close, primary=True, key=ui.keys.shown("back"))
        if self.model.top.result is not None:
            ui.button(next(rows), phrase("result.open"), navigator.to_result)
        self.people.draw_button(ui, next(rows))
        self.registration.draw_button(ui, next(rows))
        ui.button(next(rows), phrase("to_lobby"), navigator.to_lobby, tip=phrase("menu.to_lobby.tip"))
        if self.watches:
            ui.button(next(rows), phrase("menu.stop_watching"), navigator.leave_table)
        else:
            _seat_code(ui, next(rows), self.session, navigator)
            title, about, yes = phrase("give_up.title"), phrase("give_up.about"), phrase("give_up.yes")
            ask = partial(navigator.app.ask, Confirmation(title, about, yes, navigator.leave_table))
            ui.button(next(rows), phrase("menu.give_up"), ask, tip=phrase("menu.give_up.tip"))
        ui.button(next(rows), phrase("quit"), navigator.quit, tip=phrase("menu.quit.tip"))


def _seat_code(ui: Ui, row: Rect, session: ClientSession, navigator: Navigator) -> None:
    """Draw the code by which the player's seat passes to another device, once it has been asked for."""
    told = session.seat_code.told
    if told is None:
        ui.button(row, phrase("menu.device"), partial(session.say, GetSeatCode()), tip=phrase("menu.device.tip"))
        return
    copy, words = row.cut_right(ui.px(88), 8)
    note = phrase("menu.seat_code", minutes=session.seat_code.minutes, code=told.code)
    ui.line(note, words, bold=True)
    name = phrase("menu.seat_code.copy", code=told.code)
    ui.button(copy, phrase("copy"), partial(navigator.copy, told.code), name=name)
