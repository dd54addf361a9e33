"""Numbers of a prompt's choices, which stay with each choice as others come and go, and the choices that are shut."""

from __future__ import annotations

from itertools import count

from client.input.activation_ending import listed_asides
from protocol.scene.nodes import TURN, Choice, Prompt

ONE_DIGIT = range(1, 10)


class ChoiceNumbers:
    """Numbers of choices, of all turns together and by kind of question, as its title tells it. A choice keeps the
    number that it had first: while an activation goes on, no number comes to mean another choice."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, int]] = {}
        self._offered: dict[str, Choice] = {}
        """Choices that have been offered in the present activation."""

    def rest(self) -> None:
        """Take note that the viewer's activation is over: no choice of it is shown any more."""
        self._offered.clear()

    def shut(self, prompt: Prompt) -> dict[str, tuple[int, Choice]]:
        """Return the choices of the present activation that a prompt does not offer, by id, each with its number."""
        if prompt.window != TURN:
            return {}
        numbers, known = self.of(prompt), self._known[""]
        return {id: (known[id], choice) for id, choice in self._offered.items() if id in known and id not in numbers}

    def of(self, prompt: Prompt) -> dict[str, int]:
        """Return the number of each choice and listed aside of a prompt by id: one digit as long as there are 9 at
        most.

        A new one takes the lowest that none has had; then that of the choice that was offered longest ago.
        """
        known = self._known.setdefault("" if prompt.window == TURN else prompt.title.k, {})
        ids = [choice.id for choice in (*prompt.choices, *listed_asides(prompt))]
        numbers = {id: known[id] for id in ids if id in known}
        if len(ids) <= len(ONE_DIGIT):
            numbers = {id: number for id, number in numbers.items() if number in ONE_DIGIT}
        for id in ids:
            if id not in numbers:
                numbers[id] = _free(known, numbers)
                for other in [other for other, number in known.items() if number == numbers[id]]:
                    del known[other]
        for id in ids:  # those offered last stand last
            known.pop(id, 0)
            known[id] = numbers[id]
        if prompt.window == TURN:
            self._offered |= {choice.id: choice for choice in prompt.choices}
        return numbers


def _free(known: dict[str, int], numbers: dict[str, int]) -> int:
    """Return a number for a new choice beside those that have `numbers`. `known`: all, those offered last at the
    end."""
    used = {*known.values(), *numbers.values()}
    never = next((number for number in ONE_DIGIT if number not in used), 0)
    if never:
        return never
    free = (number for id, number in known.items() if number in ONE_DIGIT and number not in numbers.values())
    return next(free, 0) or next(number for number in count(1) if number not in numbers.values())
