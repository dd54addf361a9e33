"""Controls of a live match: votes, rests, conceding and clock warnings, by keys, buttons and popups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from client.draw.panels.notices import OTHER_RULES, NoticeActions, draw_notices
from client.input.key_table import KeyPress
from client.model.session import ClientSession
from client.model.table.time_warning import time_up
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.popups import Confirmation
from protocol.wire.from_client import CallVote, CastVote, Concede, JoinTable, OpenTable

What = Literal["pause", "resume", "adjourn", "end", "bot", "play_on"]


class MatchControls:
    """Acts on the match rather than in the game. `ask` puts a confirmation before what cannot be undone; `ring` is
    called at each new warning of the clock."""

    def __init__(
        self, session: ClientSession, ask: Callable[[Confirmation], None], ring: Callable[[], None] = lambda: None
    ) -> None:
        self.session = session
        self.ask = ask
        self.ring = ring
        self.is_conceding = False
        self._rung = 0.0
        self._actions = NoticeActions(
            lambda: self.cast_vote(yes=True),
            lambda: self.cast_vote(yes=False),
            lambda: self.call_vote("resume"),
            lambda: self.call_vote("play_on"),
            self.reclaim_seat,
        )

    # Acts

    def call_vote(self, what: What, seat: int | None = None) -> None:
        """Call a vote of all players."""
        self.session.say(CallVote(what=what, seat=seat))

    def ask_to_end(self) -> None:
        """Ask before the match is ended; where nobody else plays, the player's own vote is the majority."""
        table = self.session.conversation.table
        seats = table.seats if table is not None else ()
        alone = not any(seat.who and table is not None and seat.seat != table.seat for seat in seats)
        kind = "alone" if alone else "all"
        yes = phrase(f"end.{kind}.yes")
        self.ask(Confirmation(phrase("end.title"), phrase(f"end.{kind}"), yes, lambda: self.call_vote("end")))

    def cast_vote(self, *, yes: bool) -> None:
        self.session.say(CastVote(yes=yes))

    def reclaim_seat(self) -> None:
        """Take the player's own seat back from the bot."""
        table = self.session.conversation.table
        if table is not None:
            self.session.say(OpenTable(table=table.id))

    def take_seat(self, seat: int, close: Callable[[], None]) -> None:
        """Play on for a bot; `close` closes the menu it was picked in."""
        close()
        table = self.session.conversation.table
        if table is not None:
            self.session.say(JoinTable(table=table.id, seat=seat))

    def concede(self, *, figures: bool) -> None:
        self.is_conceding = False
        self.session.say(Concede(figures=figures))

    def stop_conceding(self) -> None:
        self.is_conceding = False

    # Display

    def seconds_left(self) -> float:
        """Return the seconds until the player's time is up, 0 where no warning has come."""
        return self.session.warning.until - self.session.clock() if self._is_warned() else 0.0

    def _is_warned(self) -> bool:
        table, until = self.session.conversation.table, self.session.warning.until
        if until <= self.session.clock():
            return False
        return time_up(table, self.session.clocks_at) > 0

    def sync(self) -> None:
        """Ring at a new warning."""
        if self._is_warned() and self._rung != self.session.warning.until:
            self._rung = self.session.warning.until
            self.ring()

    def ticks(self) -> bool:
        """Return True if what is drawn changes with time."""
        table = self.session.conversation.table
        return self._is_warned() or (table is not None and table.vote is not None)

    def key(self, press: KeyPress) -> bool:
        """Take a key of these controls; return False for any other."""
        table = self.session.conversation.table
        if table is None or table.seat < 0 or table.state != "live":
            return False
        if (no := press.which("vote")) is not None and table.vote is not None:
            self.cast_vote(yes=not no)
        elif press.means("again") and any(seat.seat == table.seat and seat.bot for seat in table.seats):
            self.reclaim_seat()
        elif (long := press.which("pause")) is not None:
            rests: What = "play_on" if table.parked == OTHER_RULES else "resume" if table.rest else "pause"
            self.call_vote("adjourn" if long else rests)
        elif (concedes := press.which("end")) is not None:
            if concedes:
                self.is_conceding = True
            else:
                self.ask_to_end()
        else:
            return False
        return True

    def draw(self, ui: Ui, board: Rect, model: ViewModel) -> None:
        """Draw the notices over the board."""
        draw_notices(ui, board, model, self._actions, self.seconds_left())

    def draw_concede_popup(self, ui: Ui) -> None:
        """Draw the question before conceding."""
        inside = ui.popup(ui.px(520), ui.px(192), phrase("concede.title"))
        foot, _ = ui.lines(phrase("concede.about"), inside, gap=8).cut_bottom(ui.px(36))
        bot, figures, no = foot.columns(3)
        ui.button(bot, phrase("concede.bot"), lambda: self.concede(figures=False))
        ui.button(figures, phrase("concede.leave"), lambda: self.concede(figures=True))
        ui.button(no, phrase("concede.play_on"), self.stop_conceding, primary=True, key=ui.keys.shown("back"))

    def menu(self, ui: Ui, row: Rect, second: Rect, model: ViewModel, close: Callable[[], None]) -> None:
        """Draw two lines of the table's menu, for a player of a live match."""
        view = model.view
        voting = view is not None and view.vote is not None
        tip = phrase("vote.one") if voting else phrase("vote.majority")

        def can(what: What) -> Callable[[], None] | None:
            return None if voting else lambda: self._from_menu(lambda: self.call_vote(what), close)

        pause, adjourn = row.columns(2, ui.px(8))
        rests = view is not None and bool(view.rest)
        words = phrase("rest.go_on") if rests else phrase("rest.pause")
        ui.button(pause, words, can("resume" if rests else "pause"), key=ui.keys.shown("pause", 0), tip=tip)
        asleep = view is not None and view.rest == "adjourned"
        ui.button(
            adjourn, phrase("rest.adjourn"), None if asleep else can("adjourn"), key=ui.keys.shown("pause", 1), tip=tip
        )
        end, concede = second.columns(2, ui.px(8))
        ask = None if voting else lambda: self._from_menu(self.ask_to_end, close)
        ui.button(end, phrase("vote.end"), ask, key=ui.keys.shown("end", 0), tip=phrase("vote.end.tip"))
        ui.button(
            concede,
            phrase("concede"),
            lambda: self._from_menu(self._ask_to_concede, close),
            key=ui.keys.shown("end", 1),
        )

    def _from_menu(self, act: Callable[[], None], close: Callable[[], None]) -> None:
        close()
        act()

    def _ask_to_concede(self) -> None:
        self.is_conceding = True
