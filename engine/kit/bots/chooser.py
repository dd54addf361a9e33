"""Bots made of plans: each plan proposes replies with what they are worth, and the best that was not refused is played.

class Steady(Chooser):
    plans = (shoot, advance)

async def shoot(view: BotView) -> AsyncIterator[Idea]:
    for target in targets(view):
        yield Idea(worth_of(view, target), Reply("shoot", {"target": [target]}))
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple, TypeAlias

import msgspec

from engine.core.bots.bot import BotView, Picture, default_reply
from engine.core.bots.random_bot import Chance
from engine.core.bots.refusals import Refusals
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Reply

MOST_DETAILS: Final = 24
MOST_REFUSALS: Final = 5


class Idea(NamedTuple):
    """A reply that a plan proposes, and what it is worth to it: plans of one bot use one scale."""

    worth: float
    reply: Reply


Plan: TypeAlias = Callable[[BotView], AsyncIterator[Idea]]
"""A function that proposes replies to the prompt of a view, none where it has nothing to propose."""


class BudgetedView(Picture):
    """View of a bot that may ask for so many details in one decision: after that, and where an answer is due (unless
    it `asks_when_due`), `detail` gives None."""

    def __init__(self, view: BotView, most: int, *, asks_when_due: bool = False) -> None:
        super().__init__(view.seat, view.nodes, view.prompt)
        self._view = view
        self._left = most
        self._asks_when_due = asks_when_due

    @property
    def known(self) -> object:
        """The state as the seat knows it."""
        return self._view.known

    def is_due(self) -> bool:
        """Tell whether an answer is wanted now."""
        return self._view.is_due()

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        """Return the next field of a choice; None where it is refused or the budget is spent."""
        if self._left <= 0 or (not self._asks_when_due and self.is_due()):
            return None
        self._left -= 1
        return await self._view.detail(choice, fields, bare=bare)


class Chooser:
    """Bot that plays the best reply of its plans; chance decides between equals. A prompt that no plan replies to, or
    at which several replies were refused, gets its default.

    `plans`: in the order in which they spend the budget of details.
    """

    plans: ClassVar[Sequence[Plan]] = ()
    most_details: ClassVar[int] = MOST_DETAILS
    most_refusals: ClassVar[int] = MOST_REFUSALS
    asks_when_due: ClassVar[bool] = False
    """True for a bot that asks for details even where an answer is due: it needs some to have an answer at all."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._refused: Refusals[object] = Refusals()

    async def decide(self, view: BotView) -> Reply:
        """Return the reply of the greatest worth."""
        if self._refused.at(view.prompt) >= self.most_refusals:
            return default_reply(view.prompt)
        ideas = await self.ideas(BudgetedView(view, self.most_details, asks_when_due=self.asks_when_due))
        best = max([idea.worth for idea in ideas], default=0.0)
        equals = [idea.reply for idea in ideas if idea.worth == best]
        if len(equals) > 1:
            return self._chance.pick(equals)
        return equals[0] if equals else default_reply(view.prompt)

    def refused(self, reply: Reply, code: str) -> None:
        """Remember a refused reply while the prompt stays."""
        self._refused.add(self.key(reply))

    def key(self, reply: Reply) -> object:
        """Return the key of a reply: once it is refused, so is every reply of the same key."""
        return msgspec.msgpack.encode(reply, order="deterministic")

    async def ideas(self, view: BotView) -> list[Idea]:
        """Return the ideas of all plans but those that were refused."""
        found: list[Idea] = []
        for plan in self.plans:
            found += [idea async for idea in plan(view) if self.key(idea.reply) not in self._refused]
        return found
