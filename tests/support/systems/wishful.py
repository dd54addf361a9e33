"""A program that withholds its part of the dice in rounds that look bad for it, and the gain from that.

It plays against the server's own collecting of parts, an engine's match and the real dice. It is told what any program
is told: the rolls as they fall, the seed of each round when the next begins, and all links once a round is open. It
chooses its chain, and for each round its presence when it is asked for its part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from engine.core.match.causes import AnyCause, EntropyCall, Intended, RoundOpened, Seats, Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import DiceRolled, RoundBegun
from protocol.fairness.entropy_chain import NO_MIX, mixed
from protocol.ids import MatchId
from protocol.proof import dice as derivation
from server.match.entropy import WAIT_SECONDS, EntropyCollector
from server.match.news import MatchNews, PartWanted, TablePort, TableState
from tests.support.chosen_dice.throws import THROWS, Throw, Throws
from tests.support.clients.dice.linking import HandMade
from tests.support.doubles.clock import ImpatientClock
from tests.support.fairness.signing import HOST
from tests.support.faults.evenness import lean

ROLLS: Final = 10
"""One die each, in every round."""
ROUNDS_A_MATCH: Final = 12
"""An absent seat sits out ever longer: in a long match it would hardly ever be asked."""
HONEST, WISHFUL = Seat(0), Seat(1)


@dataclass
class Known:
    """Knowledge of the program. `seeds`, `links` and `faces` by round; `own` is the link that it is asked for, `mix`
    that of the round before."""

    match: MatchId
    round: int = 0
    own: bytes = b""
    mix: bytes = NO_MIX
    seeds: dict[int, bytes] = field(default_factory=dict)
    links: dict[int, tuple[bytes, ...]] = field(default_factory=dict)
    faces: dict[int, list[int]] = field(default_factory=dict)


Wish = Callable[[Known], bool]
"""Whether to be there."""


def sulks(known: Known) -> bool:
    """Be absent after a round below the mean."""
    return sum(known.faces.get(known.round - 1, [21, 14])) >= 35


def reads_omens(known: Known) -> bool:
    """Be present when its own link begins well."""
    return known.own[0] % 2 == 0


def guesses(known: Known) -> bool:
    """Take the last seed and links that it knows for those to come, and choose the better result by them."""
    seed = known.seeds.get(known.round - 2, bytes(32))
    others = known.links.get(known.round - 1, (b"", b""))[HONEST]
    return guess(known, seed, others, known.own) >= guess(known, seed, others, b"")


def counts_wins(known: Known) -> bool:
    """Repeat the choice that has gone better so far, being present or absent; now and then try the other."""
    if known.round % 5 < 2:
        return known.round % 5 == 0
    there = [sum(faces) for round, faces in known.faces.items() if known.links[round][WISHFUL]]
    away = [sum(faces) for round, faces in known.faces.items() if not known.links[round][WISHFUL]]
    return not there or not away or sum(there[-99:]) / len(there[-99:]) >= sum(away[-99:]) / len(away[-99:])


WISHES: Final[tuple[Wish, ...]] = (sulks, reads_omens, guesses, counts_wins)


def guess(known: Known, seed: bytes, others: bytes, own: bytes) -> int:
    """Return the total of the round for this seed and these links."""
    mix = mixed(known.mix, known.match, known.round, (others, own))
    key = derivation.round_key(seed, known.match, known.round, mix)
    return sum(derivation.faces(key, n, 6, 1)[0] for n in range(ROLLS))


class Wishful:
    """One match, in which one of two programs does as it wishes. `absences`: how often it gave nothing."""

    def __init__(self, number: int, rounds: int, wish: Wish) -> None:
        name = MatchId(f"wish/{number}")
        self.dice = MatchDice(sha256(name.encode()).digest(), name)
        self.known = Known(name)
        self.absences = 0
        self._wish = wish
        self._rounds = rounds
        self._match: Match[Throws] = Match(THROWS, name, self.dice)
        port = TablePort(self._hear)
        port.state = TableState(tipped=frozenset({HONEST, WISHFUL}))
        self._entropy = EntropyCollector(self._match, HOST, ImpatientClock(WAIT_SECONDS), port)

    async def play(self) -> None:
        """Play to the last round, as the server does in its own match: tips, the call, parts, and the round is open."""
        self._do(Start(self.known.match, 2, b"", parts=True))
        self._do(Seats(("person", "person")))
        self._honest = self._chain(b"honest")
        # of eight chains the one with the best tip for it: the tip is logged before any link is opened
        self._own = max(
            (self._chain(b"wishful %d" % n) for n in range(8)),
            key=lambda chain: guess(self.known, chain.links.tip, b"", b""),
        )
        for seat, chain in ((HONEST, self._honest), (WISHFUL, self._own)):
            said = chain.tip()
            assert self._entropy.know(seat, said.tip, said.key) == ""
        for tip in self._entropy.new_tips():
            self._do(tip)
        throw = self._match.codec.encode_intent(Throw(ROLLS))
        for number in range(self._rounds):
            self._do(Intended(HONEST, number.to_bytes(16, "big"), throw))
            self._do(EntropyCall())
            links, proofs, notes = await self._entropy.collect(is_new=True)
            self._do(RoundOpened(links, proofs))
            for note in notes:
                self._do(note)

    def _chain(self, seed: bytes) -> HandMade:
        return HandMade(self.known.match, self._match.origin, sha256(seed).digest())

    def honest_link(self) -> bytes:
        """Return the link that the other program is about to open, secret until the round is open."""
        return self._honest.links.link(self.known.round)

    def _hear(self, news: MatchNews) -> None:
        """Ask the program of this seat, as a table does."""
        assert isinstance(news, PartWanted)
        seat = Seat(news.seat)
        chain = self._honest if seat == HONEST else self._own
        part = chain.part(news.message)
        if seat == WISHFUL:
            self.known.own = part.link
            if not self._wish(self.known):
                self.absences += 1
                return
        asyncio.get_running_loop().call_soon(self._entropy.give, seat, part.round, part.link, part.proof)

    def _do(self, cause: AnyCause) -> None:
        step = self._match.propose(cause)
        self._match.settle(step)
        if isinstance(cause, EntropyCall):
            self.known.round = self._match.record.round + 1
            self.known.mix = self._match.record.mix
        for entry in step.stored.entries:
            match entry:
                case RoundBegun():
                    self.known.links[entry.round] = entry.links
                    self.known.seeds[entry.round - 1] = entry.seed
                    self.known.faces[entry.round] = []
                case DiceRolled():
                    self.known.faces[entry.round] += entry.faces


def matches(rolls: int, make: Callable[[int, int], Wishful]) -> Iterator[Wishful]:
    """Return matches played one after another, of a number of rolls together."""
    left, number = rolls // ROLLS, 0
    while left:
        rounds = min(left, ROUNDS_A_MATCH)
        played = make(number, rounds)
        asyncio.run(played.play())
        left, number = left - rounds, number + 1
        yield played


def leanings(rolls: int, make: Callable[[int, int], Wishful]) -> dict[str, Any]:
    """Return how far the dice lean, over all, and over the rounds in which the program was present and in which it was
    not."""
    sums = {True: 0, False: 0}
    dice = {True: 0, False: 0}
    for played in matches(rolls, make):
        known = played.known
        for round, faces in known.faces.items():
            there = bool(known.links[round][WISHFUL])
            sums[there] += sum(faces)
            dice[there] += len(faces)
    return {
        "rolls": sum(dice.values()),
        "rolls_away": dice[False],
        "worst_lean": round_up(lean(sum(sums.values()), sum(dice.values()))),
        "worst_lean_there": round_up(lean(sums[True], dice[True])),
        "worst_lean_away": round_up(lean(sums[False], dice[False])),
    }


def round_up(leaning: float) -> float:
    """Return the size of a leaning, rounded to the hundredth."""
    return round(abs(leaning), 2)
