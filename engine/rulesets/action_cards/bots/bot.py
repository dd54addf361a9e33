"""Bots of the action-card game. Level 1 looks at its own turn only and decides quickly; level 2 counts the actions
that are left and minds who is winning; level 3 looks ahead, too.

They see their scene and prompt only, and play the act of the highest estimated worth; when nothing is worth an action,
they end the card. They vote on proposals; other questions get their default. None ever stalls.
"""

from __future__ import annotations

from typing import ClassVar, Final

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Chooser, Idea
from engine.rulesets.action_cards.bots import bot_votes
from engine.rulesets.action_cards.bots.bot_beginner import BeginnerLook
from engine.rulesets.action_cards.bots.bot_counting import CountingLook, ForesightLook
from engine.rulesets.action_cards.bots.bot_look import WORTH_WHILE, Look, choice_and_group
from protocol.scene.nodes import Reply

END: Final = "end"


class Player(Chooser):
    """Bot of any level, which sees the table through a `look`. The same seed and the same views give the same
    decisions."""

    look: ClassVar[type[Look]]
    most_refusals = 6
    asks_when_due = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.most_details = self.look.budget  # type: ignore[misc]  # of its look
        self._last: Look | None = None
        self._used: dict[str, str] = {}
        """The groups that have acted in the match, and the choice of each's first act."""

    def at(self, view: BotView) -> Look:
        """Return the analysis of a view, reusing what the last one found of the same terrain and nodes."""
        self._last = self.look(view, self._refused, self._last, self._used)
        return self._last

    async def decide(self, view: BotView) -> Reply:
        """Return the reply of the highest worth, and remember the group that acts."""
        reply = await super().decide(view)
        choice, group = choice_and_group(reply)
        self._used.setdefault(group, choice)
        return reply

    async def ideas(self, view: BotView) -> list[Idea]:
        """Return acts that are worth an action, or a vote; other questions get their default."""
        if bot_votes.is_vote(view):
            return [Idea(0.0, bot_votes.vote(view))]
        if view.prompt.default != END:
            return []
        look = self.at(view)
        weighed = [
            Idea(act.worth + look.eagerness(act.reply) + self._chance.below(100) / 1000, act.reply)
            for act in await look.acts()
        ]
        return [idea for idea in weighed if idea.worth >= WORTH_WHILE]

    def key(self, reply: Reply) -> object:
        """Return its choice and group: neither is tried again together."""
        return choice_and_group(reply)

    def refused(self, reply: Reply, code: str) -> None:
        """Never repeat this reply while the prompt stays."""
        super().refused(reply, code)
        choice, group = choice_and_group(reply)
        if self._used.get(group) == choice:
            del self._used[group]


class Level1(Player):
    """Beginner: fights whoever is near, works where a condition asks for it, and stays on ground that is wanted."""

    look = BeginnerLook


class Level2(Player):
    """Counting player: spends its actions where most points are to be had, and does not fear what others will do."""

    look = CountingLook


class Level3(Player):
    """Strongest level: counts, fears for its groups, and looks ahead over the next shots."""

    look = ForesightLook
