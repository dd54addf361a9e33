"""Friends of the host who are absent at will: how often they can be, and the gain in dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

from engine.core.rules.dice import MatchDice, Pool
from protocol.fairness.entropy_chain import NO_MIX, mixed
from protocol.fairness.entropy_record import PERSON, EntropyRecord
from protocol.ids import MatchId


@dataclass
class Evening:
    """One match of rounds with one die each, at which the host and its friends know all parts before a round opens.

    They stay away together where that gains at least `least` pips for each of them. Ann, at seat 0, always gives hers.
    `faces`, `missing`: by round, the die and how many stayed away.
    """

    number: int
    friends: int = 1
    least: float = 0.5
    faces: list[int] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.match = MatchId(f"evening {self.number}")
        self.dice = MatchDice(sha256(self.match.encode()).digest(), self.match)

    @property
    def seats(self) -> range:
        return range(1 + self.friends)

    def link(self, seat: int, round: int) -> bytes:
        """Return a part that nobody could foresee; chains are not under test here."""
        return sha256(f"{self.match} {seat} {round}".encode()).digest()

    def play(self, rounds: int) -> Evening:
        """Play by the record's own rules for calls and absences."""
        known, mix = EntropyRecord((PERSON,) * len(self.seats)), NO_MIX
        for seat in self.seats:
            known = known.with_tip(seat, self.link(seat, -1), self.link(seat, -2))
        for round in range(1, rounds + 1):
            called = known.due()
            links = self.chosen(mix, round, called)
            known = known.with_call(round, called).with_round(round, links)
            mix = mixed(mix, self.match, round, links)
        return self

    def chosen(self, mix: bytes, round: int, called: Iterable[int]) -> tuple[bytes, ...]:
        """Return the links of a round that suit the host and its friends best."""
        best: tuple[float, int, int, tuple[bytes, ...]] = (-1, 0, 0, ())
        for away in _sets([seat for seat in called if seat]):
            links = tuple(self.link(seat, round) if seat in called and seat not in away else b"" for seat in self.seats)
            face = self.face(mix, round, links)
            best = max(best, (face - self.least * len(away), -len(away), face, links))
        _, away_less, face, links = best
        self.faces.append(face)
        self.missing.append(-away_less)
        return links

    def face(self, mix: bytes, round: int, links: tuple[bytes, ...]) -> int:
        """Return the die of a round with these links; `mix` is that of the round before."""
        [face] = self.dice.faces(round, mixed(mix, self.match, round, links), 0, Pool(1), hidden=False)
        return face


def _sets(seats: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(seats) + 1):
        yield from combinations(seats, size)


def gained(evenings: Iterable[Evening]) -> Mapping[str, float]:
    """Return the mean of all dice and of those of rounds without absences, the most absences a friend, and the number
    of rounds."""
    played = list(evenings)
    rounds = [pair for evening in played for pair in zip(evening.faces, evening.missing, strict=True)]
    whole = [face for face, missing in rounds if not missing]
    return {
        "mean": sum(face for face, _ in rounds) / len(rounds),
        "mean_whole": sum(whole) / len(whole),
        "most_missing": max(sum(evening.missing) / evening.friends for evening in played),
        "rounds": len(rounds),
    }
