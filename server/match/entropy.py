"""Collection of the programs' parts for each round of dice: tips before the call, links after it (docs/dice.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine.core.match.causes import EntropyTip, TableEvent
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from protocol.fairness.entropy_chain import opening_text
from protocol.fairness.signatures import is_signed
from protocol.ids import table_of
from protocol.wire.from_server import EntropyWanted
from server.match.news import PartWanted, TablePort
from server.runtime.clock import Clock, set_or_due
from server.runtime.signing import HostKey

WAIT_SECONDS: Final = 3.0
"""The time that a round waits for parts, and the first one for tips."""
DEFERRED_SECONDS: Final = 1.0
"""The time that a step which rolls waits for parts, at a strict table."""
RETURN_SECONDS: Final = 30.0
"""The time that a call of before a restart waits for those who are not back."""


class Parts(NamedTuple):
    """The parts of a round by seat, empty for those without; `notes`: facts for the log that follow its opening."""

    links: tuple[bytes, ...]
    proofs: tuple[bytes, ...]
    notes: list[TableEvent]


class EntropyCollector:
    """Collects the parts of one match. Tips said here are in memory only: programs say them on every connection."""

    def __init__(self, match: Match[Any], key: HostKey, clock: Clock, table: TablePort) -> None:
        self._match = match
        self._key = key
        self._clock = clock
        self._table = table
        self._said: dict[Seat, tuple[bytes, bytes]] = {}
        self._wanted: dict[Seat, float] = {}
        """The seats whose parts are awaited, with the time at which each is given up."""
        self._given: dict[Seat, tuple[bytes, bytes]] = {}
        self._notes: list[TableEvent] = []
        self._missed: set[Seat] = set()
        self._changed = asyncio.Event()

    def know(self, seat: Seat, tip: bytes, key: bytes) -> str:
        """Take the tip and key that this seat's program says on a new connection; return the code of a refusal, or an
        empty string. The tip of the seat's present chain only says that its program is there."""
        known = self._match.record.participation
        chain = known.chains.get(seat)
        if chain is None or chain.tip != tip:
            if not self._match.record.parts:
                return "entropy/none"
            # the other refusals wait: before the first step about seats the record shows nobody in them
            if known.tip_refusal(seat, tip, key) == "entropy/known":
                return "entropy/known"
        self._said[seat] = tip, key
        if seat in self._wanted:
            self._ask(seat)
        self._changed.set()
        return ""

    def gone(self, seat: Seat) -> None:
        """Note that this seat's program is not connected any more; it may come back in time."""
        self._said.pop(seat, None)
        self._changed.set()

    async def introduced(self) -> None:
        """Wait until every connected program that adds to dice has said its tip, WAIT_SECONDS at most. When cancelled,
        nothing has happened."""
        end = self._clock.now() + WAIT_SECONDS
        await self._wait(lambda: None if self._table.state.adding <= self._said.keys() else end)

    def new_tips(self) -> list[EntropyTip]:
        """Return the tips that the log lacks and may have, in seat order."""
        known = self._match.record.participation
        found = []
        for seat, (tip, key) in sorted(self._said.items()):
            chain = known.chains.get(seat)
            if (chain is None or chain.tip != tip) and not known.tip_refusal(seat, tip, key):
                found.append(EntropyTip(seat, tip, key))
        return found

    async def collect(self, *, is_new: bool) -> Parts:
        """Ask for the parts that the last step has called, and wait for them: WAIT_SECONDS for each program (of a step
        that rolls DEFERRED_SECONDS), or, where the call is of before a restart (not `is_new`), RETURN_SECONDS for those
        not back yet.

        When cancelled, nothing has happened: the same call is asked again.
        """
        record = self._match.record
        self._given, self._notes, self._missed = {}, [], set()
        end = self._clock.now() + (self._patience if is_new else RETURN_SECONDS)
        self._wanted = {Seat(seat): end for seat in record.call or ()}
        for seat in self._wanted:
            self._ask(seat)
        try:
            await self._wait(self._next_end)
        finally:
            missing, self._wanted = list(self._wanted), {}
        for seat in missing:
            self._note_missing(seat)
        given = [self._given.get(Seat(seat), (b"", b"")) for seat in range(record.seats)]
        return Parts(tuple(link for link, _ in given), tuple(proof for _, proof in given), self._notes)

    def give(self, seat: Seat, round: int, link: bytes, proof: bytes) -> str:
        """Take a part; return the code of its refusal, or an empty string. A seat has one try a round."""
        match = self._match
        # one that is late for an earlier round does not cost the seat its try in this one
        if seat not in self._wanted or round != match.record.participation.called:
            return "entropy/late"
        del self._wanted[seat]
        chain = match.record.participation.chains[seat]
        words = opening_text(match.id, round, match.version, match.head, link)
        is_next = match.record.participation.follows(match.id, match.origin, seat, round, link)
        self._changed.set()
        if not (is_next and is_signed(chain.key, words, proof)):
            self._notes.append(TableEvent("part_wrong", seat, str(round)))
            return "entropy/wrong"
        self._given[seat] = link, proof
        return ""

    def late_note(self, seat: Seat) -> TableEvent | None:
        """Return the note of a part that came too late, once for each part that was missed."""
        if seat not in self._missed:
            return None
        self._missed.discard(seat)
        return TableEvent("part_late", seat, str(self._match.record.round))

    def _ask(self, seat: Seat) -> None:
        """Ask the seat's program, if the one whose chain the record has is there: its time begins now."""
        match = self._match
        chain = match.record.participation.chains[seat]
        if self._said.get(seat, (b"", b""))[0] != chain.tip:
            return
        signature = self._key.sign_head(match.id, match.version, match.head)
        number = match.record.participation.called
        wanted = EntropyWanted(table_of(match.id), number, match.version, match.head, signature)
        if seat in self._table.state.tipped:
            self._table.tell(PartWanted(seat, wanted))
            self._wanted[seat] = min(self._wanted[seat], self._clock.now() + self._patience)

    @property
    def _patience(self) -> float:
        """The time that a program has for the part that is called now."""
        return WAIT_SECONDS if self._match.deferred is None else DEFERRED_SECONDS

    def _next_end(self) -> float | None:
        """Return the time at which the next awaited seat is given up; None where none is awaited any more."""
        now = self._clock.now()
        for seat in [seat for seat, end in self._wanted.items() if end <= now]:
            del self._wanted[seat]
            self._note_missing(seat)
        return min(self._wanted.values(), default=None)

    def _note_missing(self, seat: Seat) -> None:
        self._missed.add(seat)
        self._notes.append(TableEvent("part_absent", seat, str(self._match.record.participation.round)))

    async def _wait(self, until: Callable[[], float | None]) -> None:
        """Wait while `until` gives a time that is still to come; it is asked again at each change."""
        while (end := until()) is not None and end > self._clock.now():
            self._changed.clear()
            await set_or_due(self._changed, self._clock, end)
