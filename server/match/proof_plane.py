"""The proof plane: the facts by which chance in a match can be checked, told live to those who have asked.

Facts (protocol/proof/facts.py) are made of the stored steps alone, so that they come out the same after any restart.
Each audience has numbers of its own, so that they do not tell of facts that it may not know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from engine.core.match.folded_match import Step
from engine.core.match.hash_chain import first_head, next_head, proof_of
from engine.core.match.log import StoredStep
from engine.core.match.match import Match
from engine.core.rules import events
from engine.core.rules.audience import Seat
from protocol.errors import EschatonError
from protocol.ids import MatchId, table_of
from protocol.proof.facts import (
    AnyFact,
    Begun,
    Bound,
    Called,
    Drawn,
    GivenUp,
    Held,
    Opened,
    Ordered,
    Rolled,
    Shuffled,
    Tipped,
)
from protocol.wire.codec import encode
from protocol.wire.from_server import Proof
from server.match.channels import Viewer, Viewpoint
from server.match.spectator_queue import Backlog, SpectatorGate, SpectatorQueue
from server.runtime.long_threads import in_thread
from server.runtime.signing import HostKey

PAGE: Final = 64
"""Facts of a frame: a card with its path takes about 350 bytes, a roll of twenty dice 60."""


Read = Callable[[], Awaitable[Sequence[bytes]]]


class AudienceFact(NamedTuple):
    """A fact, and the seats that may know it where not everyone may."""

    fact: AnyFact
    seats: tuple[int, ...] | None

    def may_know(self, seat: Seat | None) -> bool:
        """Return True where it belongs to the audience of this seat (None: a spectator)."""
        return self.seats is None or (seat is not None and seat in self.seats)


class FactReceiver(Viewer, Protocol):
    """A connection that asks for facts."""

    async def drained(self) -> None:
        """Wait until all that was queued is on its way."""
        ...


def facts_of(stored: StoredStep[Any], match: MatchId, head: bytes, key: HostKey) -> Iterator[AudienceFact]:
    """Yield the facts in a step; `head` is the log's after it."""
    for entry in stored.entries:
        found = _fact(entry, stored, match, head, key)
        if found is not None:
            yield found


def _fact(entry: object, step: StoredStep[Any], match: MatchId, head: bytes, key: HostKey) -> AudienceFact | None:
    version = step.version
    match entry:
        case events.MatchStarted():
            signature = key.sign_head(match, version, head)
            bound = Bound(match, entry.seats, entry.commitment, head, signature, entry.dice, entry.parts, entry.strict)
            return AudienceFact(bound, None)
        case events.SeatHeld():
            return AudienceFact(Held(entry.seat, entry.by, entry.person), None)
        case events.TipKnown():
            return AudienceFact(Tipped(entry.seat, entry.tip, entry.key), None)
        case events.RoundCalled():
            signature = key.sign_head(match, version, head)
            actor = next((one.seat for one in step.entries if isinstance(one, events.StepDeferred)), None)
            deferred = actor is not None, -1 if actor is None else actor
            return AudienceFact(Called(entry.round, entry.seats, version, head, signature, *deferred), None)
        case events.DeferralOpened():
            signature = key.sign_head(match, version, head)
            opened = Opened(entry.call, entry.links, entry.proofs, version, head, signature)
            return AudienceFact(opened, None)
        case events.RoundBegun():
            signature = key.sign_head(match, version, head)
            begun = Begun(entry.round, entry.links, entry.seed, version, head, signature, entry.proofs)
            return AudienceFact(begun, None)
        case events.Voided():
            return AudienceFact(GivenUp(version), None)
        case events.DiceRolled() if entry.to.public:
            return AudienceFact(Rolled(entry.round, entry.n, entry.seat, entry.sides, entry.faces), None)
        case events.OrderMade():
            return AudienceFact(Ordered(entry.round, entry.n, entry.order), None)
        case events.DeckShuffled():
            return AudienceFact(Shuffled(entry.deck, entry.epoch, entry.round, len(entry.cards), entry.root), None)
        case events.CardDrawn():
            card = Drawn(entry.deck, entry.epoch, entry.index, entry.card, entry.salt, entry.path, not entry.to.public)
            return AudienceFact(card, entry.to.seats)
    return None


def facts_in(match: Match[Any], steps: Sequence[bytes], key: HostKey) -> list[AudienceFact]:
    """Return the facts of all these steps, the first of them the match's first. Raises LogDamaged."""
    found: list[AudienceFact] = []
    head = first_head(match.id)
    for data in steps:
        stored = match.codec.decode(data)
        proof = proof_of(data, match.record.seats, stored.hidden, match.dice, match.record.log)
        head = next_head(head, stored.version, proof)
        found += facts_of(stored, match.id, head, key)
    return found


class HostEnded(EschatonError):
    """The host of this match has ended: the match has another one, or is not looked at."""


