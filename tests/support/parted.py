"""A match of haggling whose programs add to the dice: its steps, the facts that its host tells, and a replay of it.

Nothing of it is a window, a socket or a server: each step is proposed by hand, with whatever parts the test wants.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.audience import Seat
from engine.core.causes import AnyCause, Called, Expiry, Intended, RoundOpened, Seats, Start, Void
from engine.core.dice import MatchDice
from engine.core.match import Match
from engine.core.system import Setup
from protocol.fairness.contributor import OwnChain
from protocol.proofs import AnyFact
from protocol.replay import Frame, Header, Replay, SeatHeader
from server.proving import facts_in
from tests.support import replays
from tests.support.haggle import HAGGLE, Act, Market, Pass
from tests.support.opener import Opener
from tests.support.sealing import replay_of
from tests.support.signing import HOST

MATCH = "m1"
SECRET = bytes(range(32))
NAMES = ("Ada", "Bea", "Cyd")
TWO = ("person", "bot", "person")
"""The holders of a table at which the programs of seats 0 and 2 add."""


class Parted:
    """The match. `programs`: by seat, those whose tips it has; `parts`: whether programs may add at all."""

    def __init__(self, holders: tuple[str, ...] = TWO, parts: bool = True, match: str = MATCH) -> None:
        self.match: Match[Market] = Match(HAGGLE, match, MatchDice(SECRET, match))
        self.log: list[bytes] = []
        self.programs: dict[int, Opener] = {}
        self._drawn = 0
        self.do(Start(match, len(holders), HAGGLE.setup(None, Setup("fair", ("",) * len(holders))), parts))
        self.do(Seats(holders))
        for seat, holder in enumerate(holders):
            if parts and holder == "person":
                self.tip(seat)

    def do(self, cause: AnyCause) -> None:
        """One step."""
        step = self.match.propose(cause)
        self.log.append(step.data)
        self.match.settle(step)

    def tip(self, seat: int) -> Opener:
        """A program of this seat has drawn a new chain and says it."""
        self._drawn += 2
        seed, key = bytes([self._drawn]) * 32, bytes([self._drawn + 1]) * 32
        program = Opener(OwnChain(self.match.id, self.match.origin, seed, key))
        self.do(program.tip(seat))
        self.programs[seat] = program
        return program

    def hold(self, seat: int, holder: str) -> None:
        """The seat passes to a holder; but for a person its chain ends."""
        holders = [*self.match.record.participation.holders]
        holders[seat] = holder
        self.do(Seats(tuple(holders)))
        if holder != "person":
            self.programs.pop(seat, None)

    def call(self) -> None:
        """The call of the round that is wanted; there is none at a table without parts."""
        if self.match.record.parts:
            self.do(Called())

    def parts(self, missing: Iterable[int] = ()) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """Links and signatures of those who were called, but for these seats."""
        match = self.match
        if not match.record.parts:
            return (), ()
        asked = {*(match.record.call or ())} - {*missing}
        given = [
            self.programs[seat].part(match.record.round + 1, match.version, match.head) if seat in asked else (b"", b"")
            for seat in range(match.record.seats)
        ]
        return tuple(link for link, _ in given), tuple(proof for _, proof in given)

    def open(self, missing: Iterable[int] = ()) -> None:
        """Call and open every round that is wanted now, without the parts of these seats."""
        while self.match.wants_round:
            self.call()
            self.do(RoundOpened(*self.parts(missing)))

    def act(self, name: str = "gamble", missing: Iterable[int] = ()) -> None:
        """An act of the seat that is to move, with all questions left to their defaults."""
        self.open(missing)
        self._intend(Act(name))
        while self.match.pending is not None:
            if self.match.question is not None:
                self.do(Expiry(self.match.question.id))
            self.open(missing)

    def round(self, missing: Iterable[int] = ()) -> None:
        """An act that begins one round more (the first act of all: two)."""
        self.act("chain", missing)

    def give_up(self) -> None:
        """An act is given up while it waits for an answer."""
        self.open()
        self._intend(Act("chain"))
        self.do(Void("fault"))

    def pass_on(self) -> None:
        """The next seat is to move."""
        self._intend(Pass())

    def _intend(self, intent: Act | Pass) -> None:
        seat = self.match.may_act()[0]
        self.do(Intended(seat, bytes(16), self.match.codec.encode_intent(intent)))

    def facts(self, seat: int = -1) -> list[AnyFact]:
        """The facts so far, as this seat (-1: a spectator) is told them."""
        again: Match[Market] = Match(HAGGLE, self.match.id, MatchDice(SECRET, self.match.id))
        for data in self.log:
            again.replay(data)
        told = facts_in(again, self.log, HOST)
        return [one.fact for one in told if one.may_know(Seat(seat) if seat >= 0 else None)]

    def replay(self, names: tuple[str, ...] = NAMES) -> Replay:
        """Its replay, with pictures that are of another match."""
        header = Header("haggle", "fair", self.match.id, "here", "0.1", tuple(SeatHeader(name, "") for name in names))
        streams: dict[str, tuple[Frame, ...]] = {"public": replays.frames()}
        return replay_of(header, SECRET, self.log, streams)
