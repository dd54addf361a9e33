"""Bots of the action-card game, and levels 1 and 2: players who mind their own turn, and quickly.

They look at their scene and prompt only, and play the act that is worth most by their own rough sums; when nothing is
worth an action, they end the card. They vote on what others try; other questions get their default. None ever stalls.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from engine.core.bots.bot import default_reply
from engine.core.bots.random_bot import Chance
from engine.core.bots.refusals import Refusals
from engine.rulesets.action_cards.bots import bot_votes
from engine.rulesets.action_cards.bots.bot_beginner import BeginnerLook
from engine.rulesets.action_cards.bots.bot_look import WORTH_WHILE, Look, what
from engine.rulesets.action_cards.bots.bot_plain import PlainLook
from protocol.scene.nodes import Reply

if TYPE_CHECKING:
    from engine.core.bots.bot import View
    from engine.rulesets.action_cards.bots.bot_table import Reading
    from engine.rulesets.action_cards.bots.bot_ways import Ways

MOST_REFUSALS: Final = 6
END: Final = "end"


class Player(ABC):
    """A bot of any level. The same seed and the same views give the same decisions."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._refused: Refusals[tuple[str, str]] = Refusals()

    @abstractmethod
    def at(self, view: View) -> Look:
        """How it looks at a table, but for what it was refused there."""

    async def decide(self, view: View) -> Reply:
        """The act that is worth most; a vote; a prompt's default where it is about neither."""
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
        """Not that again while the prompt stays."""
        self._refused.add(what(reply))


class QuickPlayer(Player):
    """A bot that minds its own turn. `look`: how it does that."""

    look: type[PlainLook]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._last: Reading | None = None
        self._ways: Ways | None = None

    def at(self, view: View) -> Look:
        """What it found of the terrain, and made of nodes, serves as long as those stay."""
        look = self.look(view, self._refused, self._last, self._ways)
        self._last, self._ways = look.table, look.ways
        return look


class Level1(QuickPlayer):
    """A beginner: fights whom he meets, works where a condition asks for it, and stays on ground that is wanted."""

    look = BeginnerLook


class Level2(QuickPlayer):
    """A plain player: makes straight for what he came for, and shoots at whoever is easiest to hit."""

    look = PlainLook