class ProofPlane:
    """The facts of one match, read from its log when a connection first asks, and kept up from then on."""

    def __init__(self, match: Match[Any], key: HostKey, gate: SpectatorGate) -> None:
        self._match = match
        self.key = key
        self._told: list[AudienceFact] | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._is_given_up = False
        self._known: dict[Seat | None, tuple[int, int]] = {}
        """Of so many facts looked at, how many an audience may know."""
        # of those who leave nobody tells this: they are not to be kept until the next fact, which may never come
        self._hearers: WeakKeyDictionary[FactReceiver, None] = WeakKeyDictionary()
        self._spectators = SpectatorQueue(gate)
        self._backlog: Backlog[Viewer] = Backlog(self._spectators)
        self._owed: dict[Viewer, list[bytes]] = {}
        """The frames that wait for a spectator's turn."""

    async def loaded(self, read: Read, post: Callable[[Callable[[], Coroutine[Any, Any, None]]], None]) -> None:
        """Wait until the facts of all steps so far are made, by a work that `post` queues while no step is taken;
        `read` gives the steps. Raises what `read` does, and HostEnded where no work is done any more."""
        if self._is_given_up:
            raise HostEnded
        if self._told is not None:
            return
        loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def load() -> None:
            try:
                await self.load(read)
            except Exception as problem:  # noqa: BLE001 - whatever `read` raises is told to who waits for it
                if not loaded.done():
                    loaded.set_exception(problem)
                return

        self._waiting.add(loaded)
        post(load)
        try:
            await loaded
        finally:
            self._waiting.discard(loaded)

    async def load(self, read: Read) -> None:
        """Make the facts of all steps so far, if they are not made yet; no step may be taken meanwhile. Raises what
        `read` does."""
        if self._told is None:
            self._told = await in_thread(facts_in, self._match, await read(), self.key)
        for loaded in self._waiting:
            if not loaded.done():
                loaded.set_result(None)

    def give_up(self) -> None:
        """Raise HostEnded in all that wait in `loaded`."""
        self._is_given_up = True
        for loaded in self._waiting:
            if not loaded.done():
                loaded.set_exception(HostEnded())

    def publish(self, step: Step[Any], view_of: Callable[[Any], Viewpoint | None]) -> None:
        """Tell the facts of a settled step to those who look on and have asked: players at once, all others soon."""
        if self._told is None:
            return
        before = len(self._told)
        self._told += facts_of(step.stored, self._match.id, self._match.head, self.key)
        if len(self._told) == before:
            return
        frames: dict[Seat | None, bytes] = {}
        for viewer in list(self._hearers):
            view = view_of(viewer)
            if view is None:
                del self._hearers[viewer]
                continue
            if view.seat not in frames:
                frames[view.seat] = self._news(before, view.seat)
            if frames[view.seat] and view.plays:
                viewer.offer(frames[view.seat], droppable=True)
            elif frames[view.seat]:
                self._owed.setdefault(viewer, []).append(frames[view.seat])
                self._backlog.add(viewer, self._tell_spectators)

    def _tell_spectators(self, untold: list[Viewer]) -> Iterator[None]:
        for viewer in dict.fromkeys(untold):
            self.catch_up(viewer)
            yield

    def catch_up(self, viewer: Viewer) -> None:
        """Tell a spectator now what waits for their turn: other messages must not overtake it."""
        for frame in self._owed.pop(viewer, ()):
            viewer.offer(frame, droppable=True)

    def told_to(self, asker: FactReceiver, seat: Seat | None) -> int | None:
        """Return the number of facts that a connection of this audience has been told, None where it is not told those
        that come."""
        return sum(one.may_know(seat) for one in self._told or ()) if asker in self._hearers else None

    def stop(self) -> list[asyncio.Task[None]]:
        """Tell nothing any more. Return the tasks that now end."""
        return self._spectators.stop()

    def _news(self, before: int, seat: Seat | None) -> bytes:
        told = self._told or []
        looked_at, first = self._known.get(seat, (0, 0))
        first += sum(one.may_know(seat) for one in told[looked_at:before])
        fresh = tuple(one.fact for one in told[before:] if one.may_know(seat))
        self._known[seat] = len(told), first + len(fresh)
        return encode(Proof(table_of(self._match.id), first, fresh, seat=_number(seat))) if fresh else b""

    async def tell(
        self, asker: FactReceiver, seat: Seat | None, after: int, belongs: Callable[[], bool] = lambda: True
    ) -> bool:
        """Tell what an audience may know from fact number `after` on, page by page; then whatever comes, while it looks
        on. Return False, having told a part, where the asker does not belong to that audience any more.

        When cancelled, some pages have been told and nothing more will be.
        """
        told = [one.fact for one in self._told or () if one.may_know(seat)]
        after = min(after, len(told))
        while True:
            page = tuple(told[after : after + PAGE])
            is_last = after + len(page) == len(told)
            asker.offer(encode(Proof(table_of(self._match.id), after, page, not is_last, _number(seat))))
            after += len(page)
            if is_last:
                break
            await asker.drained()
            if not belongs():
                return False
            told = [one.fact for one in self._told or () if one.may_know(seat)]
        self._hearers[asker] = None
        return True


def _number(seat: Seat | None) -> int:
    return -1 if seat is None else int(seat)
