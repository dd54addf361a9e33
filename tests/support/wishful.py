"""A program that would rather not add to the dice of rounds that go badly for it, and what that gains it.

It plays against the server's own collecting of links, an engine's match and the real dice. It is told what any program
is told: the rolls as they fall, the seed of each round when the next begins, and all links once a round is open. For
each round it decides whether it is there when it is asked for its link, and which chain it opens from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, cast

import msgspec

from engine.core.audience import Seat
from engine.core.causes import AnyCause, RoundOpened, Start
from engine.core.dice import MatchDice, Pool
from engine.core.events import DiceRolled, Event, RoundBegun
from engine.core.game import Game
from engine.core.match import Match
from engine.core.system import Intent, Procedure, System, Turn
from protocol import dice as derivation
from protocol.from_server import LinkWanted
from protocol.links import LinkChain
from server.links import Links
from tests.support.clock import JumpingClock
from tests.support.evenness import lean

ROLLS: Final = 10
"""One die each, in every round."""
ROUNDS_A_MATCH: Final = 500
"""Nobody acts, and the engine carries out a thousand procedures unasked at most."""
HONEST, WISHFUL = Seat(0), Seat(1)


class Spins(msgspec.Struct, frozen=True):
    """How many rounds have been rolled, of how many."""

    rounds: int
    done: int = 0


class Spun(Event[Spins], frozen=True, tag="spun"):
    def apply(self, state: Spins) -> Spins:
        return msgspec.structs.replace(state, done=state.done + 1)


class Wait(Intent, frozen=True, tag="wait"):
    """Nobody acts; a system has an intent all the same."""


async def spin(game: Game[Spins]) -> None:
    await game.round()
    for _ in range(ROLLS):
        game.roll(Pool(1), "spin", HONEST)
    game.emit(Spun())


class SpinRules:
    """Nothing but rounds of dice."""

    name = "spins"
    RULES = 1
    moments = ()
    state = Spins
    events = (Spun,)
    intents = (Wait,)

    @property
    def rules(self) -> SpinRules:
        return self

    def start(self, resolved: bytes, seats: int) -> Spins:
        """`resolved` is the number of rounds, as msgpack."""
        return Spins(msgspec.msgpack.decode(resolved, type=int))

    def flow(self, game: Game[Spins]) -> Procedure | None:
        return spin(game) if game.state.done < game.state.rounds else None

    def turn(self, state: Spins) -> Mapping[Seat, Turn]:
        return {}

    def result(self, state: Spins) -> None:
        """Nobody wins."""


@dataclass
class Known:
    """What the program has been told. `seeds`, `links` and `faces` by round; `own` is the link that it is asked for."""

    match: str
    round: int = 0
    own: bytes = b""
    seeds: dict[int, bytes] = field(default_factory=dict)
    links: dict[int, tuple[bytes, ...]] = field(default_factory=dict)
    faces: dict[int, list[int]] = field(default_factory=dict)


Wish = Callable[[Known], bool]
"""Whether to be there."""


def sulks(known: Known) -> bool:
    """Away after a round below the mean."""
    return sum(known.faces.get(known.round - 1, [21, 14])) >= 35


def reads_omens(known: Known) -> bool:
    """There when its own link begins well."""
    return known.own[0] % 2 == 0


def guesses(known: Known) -> bool:
    """Takes the last seed and links that it knows for those to come, and chooses what looks better by them."""
    seed = known.seeds.get(known.round - 2, bytes(32))
    others = known.links.get(known.round - 1, (b"", b""))[HONEST]
    return guess(known, seed, others, known.own) >= guess(known, seed, others, b"")


def counts_wins(known: Known) -> bool:
    """Does what has gone better for it so far, being there or staying away; now and then it tries the other."""
    if known.round % 5 < 2:
        return known.round % 5 == 0
    there = [sum(faces) for round, faces in known.faces.items() if known.links[round][WISHFUL]]
    away = [sum(faces) for round, faces in known.faces.items() if not known.links[round][WISHFUL]]
    return not there or not away or sum(there[-99:]) / len(there[-99:]) >= sum(away[-99:]) / len(away[-99:])


WISHES: Final[tuple[Wish, ...]] = (sulks, reads_omens, guesses, counts_wins)


def guess(known: Known, seed: bytes, others: bytes, own: bytes) -> int:
    """The total of the round, were this its seed and these its links."""
    key = derivation.round_key(seed, known.match, known.round, (others, own))
    return sum(derivation.faces(key, n, 6, 1)[0] for n in range(ROLLS))


class Wishful:
    """One match, in which one of two programs does as it wishes."""

    def __init__(self, number: int, rounds: int, wish: Wish) -> None:
        name = f"wish/{number}"
        self.dice = MatchDice(sha256(name.encode()).digest(), name)
        self.known = Known(name)
        self.absences = 0
        self._wish = wish
        self._match: Match[Spins] = Match(cast("System[Spins]", SpinRules()), name, self.dice)
        self._links = Links(self._match, JumpingClock())
        self._honest = LinkChain(b"honest", name)
        self._own = [LinkChain(b"wishful %d" % n, name) for n in range(2)]
        self._start = Start(name, 2, msgspec.msgpack.encode(rounds))

    async def play(self) -> None:
        """To the last round. The server does the same in its own match: tips, links, notes, and the round is open."""
        self._do(self._start)
        while self._match.wants_round:
            self._links.know(HONEST, self._honest.tip)
            # two tips before every round, in an order that pleases it: the last one counts, and is in the log before
            # any link of the round is opened
            self._own.sort(key=lambda chain: guess(self.known, chain.tip, b"", b""))
            for chain in self._own:
                self._links.know(WISHFUL, chain.tip)
            for tip in self._links.new_tips():
                self._do(tip)
            links, notes = await self._links.collect(self._asked)
            for note in notes:
                self._do(note)
            self._do(RoundOpened(links))

    def honest_link(self) -> bytes:
        """What the other program is about to open: nobody is told before the round is open."""
        return self._honest.after(self._match.record.tips[HONEST][1]) or b""

    def _asked(self, seat: Seat, wanted: LinkWanted) -> bool:
        loop = asyncio.get_running_loop()
        if seat == HONEST:
            loop.call_soon(self._links.give, seat, wanted.round, self.honest_link())
            return True
        self.known.round = wanted.round
        [self.known.own] = [link for chain in self._own if (link := chain.after(wanted.known)) is not None]
        if self._wish(self.known):
            loop.call_soon(self._links.give, seat, wanted.round, self.known.own)
        else:
            loop.call_soon(self._links.gone, seat)
        return True

    def _do(self, cause: AnyCause) -> None:
        step = self._match.propose(cause)
        self._match.settle(step)
        for entry in step.stored.entries:
            match entry:
                case RoundBegun():
                    self.known.links[entry.round] = entry.links
                    self.known.seeds[entry.round - 1] = entry.seed
                    self.known.faces[entry.round] = []
                    self.absences += not entry.links[WISHFUL]
                case DiceRolled():
                    self.known.faces[entry.round] += entry.faces


def matches(rolls: int, make: Callable[[int, int], Wishful]) -> Iterator[Wishful]:
    """Matches played one after another, of so many rolls together."""
    left, number = rolls // ROLLS, 0
    while left:
        rounds = min(left, ROUNDS_A_MATCH)
        played = make(number, rounds)
        asyncio.run(played.play())
        left, number = left - rounds, number + 1
        yield played


def leanings(rolls: int, make: Callable[[int, int], Wishful]) -> dict[str, Any]:
    """How far the dice lean, over all, and over the rounds in which the program was there and in which it was not."""
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
    """Either way, to the hundredth."""
    return round(abs(leaning), 2)
