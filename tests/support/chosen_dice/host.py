"""A host that owns its secret, its log and its facts: it can take steps back, and grind its own additions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Final

from engine.core.match import causes
from engine.core.match.causes import AnyCause, Intended, RoundOpened, Start, Void
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice, Pool
from protocol.fairness.entropy_chain import link_before, mixed, opening_text
from protocol.fairness.signatures import OpeningKey
from protocol.ids import MatchId, table_of
from protocol.proof.facts import AnyFact
from protocol.wire import from_client as say
from protocol.wire.from_server import EntropyWanted
from server.match.proof_plane import facts_of
from tests.support.chosen_dice.throws import THROWS, Throw, Throws
from tests.support.fairness.signing import HOST

MATCH: Final = MatchId("chosen")
TABLE: Final = table_of(MATCH)
SECRET: Final = bytes(32)
ANN, BEN, FRIEND, BOT = range(4)
"""Ann and Ben are honest, their friend is the host's."""
HOLDERS: Final = ("person", "person", "person", "bot")
WANTED: Final = (6, 6, 6)
"""The dice that the host would like."""
Parts = Mapping[int, say.Entropy]


class Host:
    """The host of one match. `steps` are its log; `facts` follow from it."""

    def __init__(self, secret: bytes = SECRET, dice: MatchDice | None = None) -> None:
        self.dice = dice or MatchDice(secret, MATCH)
        self.match: Match[Throws] = Match(THROWS, MATCH, self.dice)
        self.steps: list[bytes] = []
        self.facts: list[AnyFact] = []
        self._acts = 0

    @classmethod
    def begun(cls, secret: bytes = SECRET, holders: tuple[str, ...] = HOLDERS) -> Host:
        """Return a host whose match has started, at a table of four."""
        host = cls(secret)
        host.do(Start(MATCH, len(HOLDERS), b"", parts=True))
        host.do(causes.Seats(holders))
        return host

    def back_at(self, version: int) -> Host:
        """Return the same match as it was after this step, to go on differently."""
        other = Host(dice=self.dice)
        for data in self.steps[:version]:
            other._keep(other.match.replay(data))
        other.match.resume()
        other._acts = version
        return other

    def do(self, cause: AnyCause) -> Step[Throws]:
        step = self.match.propose(cause)
        self.match.settle(step)
        self._keep(step)
        return step

    def _keep(self, step: Step[Throws]) -> None:
        self.steps.append(step.data)
        self.facts += [told.fact for told in facts_of(step.stored, MATCH, self.match.head, HOST)]

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def round(self) -> int:
        return self.match.record.round

    @property
    def called(self) -> tuple[int, ...]:
        """The seats of the open call."""
        return self.match.record.call or ()

    @property
    def origin(self) -> bytes:
        return self.match.origin

    def log_tip(self, seat: int, tip: say.Tip) -> None:
        self.do(causes.EntropyTip(seat, tip.tip, tip.key))

    def hold(self, seat: int, by: str) -> None:
        """Pass this seat to another holder."""
        holders = list(self.match.record.participation.holders)
        holders[seat] = by
        self.do(causes.Seats(tuple(holders)))

    def throw(self, throw: Throw = Throw(), seat: int = ANN) -> None:  # noqa: B008 - frozen
        self._acts += 1
        self.do(Intended(seat, self._acts.to_bytes(16, "big"), self.match.codec.encode_intent(throw)))

    def call(self) -> EntropyWanted:
        """Call the next round, for which a throw waits, and return the request for its parts."""
        self.do(causes.EntropyCall())
        return self.wanted()

    def wanted(self) -> EntropyWanted:
        """Return the request for a part in the round that the last step has called."""
        return self.asking(self.round + 1)

    def asking(self, round: int) -> EntropyWanted:
        """Return a request for a part in this round, with the last step in place of the call's."""
        match = self.match
        return EntropyWanted(TABLE, round, match.version, match.head, HOST.sign_head(MATCH, match.version, match.head))

    def open(self, parts: Parts) -> tuple[int, ...]:
        """Open the round with these parts, by seat, and return the dice that fell at once."""
        self.do(RoundOpened(*self._given(parts)))
        return self.rolled()

    def void(self, parts: Parts | None = None) -> None:
        """Give up what is being resolved; where a round has been called it opens with these parts."""
        self.do(Void("a bug", *(self._given(parts) if parts is not None else ())))

    def _given(self, parts: Parts) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        seats = range(len(HOLDERS))
        links = tuple(parts[seat].link if seat in parts else b"" for seat in seats)
        return links, tuple(parts[seat].proof if seat in parts else b"" for seat in seats)

    def rolled(self) -> tuple[int, ...]:
        """Return the faces of the current round, in the order they fell."""
        found: list[int] = []
        for fact in self.facts:
            if fact.__class__.__name__ == "Begun":
                found = []
            found += getattr(fact, "faces", ())
        return tuple(found)

    def foretold(self, links: Mapping[int, bytes], count: int = 3) -> tuple[int, ...]:
        """Return the first dice of the next round if it had these links."""
        return self.dice_with(self.match.record.mix, self.round + 1, links, count)

    def dice_with(self, before: bytes, round: int, links: Mapping[int, bytes], count: int = 3) -> tuple[int, ...]:
        """Return the first dice of a round with these links, where `before` is the mix of the round before."""
        mix = mixed_with(before, round, links)
        return tuple(face for n in range(count) for face in self.dice.faces(round, mix, n, Pool(1), hidden=False))

    def play(self, parts: Callable[[EntropyWanted], Parts], throw: Throw = Throw()) -> tuple[int, ...]:  # noqa: B008 - frozen
        """Throw in a new round, whose parts are `parts` of the request, and return the dice."""
        self.throw(throw)
        return self.open(parts(self.call()))


def mixed_with(before: bytes, round: int, links: Mapping[int, bytes]) -> bytes:
    """Return the mix of a round with these links by seat."""
    return mixed(before, MATCH, round, [links.get(seat, b"") for seat in range(len(HOLDERS))])


class ShortChain:
    """Chain of few links, so that many can be made: its end is invisible to others. `last`: the last round."""

    def __init__(self, origin: bytes, seed: bytes, last: int = 8) -> None:
        self._links = {last: sha256(seed).digest()}
        for round in range(last, 0, -1):
            self._links[round - 1] = link_before(MATCH, origin, self._links[round])
        self.key = OpeningKey(sha256(b"key" + seed).digest())

    @property
    def tip(self) -> say.Tip:
        return say.Tip(table=TABLE, tip=self._links[0], key=self.key.public)

    def link(self, round: int) -> bytes:
        return self._links[round]

    def part(self, wanted: EntropyWanted, of: int = 0) -> say.Entropy:
        """Return the requested part, or one with the link of round `of`."""
        link = self.link(of or wanted.round)
        words = opening_text(MATCH, wanted.round, wanted.version, wanted.head, link)
        return say.Entropy(table=TABLE, round=wanted.round, link=link, proof=self.key.sign(words))


def chains(origin: bytes, label: str = "friend", last: int = 8) -> Iterator[ShortChain]:
    """Return chains to choose from, the same ones each time."""
    for number in range(20_000):
        yield ShortChain(origin, f"{label} {number}".encode(), last)


def ground(origin: bytes, pleases: Callable[[ShortChain], bool]) -> ShortChain:
    """Return the first chain that pleases."""
    return next(chain for chain in chains(origin) if pleases(chain))
