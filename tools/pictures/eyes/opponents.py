"""Opponents of the window: a person by program who owns the table, and bots of the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.rules.system import System
from protocol.wire import from_client as say
from protocol.wire.from_server import FromServer, TableView
from server.cli.wire_bot import WirePlayer
from server.runtime.clock import RealClock

BOT: Final = "level2"
PERSON: Final = "level1"


class Opponent(WirePlayer):
    """Owner of a table of this scenario, in its first seat, who keeps one seat free, has bots in all others, and starts
    when all are ready."""

    def __init__(
        self, url: str, name: str, seed: int, systems: Mapping[str, System[Any]], system: str, scenario: str, free: int
    ) -> None:
        super().__init__(url, "", PERSON, name, seed, systems, RealClock())
        self._system, self._scenario, self._free = system, scenario, free
        self._has_filled = self._has_started = False

    @property
    def code(self) -> str:
        """The code of the table, once there is one."""
        return self.talk.table.code if self.talk.table is not None else ""

    def ask_for_seat(self) -> None:
        self.talk.say(say.CreateTable(system=self._system, scenario=self._scenario, name=f"{self.talk.name}'s table"))

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        if not isinstance(message, TableView) or message.state != "open":
            return
        if not self._has_filled:
            self._has_filled = True
            others = [seat.seat for seat in message.seats if seat.seat not in (message.seat, self._free)]
            for number in others:
                self.talk.say(say.AddBot(kind=BOT, seat=number))
        if not self._has_started and all(seat.bot or seat.ready for seat in message.seats):
            self._has_started = True
            self.talk.say(say.StartMatch())
