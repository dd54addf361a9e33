"""Stream of facts that a host tells of one match: taken in order, each once, and checked."""

from __future__ import annotations

from typing import Final

from protocol.errors import Unfair
from protocol.fairness.entropy_check import EntropyCheck
from protocol.ids import MatchId
from protocol.proof.facts import AnyFact, Bound
from protocol.text import Text
from protocol.wire.from_server import Proof

MOST_FACTS: Final = 50_000


class FactStream:
    """Facts of one match, taken for one viewer. `key`: the host's; `seat`: the viewer's, -1 for a spectator.

    `count` are the facts taken so far: ask for those that follow. `is_live`: all that has happened so far is told.
    `broken`: the contradiction after which nothing that is told can be trusted.
    """

    def __init__(self, match: MatchId, key: bytes, seat: int = -1) -> None:
        self.match = match
        self.seat = seat
        self.count = 0
        self.is_live = False
        self.is_asking = False
        self.broken: Text | None = None
        self.parts = EntropyCheck(match, key)

    @property
    def is_full(self) -> bool:
        """True where the host has told more than is followed: the rest waits for the check after the match."""
        return self.count > MOST_FACTS

    def take(self, proof: Proof) -> bool:
        """Take facts. False where some before them are missing: ask again for those after `count`."""
        self.is_asking = self.is_asking and proof.more
        if proof.first > self.count:
            self.is_live = False
            return False
        if not proof.facts and not proof.more and proof.first < self.count:
            # asked for what follows, a host with fewer facts has lost, or changed, what it told
            self.fail(Unfair("shorter", facts=self.count - proof.first))
        for fact in proof.facts[self.count - proof.first :]:
            self.count += 1
            if self.broken is None and not self.is_full:
                self._take(fact)
        if not self.is_live and not proof.more:
            self.is_live = True
        return True

    def lost(self) -> None:
        """Note that the connection is down: what comes next is told anew from `count` on."""
        self.is_live = self.is_asking = False

    def fail(self, unfair: Unfair) -> None:
        """Note a contradiction; the first one stays."""
        self.broken = self.broken or unfair.why

    def check(self, fact: AnyFact) -> None:
        """Check more of a fact than its entropy, which has been followed. Raises Unfair."""

    def _take(self, fact: AnyFact) -> None:
        try:
            if isinstance(fact, Bound) != (self.count == 1):
                raise Unfair("no_beginning")
            self.parts.take(fact)
            self.check(fact)
        except Unfair as unfair:
            self.fail(unfair)
