"""Record of a host, as this program has seen it: how matches under its key began and ended, and the host's claims.
Needs no window, no file and no clock.

A match counts once, whatever reconnects lie between. What happened to it before it was first seen live is not counted.
"""

from __future__ import annotations

from typing import Final

import msgspec

from client.fairness.dice_round_check import Verdict
from protocol.ids import MatchId
from protocol.wire.host_claim import HostClaim

MOST_HOSTS: Final = 200
MOST_MATCHES: Final = 100
"""Matches of a host that are known one by one; those seen before them stay in the sums."""
MOST_LETTERS: Final = 64
"""Letters of a match's id that are kept."""
MOST_CLAIMED: Final = 10**9

ENDED: Final = "ended"
ABANDONED: Final = "abandoned"
BOTS: Final = "bots"


class SeenMatch(msgspec.Struct, array_like=True):
    """Match that was seen live. `end`: ENDED by its rules, ABANDONED without a result, BOTS: all people had left it by
    its end, empty: not seen to end. `verdict`: "wrong" or "unproven", empty for all else."""

    end: str = ""
    given_up: bool = False
    verdict: str = ""


class MatchCounts(msgspec.Struct):
    """Numbers of matches seen to begin, of their ends, and of what was found of them. `given_up`: an act was given up
    (Void)."""

    begun: int = 0
    ended: int = 0
    abandoned: int = 0
    bots: int = 0
    given_up: int = 0
    unproven: int = 0
    wrong: int = 0

    @property
    def unseen(self) -> int:
        """Number of matches of which no end has been seen."""
        return self.begun - self.ended - self.abandoned - self.bots

    def add(self, match: SeenMatch) -> None:
        """Count one more match."""
        self.begun += 1
        self.ended += match.end == ENDED
        self.abandoned += match.end == ABANDONED
        self.bots += match.end == BOTS
        self.given_up += match.given_up
        self.unproven += match.verdict == Verdict.UNPROVEN.value
        self.wrong += match.verdict == Verdict.WRONG.value


class HostRecord(msgspec.Struct):
    """Record of one host. `since`: the day it was first met (ISO 8601); `claim`: its newest claim, None where it has
    made none; `highest`: the highest it has ever claimed, number by number.

    Every method returns whether it has changed anything.
    """

    since: str = ""
    older: MatchCounts = msgspec.field(default_factory=MatchCounts)
    matches: dict[MatchId, SeenMatch] = {}
    claim: HostClaim | None = None
    highest: HostClaim = HostClaim()

    @property
    def counts(self) -> MatchCounts:
        """Sums over all matches seen."""
        found = msgspec.structs.replace(self.older)
        for match in self.matches.values():
            found.add(match)
        return found

    @property
    def fallen(self) -> list[tuple[str, int, int]]:
        """Numbers of the claim that are lower than they were once: name, then, now."""
        if self.claim is None:
            return []
        then, now = msgspec.structs.asdict(self.highest), msgspec.structs.asdict(self.claim)
        return [(name, then[name], now[name]) for name in then if now[name] < then[name]]

    def begin(self, id: MatchId) -> bool:
        """Note a match that is seen live."""
        if id in self.matches:
            return False
        self.matches[id] = SeenMatch()
        while len(self.matches) > MOST_MATCHES:
            self.older.add(self.matches.pop(next(iter(self.matches))))
        return True

    def end(self, id: MatchId, how: str) -> bool:
        """Note the end of a match that was seen live: ENDED, ABANDONED or BOTS. The first end that is seen counts."""
        match = self.matches.get(id)
        if match is None or match.end:
            return False
        match.end = how
        return True

    def give_up(self, id: MatchId) -> bool:
        """Note that the host has given up an act of a match that was seen live."""
        match = self.matches.get(id)
        if match is None or match.given_up:
            return False
        match.given_up = True
        return True

    def note_verdict(self, id: MatchId, verdict: Verdict) -> bool:
        """Note the verdict on a match that was seen live. A later check that holds takes "unproven" back, never
        "wrong": a proof against a host stays one."""
        match = self.matches.get(id)
        if match is None or match.verdict == Verdict.WRONG.value:
            return False
        said = verdict.value if verdict in (Verdict.UNPROVEN, Verdict.WRONG) else ""
        changed, match.verdict = match.verdict != said, said
        return changed

    def note_claim(self, claim: HostClaim | None) -> bool:
        """Note the host's claim about itself. One that has made claims and makes none any more claims nothing at
        all."""
        if claim is None and self.claim is None:
            return False
        said = msgspec.structs.asdict(claim or HostClaim())
        bounded = {name: min(max(number, 0), MOST_CLAIMED) for name, number in said.items()}
        before = self.claim, self.highest
        known = msgspec.structs.asdict(self.highest)
        self.claim = HostClaim(**bounded)
        self.highest = HostClaim(**{name: max(known[name], bounded[name]) for name in known})
        return (self.claim, self.highest) != before
