"""Record of who adds entropy to the dice of one match: chains, calls and absences.

The core keeps this record and refuses what breaks it; every program makes the same one from the facts that it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from protocol.fairness.entropy_chain import LINK_BYTES, LINKS, leads_to
from protocol.ids import MatchId

PERSON: Final = "person"
BOT: Final = "bot"
EMPTY: Final = "empty"
HOLDERS: Final = (PERSON, BOT, EMPTY)
PERSON_BYTES: Final = 16
"""Bytes of the id by which a match knows a person."""
MOST_DOUBLINGS: Final = 12
"""Doublings of the rounds that a seat sits out: 2 ** 12 rounds are all that a match has."""


class Chain(msgspec.Struct, frozen=True, array_like=True):
    """Chain that a seat's program opens: its tip and key, the last round called before the tip was logged, and the last
    link that counted with its round (the tip and 0 where none has)."""

    tip: bytes
    key: bytes
    since: int
    link: bytes
    round: int = 0


class Absence(msgspec.Struct, frozen=True, array_like=True):
    """Absences of a seat: how many, and the last round that it sits out for them."""

    times: int
    until: int


class EntropyRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """Seats that may add to each round. `holders`: by seat, all empty until the record says otherwise; `had`: all tips
    and keys that the match has ever had; `called`: the last round called; `call`: the seats of a call that is not
    opened yet, else None. At a strict table `called`, and the rounds of chains, count calls: those of rounds, and
    `deferrals`, those of deferred steps."""

    holders: tuple[str, ...]
    chains: dict[int, Chain] = {}
    had: tuple[bytes, ...] = ()
    absences: dict[int, Absence] = {}
    called: int = 0
    call: tuple[int, ...] | None = None
    deferrals: int = 0

    @property
    def round(self) -> int:
        """The last round called."""
        return self.called - self.deferrals

    def tip_refusal(self, seat: int, tip: bytes, key: bytes) -> str:
        """Return the code of the reason why this tip may not be logged for this seat, or an empty string."""
        if not 0 <= seat < len(self.holders) or self.holders[seat] != PERSON:
            return "entropy/no-person"
        if (len(tip), len(key)) != (LINK_BYTES, LINK_BYTES) or tip in self.had or key in self.had:
            return "entropy/known"
        return ""

    def with_tip(self, seat: int, tip: bytes, key: bytes) -> EntropyRecord:
        """Return the record after this tip was logged; the chain that the seat had before ends."""
        ended = self._with_chain_ended(seat)
        chain = Chain(tip, key, self.called, tip)
        return replace(ended, chains={**ended.chains, seat: chain}, had=(*self.had, tip, key))

    def with_holder(self, seat: int, holder: str) -> EntropyRecord:
        """Return the record after this seat passed to a holder (one of HOLDERS); but for a person its chain ends."""
        kept = self if holder == PERSON else self._with_chain_ended(seat)
        holders = (*self.holders[:seat], holder, *self.holders[seat + 1 :])
        return replace(kept, holders=holders)

    def is_out(self, seat: int, round: int) -> bool:
        """Return True where this seat sits the round out for its absences."""
        absence = self.absences.get(seat)
        return absence is not None and round <= absence.until

    def due(self) -> tuple[int, ...]:
        """Return the seats that the call of the next round names, in order: those whose tip was logged before the call
        before (of the first: before its own), and that do not sit out."""
        return self._due(self.round + 1)

    def due_deferred(self, actor: int) -> tuple[int, ...]:
        """Return the seats that the call of a deferred step names: as for a round, in the one that runs, but never the
        seat whose act it is (-1: several seats', or nobody's)."""
        return tuple(seat for seat in self._due(self.round) if seat != actor)

    def _due(self, round: int) -> tuple[int, ...]:
        if self.called >= LINKS:
            return ()
        first = max(1, self.called)
        return tuple(
            seat for seat in sorted(self.chains) if self.chains[seat].since < first and not self.is_out(seat, round)
        )

    def with_deferral(self) -> EntropyRecord:
        """Return the record with the next call being one of a deferred step: to be followed by `with_call`."""
        return replace(self, deferrals=self.deferrals + 1)

    def with_call(self, number: int, seats: tuple[int, ...]) -> EntropyRecord:
        """Return the record after this call: of the round of this number, or at a strict table the call of it."""
        return replace(self, called=number, call=seats)

    def follows(self, match: MatchId, origin: bytes, seat: int, round: int, link: bytes) -> bool:
        """Return True where `link` is this seat's for the round: it hashes in exactly as many steps as rounds have
        passed to the last link that counted, or to the tip."""
        chain = self.chains.get(seat)
        return chain is not None and leads_to(match, origin, link, chain.link, round - chain.round)

    def with_round(self, number: int, links: Sequence[bytes]) -> EntropyRecord:
        """Return the record after the round (or call) was opened with these links: whoever was called and gave none is
        absent."""
        chains, absences = dict(self.chains), self.absences
        for seat in self.call or ():
            if seat < len(links) and links[seat]:
                chains[seat] = replace(chains[seat], link=links[seat], round=number)
            else:
                absences = _absent(absences, seat, self.round)
        return replace(self, chains=chains, absences=absences, called=number, call=None)

    def _with_chain_ended(self, seat: int) -> EntropyRecord:
        if seat not in self.chains:
            return self
        chains = {other: chain for other, chain in self.chains.items() if other != seat}
        return replace(self, chains=chains, absences=_absent(self.absences, seat, self.round))


def _absent(absences: dict[int, Absence], seat: int, round: int) -> dict[int, Absence]:
    """Count one more absence, in this round or after it: the seat sits out the next 1, 2, 4, 8 ... rounds."""
    before = absences.get(seat, Absence(0, 0))
    until = round + 2 ** min(before.times, MOST_DOUBLINGS)
    return {**absences, seat: Absence(before.times + 1, max(before.until, until))}
