"""A bot's memory of refusals, so that it neither repeats a refused reply nor tries for ever."""

from __future__ import annotations

from typing import Generic, TypeVar

from protocol.scene.nodes import Prompt

K = TypeVar("K")


class Refusals(Generic[K]):
    """The replies refused to a bot at its present prompt, by the bot's own keys; `count` of them in all.

    `is_retry`: the bot decides once more because its last reply was refused. A prompt may stay the same after a reply
    that was carried out, so that the prompt alone does not tell.
    """

    def __init__(self) -> None:
        self.count = 0
        self.is_retry = False
        self._prompt = ""
        self._seen = 0
        self._known: set[K] = set()

    def at(self, prompt: Prompt) -> int:
        """Return the number of refusals at this prompt, at which a bot is to decide now; those of an earlier prompt are
        forgotten."""
        if prompt.id != self._prompt:
            self._prompt, self.count, self._seen = prompt.id, 0, 0
            self._known.clear()
        self.is_retry, self._seen = self.count > self._seen, self.count
        return self.count

    def add(self, what: K) -> None:
        """Note one more refusal."""
        self.count += 1
        self._known.add(what)

    def __contains__(self, what: object) -> bool:
        return what in self._known
