"""Links of the seats: their tips wait here for the next round, and each round collects what the programs open."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from engine.core.audience import Seat
from engine.core.causes import TableEvent, Tip
from protocol.from_server import LinkWanted
from protocol.links import before

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.core.match import Match
    from server.clock import Clock

WAIT_SECONDS: Final = 3.0


class Links:
    """Of one match. What is said here is in memory only: what counts is in the log, and programs say their tips again
    on every new connection."""

    def __init__(self, match: Match[Any], clock: Clock) -> None:
        self._match = match
        self._clock = clock
        self._tips: dict[Seat, bytes] = {}
        self._wanted: dict[Seat, bytes] = {}
        self._given: dict[Seat, bytes] = {}
        self._notes: list[TableEvent] = []
        self._missed: set[Seat] = set()
        self._changed = asyncio.Event()

    def know(self, seat: Seat, tip: bytes) -> None:
        """This seat's program has said its tip. It counts from the next round; a later one replaces it until then."""
        self._tips[seat] = tip

    def give(self, seat: Seat, round: int, link: bytes) -> str:
        """A link has come: empty, or the code of its refusal. A seat has one try a round."""
        known = self._wanted.get(seat)
        # one that is late for an earlier round does not cost the seat its try in this one
        if known is None or round != self._match.record.round + 1:
            return "link/late"
        del self._wanted[seat]
        is_right = before(self._match.id, link) == known
        if is_right:
            self._given[seat] = link
        else:
            self._notes.append(TableEvent("link_wrong", seat, str(round)))
        self._changed.set()
        return "" if is_right else "link/wrong"

    def late(self, seat: Seat) -> TableEvent | None:
        """What is to be logged of a link that came too late, once for each link that was missed."""
        if seat not in self._missed:
            return None
        self._missed.discard(seat)
        return TableEvent("link_late", seat, str(self._match.record.round))

    def gone(self, seat: Seat) -> None:
        """This seat's program is not connected any more: it is not waited for."""
        if self._wanted.pop(seat, None) is not None:
            self._note_missing(seat)
            self._changed.set()

    def new_tips(self) -> list[Tip]:
        """The tips to log before any link of the coming round is opened."""
        known = self._match.record.tips
        tips = [Tip(seat, tip) for seat, tip in sorted(self._tips.items()) if known.get(seat, (b"",))[0] != tip]
        self._tips = {}
        return tips

    async def collect(self, ask: Callable[[Seat, LinkWanted], bool]) -> tuple[tuple[bytes, ...], list[TableEvent]]:
        """The links of the round in seat order, empty for the absent, and what is to be logged beside them.

        `ask` sends the question to a seat's program and says whether there is one. Waits WAIT_SECONDS at most. When
        cancelled, nothing has happened: the round is collected again.
        """
        record = self._match.record
        if not record.tips:
            return (), []
        self._given, self._notes, self._missed = {}, [], set()
        self._wanted = {Seat(seat): known for seat, (_, known) in record.tips.items()}
        for seat, known in list(self._wanted.items()):
            if not ask(seat, LinkWanted(self._match.id, record.round + 1, known)):
                del self._wanted[seat]
        if self._wanted:
            alarm = asyncio.create_task(self._clock.sleep(WAIT_SECONDS))
            try:
                await self._all_in(alarm)
            finally:
                # not awaited: a cancellation that came meanwhile would pass for its own, and the round would begin
                alarm.cancel()
        for seat in list(self._wanted):
            self._note_missing(seat)
        self._wanted = {}
        return tuple(self._given.get(Seat(seat), b"") for seat in range(record.seats)), self._notes

    async def _all_in(self, alarm: asyncio.Task[None]) -> None:
        while self._wanted and not alarm.done():
            self._changed.clear()
            change = asyncio.create_task(self._changed.wait())
            try:
                await asyncio.wait({change, alarm}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                change.cancel()

    def _note_missing(self, seat: Seat) -> None:
        self._missed.add(seat)
        self._notes.append(TableEvent("link_absent", seat, str(self._match.record.round + 1)))
