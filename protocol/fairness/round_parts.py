"""Parts in a dice round, and its mark for one seat: by whose choice its dice could have come out otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class Presence(Enum):
    """Part of a seat in a round."""

    IN = "in"
    MISSING = "missing"
    OUT = "out"
    """Not called: it sits out for its absences."""
    NONE = "none"
    """Not called: no program's chain counts yet."""
    BOT = "bot"


class DeferralParts(NamedTuple):
    """Parts in the dice of a deferred step: the seats that were called and gave none, and `counted` as of a round."""

    missing: tuple[int, ...]
    counted: Mapping[int, tuple[bytes, int]]


@dataclass
class RoundParts:
    """Parts of all seats in a round. `presence`: by seat; `mix`: a_r; `counted`: of each seat whose part is in, the tip
    of its chain and the last round called before that tip was logged; `ended`: the seats whose chain ended since the
    round before was opened; `voids_before`: acts given up in the rounds before, back to the last one in which none was;
    `voids`: in this one so far; `decks`: the earlier rounds in which decks were shuffled that cards were drawn from in
    this one; `call`: the number of its call, as it counts in `counted` (the round's own where the table is not strict);
    `deferrals`: the parts of its deferred steps, at a strict table."""

    round: int
    presence: tuple[Presence, ...]
    mix: bytes
    counted: Mapping[int, tuple[bytes, int]] = field(default_factory=dict)
    ended: tuple[int, ...] = ()
    voids_before: int = 0
    voids: int = 0
    decks: set[int] = field(default_factory=set)
    call: int = 0
    deferrals: list[DeferralParts] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.call = self.call or self.round

    def given(self) -> tuple[int, ...]:
        """Return the seats whose parts are in."""
        return tuple(self.counted)

    @property
    def missing(self) -> tuple[int, ...]:
        """Seats that were called and gave no part."""
        return tuple(seat for seat, found in enumerate(self.presence) if found is Presence.MISSING)

    @property
    def choices(self) -> int:
        """k: host and absent programs together could have chosen among 2 ** k sets of dice."""
        absent = len(self.missing) + sum(len(deferral.missing) for deferral in self.deferrals)
        return absent + len(self.ended) + self.voids_before + self.voids

    @property
    def not_strict(self) -> int:
        """Number of the deferred steps that no other program added to: the host knew their dice beforehand."""
        return sum(not deferral.counted for deferral in self.deferrals)

    def voids_in_a_row(self) -> int:
        """Return how many acts were given up in this round and in those right before it, back to one without: as often
        as an act is given up, its dice are rolled anew."""
        return self.voids_before + self.voids if self.voids else 0


class MarkState(Enum):
    """State of a mark: from dice that rest on one's own part to dice that do not."""

    YOURS = "yours"
    BUT = "but"
    OLDER = "older"
    NOT = "not"


class RoundMark(NamedTuple):
    """Mark of a round for one viewer. `choices`: k, since their last part; `behind`: rounds since then; `seats`: those
    whose programs the dice rest on; `chosen`: those who could have chosen, beside the host (who has every part before
    it begins a round, so that nobody is needed but the absent)."""

    whose: MarkState
    choices: int = 0
    behind: int = 0
    seats: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()


def mark_of(
    rounds: Mapping[int, RoundParts], round: int, seat: int, is_own: Callable[[bytes], bool] = lambda tip: True
) -> RoundMark:
    """Return the mark of a round for the program in `seat` (-1: a spectator): the worst of those of its dice, and of
    the rounds in which the decks were shuffled that it drew cards from. `rounds` holds rounds 0 to `round`; `is_own`
    knows the tips of this program's own chains."""
    marks = [_mark_of_dice(rounds, one, seat, is_own) for one in (round, *sorted(rounds[round].decks, reverse=True))]
    return max(marks, key=lambda mark: (mark.whose is MarkState.NOT, mark.choices))


def _mark_of_dice(
    rounds: Mapping[int, RoundParts], round: int, seat: int, is_own: Callable[[bytes], bool]
) -> RoundMark:
    last = next((r for r in range(round, 0, -1) if seat in rounds[r].counted and is_own(rounds[r].counted[seat][0])), 0)
    rests = next((rounds[r].given() for r in range(round, 0, -1) if rounds[r].counted), ())
    if not last or any(since >= rounds[last].call for since in _tips_since(rounds, last, round)):
        return RoundMark(MarkState.NOT, seats=rests, chosen=rests)
    passed = [rounds[r] for r in range(last, round + 1)]
    choices = sum(parts.choices for parts in passed)
    absent = {s for parts in passed for deferral in parts.deferrals for s in deferral.missing}
    absent |= {s for parts in passed for s in (*parts.missing, *parts.ended)}
    chosen = tuple(sorted(absent - {seat}))
    if last < round:
        return RoundMark(MarkState.OLDER, choices, round - last, rests, chosen)
    return RoundMark(MarkState.BUT if choices else MarkState.YOURS, choices, 0, rests, chosen)


def _tips_since(rounds: Mapping[int, RoundParts], last: int, round: int) -> Iterator[int]:
    """Yield for each part counted after the opening of round `last`, up to `round`, the last call before its tip."""
    for number in range(last, round + 1):
        parts = rounds[number]
        counted = [*([parts.counted] if number > last else []), *(deferral.counted for deferral in parts.deferrals)]
        yield from (since for one in counted for _, since in one.values())
