"""Answers about the rules that are the same for everybody: each made once, in a thread, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from server.net.rule_queries import RuleQueries
    from server.runtime.bounds import Asker

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class KeptAnswers(Generic[K, V]):
    """Answers by what was asked. `most`: of more the one that was asked for longest ago goes."""

    def __init__(self, questions: RuleQueries, most: int) -> None:
        self._questions = questions
        self._most = most
        self._kept: dict[K, V] = {}
        """The one that was asked for last at the end."""
        self._making = asyncio.Lock()
        """One is made at a time: many ask for the same one when it is chosen."""

    async def find(self, key: K, asker: Asker, make: Callable[[], V]) -> V:
        """Return an answer, made where it is not kept: that counts as a question of whoever asks. Raises Refused where
        they have used up their time, and what `make` raises."""
        if key not in self._kept:
            async with self._making:
                if key not in self._kept:
                    self._keep(key, await self._questions.answer_in_thread(asker, make))
        found = self._kept.pop(key)
        self._keep(key, found)
        return found

    def _keep(self, key: K, answer: V) -> None:
        """Keep it as the one that was asked for last."""
        self._kept[key] = answer
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
