"""The handling of all news of matches by the lobby, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from protocol.proof.signed_texts import expired_text
from protocol.wire.from_server import ClockWarning, Expired
from server.match import news as happened

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable
    from server.match.news import MatchNews


class MatchNewsHandler:
    """Handler that carries the news of each match to its table and to the parts of the lobby that it concerns."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    def handle(self, live: LiveTable, news: MatchNews) -> None:
        """Take this news of the match of this table."""
        match news:
            case happened.ClocksChanged():
                live.clocks_changed(news)
            case happened.SeatActed():
                live.activity.begin_anew(news.seat)
            case happened.TimeRunsShort():
                live.broadcast.say(ClockWarning(live.record.id, news.seats, round(news.seconds * 1000)))
            case happened.DefaultPlayed():
                self._default_played(live, news.seat)
            case happened.TimeRanOut():
                self._time_ran_out(live, news)
            case happened.SeatCleared():
                live.activity.emptied.add(news.seat)
                self._lobby.housekeeping.wake(live)
            case happened.PartWanted():
                live.programs.ask_part(news)
            case happened.MatchEnded():
                self._lobby.finish(live, news.result)
            case happened.MatchParked():
                live.parked()
            case happened.StepVoided():
                live.has_given_up = True
                self._lobby.housekeeping.wake(live)
            case happened.StepsLost():
                self._lobby.losses.found(live)
            case _:
                assert_never(news)

    def _default_played(self, live: LiveTable, seat: int) -> None:
        """Count a default where a person holds the seat."""
        holder, defaults = live.record.seats[seat], live.activity.defaults
        if holder.who and not holder.bot:
            defaults[seat] = defaults.get(seat, 0) + 1
            self._lobby.housekeeping.wake(live)

    def _time_ran_out(self, live: LiveTable, news: happened.TimeRanOut) -> None:
        """Tell the connections of the seat, under the host's signature."""
        mine = [session for session, held in live.participants.players.items() if held == news.seat]
        if mine:
            fact = news.seat, news.question, news.version, news.head
            signature = self._services.key.sign(expired_text(live.record.match, *fact))
            for session in mine:
                session.say(Expired(live.record.id, *fact, signature))
