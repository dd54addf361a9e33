"""A seat's chain with its opening key, opened by hand whatever the facts are."""

from __future__ import annotations

from engine.core.match.causes import EntropyTip
from protocol.fairness.contributor import OwnEntropyChain
from protocol.fairness.entropy_chain import EntropyChain, opening_text
from protocol.fairness.signatures import OpeningKey


class Opener:
    """Opener of the chain that a program keeps, for any call that it is given."""

    def __init__(self, kept: OwnEntropyChain) -> None:
        self.kept = kept
        self.chain = EntropyChain(kept.seed, kept.match, kept.origin)
        self.key = OpeningKey(kept.key)

    def tip(self, seat: int) -> EntropyTip:
        """Return the cause that logs its tip."""
        return EntropyTip(seat, self.chain.tip, self.key.public)

    def part(self, round: int, version: int, head: bytes) -> tuple[bytes, bytes]:
        """Return link and proof for the call that is step `version`, with this head."""
        link = self.chain.link(round)
        return link, self.key.sign(opening_text(self.kept.match, round, version, head, link))
