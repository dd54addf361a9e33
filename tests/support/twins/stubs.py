"""Constants for natural differences between two matches: the server's own random numbers, the log's heads, and the CPU
time of questions.

The rest follows. Twins share the host's key and the match's secret: signatures over constant heads are the same, and
salts as long as their labels are. Roots of decks, and the salts and paths of drawn cards, go over the proof plane
alone, where only numbers and lengths are compared.
"""

from __future__ import annotations

import secrets
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, TypeVar

import pytest

import engine.core.match.folded_match
import server.lobby.matches.match_lifecycle
import server.match.proof_plane
import server.match.sampled_forecasts
import server.net.rule_queries
from engine.core.rules.dice import DiceSource, MatchDice
from protocol.ids import MatchId

T = TypeVar("T")
HEAD = bytes(32)


class KnownNumbers:
    """Stand-in for the module `secrets`: the n-th number that a function asks for is the same in every match, whatever
    the others have asked for."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()

    def _bytes(self, size: int, *place: object) -> bytes:
        frame = sys._getframe(2)
        name = f"{frame.f_globals['__name__']}:{frame.f_code.co_qualname}"
        self._asked[name] += 1
        seed = f"{name}:{self._asked[name]}:{place}".encode()
        return b"".join(blake2b(seed + bytes([n])).digest() for n in range(size // 64 + 1))[:size]

    def token_bytes(self, size: int = 32) -> bytes:
        return self._bytes(size)

    def token_hex(self, size: int = 32) -> str:
        return self._bytes(size).hex()

    def token_urlsafe(self, size: int = 32) -> str:
        return self._bytes(size).hex()

    def randbits(self, bits: int) -> int:
        return int.from_bytes(self._bytes(bits // 8 + 1), "big") >> (8 - bits % 8)

    def choice(self, items: Sequence[T]) -> T:
        return items[int.from_bytes(self._bytes(8), "big") % len(items)]


NUMBERS = ("token_bytes", "token_hex", "token_urlsafe", "randbits", "choice")


@contextmanager
def constants(dice: Callable[[DiceSource], DiceSource]) -> Iterator[None]:
    """Give a server known numbers in place of random ones, constant heads of the usual length, questions that take no
    CPU, no sampled forecasts, and matches with dice altered by `dice`."""

    def head(*_: Any) -> bytes:
        return HEAD

    def match_dice(secret: bytes, match: MatchId) -> DiceSource:
        return dice(MatchDice(secret, match))

    def no_time() -> float:
        return 0.0

    numbers = KnownNumbers()
    with pytest.MonkeyPatch.context() as patch:
        for name in NUMBERS:
            patch.setattr(secrets, name, getattr(numbers, name))
        patch.setattr(engine.core.match.folded_match, "next_head", head)
        patch.setattr(server.match.proof_plane, "next_head", head)
        patch.setattr(server.net.rule_queries, "thread_time", no_time)
        # the plays for which a second of CPU is enough are others each time
        patch.setattr(server.match.sampled_forecasts, "CPU_SECONDS", 0.0)
        patch.setattr(server.lobby.matches.match_lifecycle, "MatchDice", match_dice)
        yield
