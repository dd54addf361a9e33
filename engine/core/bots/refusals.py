"""What a bot remembers of refusals, so that it neither tries the same again nor tries for ever."""

from __future__ import annotations

from typing import Generic, TypeVar

from protocol.scene.nodes import Prompt

K = TypeVar("K")


class Refusals(Generic[K]):
    """What was refused to a bot at the prompt that it has, as it names that; `count`: how often."""

    def __init__(self) -> None:
        self.count = 0
        self._prompt = ""
        self._known: set[K] = set()

    def at(self, prompt: Prompt) -> int:
        """How often it was refused at this prompt: nothing is remembered of the one before."""
        if prompt.id != self._prompt:
            self._prompt, self.count = prompt.id, 0
            self._known.clear()
        return self.count

    def add(self, what: K) -> None:
        """Once more."""
        self.count += 1
        self._known.add(what)

    def __contains__(self, what: object) -> bool:
        return what in self._known
