"""Numbers of a prompt's choices, which stay with each choice as others come and go."""

from __future__ import annotations

from itertools import count

from protocol.scene.nodes import Prompt

ONE_DIGIT = range(1, 10)


class ChoiceNumbers:
    """Numbers of choices by kind of prompt, as its title tells it: a choice keeps the number that it had first."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, int]] = {}

    def of(self, prompt: Prompt) -> dict[str, int]:
        """Return the number of each choice and aside of a prompt by id: one digit as long as there are 9 at most.

        A new one takes the lowest that none has had; then the lowest that none of these has.
        """
        known = self._known.setdefault(prompt.title.k, {})
        ids = [choice.id for choice in (*prompt.choices, *prompt.asides)]
        numbers = {id: known.get(id, 0) for id in ids if known.get(id, 0) in ONE_DIGIT or len(ids) > len(ONE_DIGIT)}
        numbers = {id: number for id, number in numbers.items() if number}
        for id in ids:
            if id not in numbers:
                used = {*known.values(), *numbers.values()}
                never = next((number for number in ONE_DIGIT if number not in used), 0)
                numbers[id] = never or next(number for number in count(1) if number not in numbers.values())
                for other in [other for other, number in known.items() if number == numbers[id]]:
                    del known[other]
                known[id] = numbers[id]
        return numbers
