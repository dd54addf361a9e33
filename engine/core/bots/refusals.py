"""A bot's memory of refusals, so that it neither repeats a refused reply nor tries for ever."""

from __future__ import annotations

from typing import Generic, TypeVar

from protocol.scene.nodes import Prompt

K = TypeVar("K")


class Refusals(Generic[K]):
    """The replies refused to a bot at its present prompt, by the bot's own keys; `count` of them in all."""

    def __init__(self) -> None:
        self.count = 0
        self._prompt = ""
        self._known: set[K] = set()

    def at(self, prompt: Prompt) -> int:
        """Return the number of refusals at this prompt; those of an earlier prompt are forgotten."""
        if prompt.id != self._prompt:
            self._prompt, self.count = prompt.id, 0
            self._known.clear()
        return self.count

    def add(self, what: K) -> None:
        """Note one more refusal."""
        self.count += 1
        self._known.add(what)

    def __contains__(self, what: object) -> bool:
        return what in self._known
