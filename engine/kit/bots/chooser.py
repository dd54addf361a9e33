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
    """View of a bot that may ask for so many details in one decision: after that, and where an answer is due, `detail`
    gives None."""

    def __init__(self, view: BotView, most: int) -> None:
        super().__init__(view.seat, view.nodes, view.prompt)
        self._view = view
        self._left = most

    @property
    def known(self) -> object:
        """What the seat knows of the state."""
        return self._view.known

    def is_due(self) -> bool:
        """Tell whether an answer is wanted now."""
        return self._view.is_due()

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        """Return the next field of a choice; None where it is refused or the budget is spent."""
        if self._left <= 0 or self.is_due():
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

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._refused: Refusals[bytes] = Refusals()

    async def decide(self, view: BotView) -> Reply:
        """Return the reply of the greatest worth."""
        if self._refused.at(view.prompt) >= MOST_REFUSALS:
            return default_reply(view.prompt)
        ideas = await self._ideas(BudgetedView(view, self.most_details))
        best = max([idea.worth for idea in ideas], default=0.0)
        equals = [idea.reply for idea in ideas if idea.worth == best]
        return self._chance.pick(equals) if equals else default_reply(view.prompt)

    def refused(self, reply: Reply, code: str) -> None:
        """Remember a refused reply while the prompt stays."""
        self._refused.add(_key(reply))

    async def _ideas(self, view: BotView) -> list[Idea]:
        found: list[Idea] = []
        for plan in self.plans:
            found += [idea async for idea in plan(view) if _key(idea.reply) not in self._refused]
        return found


def _key(reply: Reply) -> bytes:
    return msgspec.msgpack.encode(reply, order="deterministic")
