"""Matches played in memory in which programs add to the dice: some are missing, come late, or pass to bots and back."""

from __future__ import annotations

import random
from typing import Any, Final, Generic, TypeVar

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import (
    AnyCause,
    Deferred,
    EntropyCall,
    Intended,
    PartsOpened,
    RoundOpened,
    Seats,
    Start,
    Void,
)
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.fairness.contributor import OwnEntropyChain
from protocol.fairness.entropy_record import BOT, PERSON, PERSON_BYTES
from protocol.ids import MatchId, table_of
from server.content.systems import Installed
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.match.replays import make
from tests.support.clients.dice.opener import Opener
from tests.support.fairness.signing import HOST

S = TypeVar("S")
ROUNDS: Final = 8


class EntropyPlay(SelfPlay[S], Generic[S]):
    """Match whose seats have programs. `missing`: the share of parts that are not given; with `moves`, seats pass to
    bots and back, and programs draw anew. `over`: ROUNDS have been played."""

    def __init__(self, match: Match[S], chance: random.Random, missing: float, *, moves: bool) -> None:
        self.steps: list[bytes] = []
        super().__init__(match, lambda step, _: self.steps.append(step.data))
        self._chance = chance
        self._missing = missing
        self._moves = moves
        self._programs: dict[int, Opener] = {}

    @property
    def over(self) -> bool:
        return self.match.record.round >= ROUNDS

    def do(self, cause: AnyCause) -> None:
        if self.match.record.strict and self.match.rolls(cause):
            self._defer(cause)
        else:
            super().do(cause)

    def _defer(self, cause: Any) -> None:
        self._do(Deferred(cause))
        opened = self._opened()
        self._do(PartsOpened(opened.links, opened.proofs))
        if self._moves and self._chance.random() < 0.05:
            # as if the rules failed on the dice
            self._do(Void("0badf00d"))
        else:
            self._do(cause)
        if self._moves and isinstance(cause, Intended) and not self.match.wants_round:
            self._sit_down()
            self._say_tips()
        self._open_rounds()

    def _open_rounds(self) -> None:
        while self.match.wants_round:
            self._sit_down()
            self._say_tips()
            self._do(EntropyCall())
            opened = self._opened()
            if self._moves and self._chance.random() < 0.05 and self.match.record.round > 1:
                # as if the rules failed on the parts
                self._do(Void("0badf00d", opened.links, opened.proofs))
            else:
                self._do(opened)

    def _do(self, cause: AnyCause) -> None:
        self._tell(self._settle(cause))

    def _sit_down(self) -> None:
        known = self.match.record.participation.holders
        held = list(known if PERSON in known or BOT in known else (PERSON,) * len(known))
        for seat in range(len(held)) if self._moves else ():
            if self._chance.random() < 0.1:
                held[seat] = BOT if held[seat] == PERSON else PERSON
        people = [self._person(seat) if holder == PERSON else b"" for seat, holder in enumerate(held)]
        if (tuple(held), {seat: person for seat, person in enumerate(people) if person}) != (
            known,
            self.match.record.people,
        ):
            self._do(Seats(tuple(held), tuple(people)))

    def _person(self, seat: int) -> bytes:
        """Return the id of whoever now holds a seat: now and then somebody else."""
        known = self.match.record.people.get(seat, b"")
        if known and not (self._moves and self._chance.random() < 0.05):
            return known
        return self._chance.randbytes(PERSON_BYTES)

    def _say_tips(self) -> None:
        known = self.match.record.participation
        for seat, holder in enumerate(known.holders):
            is_late = seat in known.chains or self._chance.random() < 0.15
            if holder == PERSON and (not is_late or (self._moves and self._chance.random() < 0.1)):
                self._programs[seat] = program = self._drawn()
                self._do(program.tip(seat))

    def _drawn(self) -> Opener:
        seed, key = self._chance.randbytes(32), self._chance.randbytes(32)
        return Opener(OwnEntropyChain(self.match.id, self.match.origin, seed, key))

    def _opened(self) -> RoundOpened:
        record, match = self.match.record, self.match
        parts = [(b"", b"")] * record.seats
        for seat in record.call or ():
            if self._chance.random() >= self._missing:
                parts[seat] = self._programs[seat].part(record.participation.called, match.version, match.head)
        return RoundOpened(tuple(link for link, _ in parts), tuple(proof for _, proof in parts))


def entropy_replay(
    installed: Installed, scenario: str, seed: int, missing: float = 0.2, *, moves: bool = True, strict: bool = False
) -> bytes:
    """Return the replay of a random match of at most ROUNDS rounds, sealed by the test's host."""
    system, info = installed.system, installed.scenarios[scenario]
    chance = random.Random(f"parted {system.name} {scenario} {seed}")
    id, secret = MatchId(chance.randbytes(8).hex()), chance.randbytes(32)
    match: Match[Any] = Match(system, id, MatchDice(secret, id))
    play = EntropyPlay(match, chance, missing, moves=moves)
    factions = tuple(faction.id for faction in info.factions)[: info.seats] or ("",) * info.seats
    resolved = system.setup(installed.content, Setup(scenario, factions))
    play.begin(Start(id, info.seats, resolved, parts=True, strict=strict))
    bots = {Seat(seat): RandomBot(seed + seat) for seat in range(info.seats)}
    for _ in range(chance.randrange(20, 120)):
        if play.over or not play.decide(bots):
            break
    seats = tuple(SeatRecord(f"p{seat}", f"Player {seat}", faction) for seat, faction in enumerate(factions))
    table = TableRecord(table_of(id), "PARTED", "EntropyMatch", system.name, scenario, "p0", seats, 0, 0)
    return make(installed, table, secret, play.steps, match.result, 0, HOST)
