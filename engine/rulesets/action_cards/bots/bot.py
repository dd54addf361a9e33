"""Bots of the action-card game. Levels 1 and 2 look at their own turn only and decide quickly; level 3 counts, looks
ahead, and minds who is winning.

They see their scene and prompt only, and play the act of the highest estimated worth; when nothing is worth an action,
they end the card. They vote on proposals; other questions get their default. None ever stalls.
"""

from __future__ import annotations

from typing import Final

from engine.core.bots.bot import BotView, default_reply
from engine.core.bots.random_bot import Chance
from engine.core.bots.refusals import Refusals
from engine.rulesets.action_cards.bots import bot_votes
from engine.rulesets.action_cards.bots.bot_counting import ForesightLook
from engine.rulesets.action_cards.bots.bot_look import WORTH_WHILE, Look, choice_and_group
from engine.rulesets.action_cards.bots.bot_plain import BeginnerLook, PlainLook
from protocol.scene.nodes import Reply

MOST_REFUSALS: Final = 6
END: Final = "end"


class Player:
    """Bot of any level, which sees the table through a `look`. The same seed and the same views give the same
    decisions."""

    look: type[Look]

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._refused: Refusals[tuple[str, str]] = Refusals()
        self._last: Look | None = None

    def at(self, view: BotView) -> Look:
        """Return the analysis of a view, reusing what the last one found of the same terrain and nodes."""
        self._last = self.look(view, self._refused, self._last)
        return self._last

    async def decide(self, view: BotView) -> Reply:
        """Return the reply to a prompt: the act of the highest worth, a vote, or the default of any other question."""
        prompt = view.prompt
        if bot_votes.is_vote(view):
            return bot_votes.vote(view)
        refusals = self._refused.at(prompt)
        if prompt.default != END:
            return default_reply(prompt)
        if refusals >= MOST_REFUSALS:
            return Reply(END)
        acts = await self.at(view).acts()
        weighed = [(act.worth + self._chance.below(100) / 1000, -number) for number, act in enumerate(acts)]
        worth, number = max(weighed, default=(0.0, 0))
        return acts[-number].reply if worth >= WORTH_WHILE else Reply(END)

    def refused(self, reply: Reply, code: str) -> None:
        """Never repeat this reply while the prompt stays."""
        self._refused.add(choice_and_group(reply))


class Level1(Player):
    """Beginner: fights whoever is near, works where a condition asks for it, and stays on ground that is wanted."""

    look = BeginnerLook


class Level2(Player):
    """Simple player: goes straight for its conditions, and shoots at whoever is easiest to hit."""

    look = PlainLook


class Level3(Player):
    """Strongest level: counts, looks ahead over the next shots, and weighs who is winning."""

    look = ForesightLook
