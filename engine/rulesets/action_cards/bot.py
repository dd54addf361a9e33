"""Level 1: takes cover, focuses fire, goes for its conditions, charges at good odds, and never stalls.

It looks at its scene and prompt only, asks for at most a dozen details a decision, and plays the act that is worth most
by its own rough sums; when nothing is worth an action, it ends the card. Other questions get their default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.core.bot import default_reply
from engine.core.random_bot import Chance
from engine.rulesets.action_cards.bot_look import WORTH_WHILE, Look, what
from engine.rulesets.action_cards.bot_sight import Lines
from protocol.scene import Reply

if TYPE_CHECKING:
    from engine.core.bot import View

MOST_REFUSALS: Final = 6
END: Final = "end"


class Level1:
    """A sound beginner. The same seed and the same views give the same decisions."""

    look: type[Look] = Look
    """How it looks at a table."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._prompt = ""
        self._refused: set[tuple[str, str]] = set()
        self._refusals = 0
        self._lines: Lines | None = None

    async def decide(self, view: View) -> Reply:
        """The act that is worth most; a prompt's default where it is not about a card."""
        prompt = view.prompt
        if prompt.id != self._prompt:
            self._prompt, self._refusals = prompt.id, 0
            self._refused.clear()
        if prompt.default != END:
            return default_reply(prompt)
        if self._refusals >= MOST_REFUSALS:
            return Reply(END)
        look = self.look(view, self._refused, self._lines)
        self._lines = look.lines
        acts = await look.acts()
        weighed = [(act.worth + self._chance.below(100) / 1000, -number) for number, act in enumerate(acts)]
        worth, number = max(weighed, default=(0.0, 0))
        return acts[-number].reply if worth >= WORTH_WHILE else Reply(END)

    def refused(self, reply: Reply, code: str) -> None:
        """Not that again while the prompt stays."""
        self._refusals += 1
        self._refused.add(what(reply))
