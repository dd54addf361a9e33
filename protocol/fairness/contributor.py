"""Entropy contributor: a program's own part in the dice of a match, with its chain and its decision to open a link.

An object without socket, clock or source of chance: the shell gives it a store and 32 random bytes when asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import msgspec

from protocol.fairness.entropy_chain import LINKS, EntropyChain, opening_text
from protocol.fairness.entropy_check import EntropyCheck
from protocol.fairness.entropy_record import PERSON
from protocol.fairness.signatures import OpeningKey, is_signed
from protocol.ids import MatchId, match_of, table_of
from protocol.proof.signed_texts import head_text
from protocol.wire.from_client import Entropy, Tip
from protocol.wire.from_server import EntropyWanted


class OwnEntropyChain(msgspec.Struct, frozen=True):
    """A program's entropy chain for one match, as it is kept: the match with its H_1, two seeds (32 bytes each), and
    the last opening: its round with version and head of the call (0 where there was none)."""

    match: MatchId
    origin: bytes
    seed: bytes
    key: bytes
    round: int = 0
    version: int = 0
    head: bytes = b""

    def __repr__(self) -> str:
        return f"OwnChain({self.match!r}, round={self.round})"


class ChainStore(Protocol):
    """Place where a program keeps its chains: one for each host key, match and H_1."""

    def load(self, host: bytes, match: MatchId, origin: bytes) -> OwnEntropyChain | None:
        """Return what was saved last; None where there is nothing, or nothing that can be read."""

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        """Keep this durably before returning, in place of `before`; where something else than that is kept by now
        (another window of the same profile plays, too), change nothing and return False. Raises OSError where it
        cannot be kept."""


class MemoryChains:
    """Chains in memory alone: after a restart the program draws new ones."""

    def __init__(self) -> None:
        self._kept: dict[tuple[bytes, str, bytes], OwnEntropyChain] = {}

    def load(self, host: bytes, match: MatchId, origin: bytes) -> OwnEntropyChain | None:
        return self._kept.get((host, match, origin))

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        place = host, chain.match, chain.origin
        if self._kept.get(place) != before:
            return False
        self._kept[place] = chain
        return True


class _Drawn:
    """A chain with its links and its key for openings."""

    def __init__(self, kept: OwnEntropyChain) -> None:
        self.links = EntropyChain(kept.seed, kept.match, kept.origin)
        self.key = OpeningKey(kept.key)

    @cached_property
    def tip(self) -> bytes:
        return self.links.tip


class Contributor:
    """Part of one program in the dice, added wherever the record allows it. `follower` has taken the facts; `seat` is
    the program's; `draw` gives 32 fresh random bytes at each call."""

    def __init__(self, follower: EntropyCheck, seat: int, store: ChainStore, draw: Callable[[], bytes]) -> None:
        self._follower = follower
        self._seat = seat
        self._store = store
        self._draw = draw
        self._drawn: _Drawn | None = None
        self._own: set[bytes] = set()
        self._said = False
        self._wanted: EntropyWanted | None = None
        self.problem = ""
        """Reason for which no part can be given: the store's error, in the system's words; else empty."""

    def connected(self) -> None:
        """Note a new connection: the tip is said again on it, and what was asked on the old one is asked anew."""
        self._said, self._wanted = False, None

    def is_own(self, tip: bytes) -> bool:
        """Return True for the tip of a chain that this program has said since it started."""
        return tip in self._own

    @property
    def has_said(self) -> bool:
        """True where this program has said a chain since it started."""
        return bool(self._own)

    def tip(self) -> Tip | None:
        """Return what is to be said of one's chain now: once a connection, and again when the seat's chain has ended.

        To be called when all facts told so far have been taken: nothing is drawn before H_1 is known.
        """
        follower, seat = self._follower, self._seat
        known = follower.participation
        if not follower.has_parts or not 0 <= seat < len(known.holders):
            return None
        is_ended = self._drawn is not None and self._drawn.tip in known.had and seat not in known.chains
        if self._said and not (is_ended and known.holders[seat] == PERSON):
            return None
        drawn = self._present()
        if drawn is None:
            return None
        self._said = True
        self._own.add(drawn.tip)
        return Tip(table=table_of(follower.match), tip=drawn.tip, key=drawn.key.public)

    def want(self, wanted: EntropyWanted) -> None:
        """Remember the host's request; `opening` answers it as soon as the facts have come that it rests on."""
        self._wanted = wanted

    def opening(self) -> Entropy | None:
        """Return the part that was asked for, if all that it rests on holds now; the same bytes for the same request.

        What it commits to is kept durably before this returns.
        """
        wanted, call, drawn = self._wanted, self._follower.call_open, self._drawn
        if wanted is None or call is None or drawn is None or not self._is_asked_rightly(wanted, drawn.tip):
            return None
        self._wanted = None
        kept = self._store.load(self._follower.key, self._follower.match, self._follower.origin)
        if kept is None or _Drawn(kept).tip != drawn.tip or kept.round > call.round:
            return None
        opened = msgspec.structs.replace(kept, round=call.round, version=call.version, head=call.head)
        is_again = kept.round == call.round
        if (is_again and kept != opened) or not (is_again or self._keep(opened, kept)):
            return None
        link = drawn.links.link(call.round)
        proof = drawn.key.sign(opening_text(kept.match, call.round, call.version, call.head, link))
        return Entropy(table=table_of(kept.match), round=call.round, link=link, proof=proof)

    def _is_asked_rightly(self, wanted: EntropyWanted, tip: bytes) -> bool:
        """Return True where the request is signed, for the call that all facts lead to, and for the chain of `tip`."""
        follower, call = self._follower, self._follower.call_open
        if call is None or call.round > LINKS or self._seat not in call.seats:
            return False
        chain = follower.participation.chains.get(self._seat)
        asked = (match_of(wanted.table), wanted.round, wanted.version, wanted.head)
        return (
            asked == (follower.match, call.round, call.version, call.head)
            and chain is not None
            and chain.tip == tip
            and is_signed(follower.key, head_text(follower.match, wanted.version, wanted.head), wanted.signature)
        )

    def _present(self) -> _Drawn | None:
        """Return the kept chain, or draw a new one where there is none or the record has seen its end."""
        follower = self._follower
        known, current = follower.participation, follower.participation.chains.get(self._seat)
        kept = self._store.load(follower.key, follower.match, follower.origin)
        if kept is not None:
            drawn = _Drawn(kept)
            if drawn.tip not in known.had or (current is not None and current.tip == drawn.tip):
                self._drawn = drawn
                return drawn
        fresh = OwnEntropyChain(follower.match, follower.origin, self._draw(), self._draw())
        self._drawn = _Drawn(fresh) if self._keep(fresh, kept) else None
        return self._drawn

    def _keep(self, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        try:
            return self._store.save(self._follower.key, chain, before)
        except OSError as problem:
            self.problem = problem.strerror or str(problem)
            return False
