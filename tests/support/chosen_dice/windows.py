"""Two windows of one profile, the second of which acts between the first one's read and its write."""

from __future__ import annotations

from collections.abc import Callable

from protocol.fairness.contributor import ChainStore, OwnEntropyChain
from protocol.ids import MatchId


class TwoWindows:
    """The stores of two windows over the same chains."""

    def __init__(self, chains: ChainStore) -> None:
        self.second = chains
        self.first = _Interrupted(chains)

    def meanwhile(self, act: Callable[[], object]) -> None:
        """Let the second window do this the next time that the first has read and is about to write."""
        self.first.meanwhile = act

    @property
    def both_looked(self) -> bool:
        """True once the second window has acted."""
        return self.first.meanwhile is None


class _Interrupted:
    def __init__(self, chains: ChainStore) -> None:
        self._chains = chains
        self.meanwhile: Callable[[], object] | None = None

    def load(self, host: bytes, match: MatchId, origin: bytes) -> OwnEntropyChain | None:
        return self._chains.load(host, match, origin)

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        act, self.meanwhile = self.meanwhile, None
        if act is not None:
            act()
        return self._chains.save(host, chain, before)
