"""A match of dice 2 played on the core alone, with programs that add their parts to its dice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from engine.core.match.causes import (
    Answered,
    AnyCause,
    Conceded,
    Deferred,
    EntropyCall,
    Expiry,
    Intended,
    PartsOpened,
    RoundOpened,
    Seats,
    Start,
    Void,
)
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Intent, Setup
from protocol.fairness.contributor import OwnEntropyChain
from protocol.fairness.replay import Header, Replay, SeatHeader
from protocol.ids import MatchId
from protocol.proof.dice import u64
from protocol.proof.facts import AnyFact
from protocol.scene.nodes import Reply
from server.match.playback import fold, shown
from server.match.proof_plane import facts_in
from tests.support.clients.dice.opener import Opener
from tests.support.fairness.sealing import replay_of
from tests.support.fairness.signing import HOST
from tests.support.systems.haggle import HAGGLE, Act

MATCH: Final = MatchId("m1")
SECRET: Final = bytes(range(32))
HOLDERS: Final = ("person", "bot", "person")
"""Of a table at which the programs of seats 0 and 2 add."""
HEADER: Final = Header(
    "haggle", "fair", MATCH, "here", "0.1", tuple(SeatHeader(name, "") for name in ("Ada", "Bea", "Cyd"))
)


class Program(Opener):
    """One chain with its key, as a person's program draws it for match "m1" once it knows H_1 (`origin`)."""

    def __init__(self, number: int, origin: bytes, match: MatchId = MATCH) -> None:
        super().__init__(OwnEntropyChain(match, origin, u64(number) * 4, u64(number + 1_000_000) * 4))


class Contributed:
    """A match of haggling (or of `system`). Every seat of a person has a program, whose parts are in unless the seat is
    among the `missing`; `log` holds the steps. `parts`: the table runs with parts; `strict`: with those of each step
    that rolls, too."""

    def __init__(
        self,
        secret: bytes = SECRET,
        holders: Sequence[str] = HOLDERS,
        system: Any = HAGGLE,
        *,
        parts: bool = True,
        match: MatchId = MATCH,
        strict: bool = False,
    ) -> None:
        self.secret = secret
        self.system = system
        self.match: Match[Any] = Match(system, match, MatchDice(secret, match))
        self.log: list[bytes] = []
        self.programs: dict[int, Program] = {}
        self.missing: Collection[int] = ()
        self._drawn = 0
        resolved = system.setup(None, Setup("fair", ("",) * len(holders)))
        self.do(Start(match, len(holders), resolved, parts, strict=strict))
        self.do(Seats(tuple(holders)))
        for seat, holder in enumerate(holders):
            if parts and holder == "person":
                self.tip(seat)

    def do(self, cause: AnyCause) -> Step[Any]:
        """Make one step."""
        step = self.match.propose(cause)
        self.log.append(step.data)
        self.match.settle(step)
        return step

    def carry_out(self, cause: Intended | Answered | Expiry | Conceded) -> Step[Any]:
        """Make the step of a cause; at a strict table one that rolls is put off until its parts are open."""
        if self.match.record.strict and self.match.rolls(cause):
            self.do(Deferred(cause))
            self.do(PartsOpened(*self.parts()))
        return self.do(cause)

    def tip(self, seat: int) -> Program:
        """Give this seat a new program."""
        self._drawn += 1
        self.programs[seat] = program = Program(self._drawn, self.match.origin, self.match.id)
        self.do(program.tip(seat))
        return program

    def hold(self, seat: int, holder: str) -> None:
        """Pass the seat to a holder; its chain ends unless that is a person."""
        holders = list(self.match.record.participation.holders)
        holders[seat] = holder
        self.do(Seats(tuple(holders)))
        if holder != "person":
            self.programs.pop(seat, None)

    def act(self, seat: int, intent: Intent) -> None:
        """Carry out an intent, with the rounds before and after it."""
        self.open_rounds()
        self.carry_out(Intended(seat, bytes(16), self.match.codec.encode_intent(intent)))
        self.open_rounds()

    def answer(self, seat: int, choice: str) -> None:
        """Give the answer that closes the open question."""
        question = self.match.question
        assert question is not None
        self.carry_out(Answered(seat, bytes(16), question.id, Reply(choice)))

    def chain(self, missing: Collection[int] = (), *, is_failing: bool = False) -> None:
        """Carry out an act of seat 0 with a card, a round of dice and a roll in it; `is_failing`: it is given up as the
        round opens."""
        self.act(0, Act("chain"))
        self.answer(0, "2")
        self.missing = missing
        if is_failing:
            self.do(EntropyCall())
            self.do(Void("e1", *self.parts()))
        else:
            self.open_rounds()
            self.answer(1, "yes")
        self.missing = ()

    def open_rounds(self) -> None:
        """Call and open all wanted rounds."""
        while self.match.wants_round:
            self.call()
            self.do(RoundOpened(*self.parts()))

    def call(self) -> None:
        """Return the call of the wanted round; there is none at a table without parts."""
        if self.match.record.parts:
            self.do(EntropyCall())

    def parts(self) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """Return links and proofs for the call that is the last step; both empty where the table runs without parts."""
        record, match = self.match.record, self.match
        if not record.parts:
            return (), ()
        called = [seat for seat in record.call or () if seat not in self.missing]
        number = record.participation.called
        given = {seat: self.programs[seat].part(number, match.version, match.head) for seat in called}
        links, proofs = zip(*(given.get(seat, (b"", b"")) for seat in range(record.seats)), strict=True)
        return links, proofs

    def facts(self, seat: int = -1) -> list[AnyFact]:
        """Return the facts so far, as told to this seat (-1: a spectator)."""
        again: Match[Any] = Match(self.system, self.match.id, MatchDice(self.secret, self.match.id))
        for data in self.log:
            again.replay(data)
        told = facts_in(again, self.log, HOST)
        return [one.fact for one in told if one.may_know(Seat(seat) if seat >= 0 else None)]

    def replay(self) -> Replay:
        """Return the match so far as a replay."""
        streams = shown(Match(self.system, MATCH, MatchDice(self.secret, MATCH)), self.log, fold)
        return replay_of(HEADER, self.secret, self.log, streams)
