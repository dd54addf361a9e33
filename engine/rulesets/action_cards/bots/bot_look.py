"""Decision of a bot: the table, the choices open on it, and the details asked for, up to a budget.

All levels find shots, work for conditions and acts of vehicles here. Each level adds its moves, and estimates the worth
of an act in hundredths of a force.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final, Self

from engine.core.bots.bot import BotView
from engine.rulesets.action_cards.bots.bot_odds import success
from engine.rulesets.action_cards.bots.bot_plans import Plan
from engine.rulesets.action_cards.bots.bot_table import Act, Reading, SeenGroup
from protocol.scene import fields as scene
from protocol.scene.fields import Option
from protocol.scene.nodes import Choice, Reply

WORTH_WHILE: Final = 0.6
"""An act that is worth less is not worth its action."""


@dataclass(slots=True)
class Shot:
    """Possible shot of a group at a target: its dice and kill number; `inside`: the target is in close combat."""

    group: SeenGroup
    target: SeenGroup
    dice: int
    number: int
    inside: bool


def choice_and_group(reply: Reply) -> tuple[str, str]:
    """Return a reply's choice and group, by which a refusal is remembered."""
    group = reply.fields.get("group") or reply.fields.get("first") or [""]
    return reply.choice, str(group[0]) if isinstance(group, (list, tuple)) else ""


class Look(ABC):
    """Table, plans, and details asked for so far. `refused`: choices by group not to be tried again; `last`: the same
    bot's previous look, of which what has stayed the same is taken over; `used`: its groups that have acted."""

    budget: int
    """Most details asked for in one decision."""
    work: float
    """Worth of a success that a condition asks for, for each of its points."""
    way: float = 1.0
    """Factor of the worth of a vehicle's ways, beside which a group's own are weighed."""
    fresh: float = 0.0
    """Worth of bringing a group into the match that has not acted yet."""
    plans: dict[str, Plan]
    """Goal of each group of this player."""

    def __init__(
        self,
        view: BotView,
        refused: Container[object],
        last: Self | None = None,
        used: Container[str] = (),
    ) -> None:
        self.view = view
        self.choices: dict[str, Choice] = {choice.id: choice for choice in view.prompt.choices}
        self.refused = refused
        self.table: Reading = Reading(view.nodes, view.seat, last.table if last is not None else None)
        self.used = used
        self.prepare(last)

    @abstractmethod
    def prepare(self, last: Self | None) -> None:
        """Work out the plans, and what else the level weighs acts by; what stays the same comes from the last look."""

    @abstractmethod
    async def acts(self) -> list[Act]:
        """Return every act worth considering."""

    @abstractmethod
    def prize(self, target: SeenGroup) -> float:
        """Return the worth of removing one figure of a group."""

    async def detail(self, choice: str, fields: dict[str, object]) -> scene.AnyField | None:
        """Ask for a field with its options, without what only a person looks at."""
        return await self.view.detail(choice, fields, bare=True)

    def is_idle(self, group: str) -> bool:
        """Tell whether a group has not acted yet, and is to be brought into the match."""
        return bool(self.fresh) and group in self.table.groups and group not in self.used

    def eagerness(self, reply: Reply) -> float:
        """Return what is added to the worth of an act for bringing its group into the match."""
        return self.fresh if self.is_idle(choice_and_group(reply)[1]) else 0.0

    def groups(self, choice: str) -> list[SeenGroup]:
        """Return the groups that a choice is open to, except those refused it."""
        offered = self.choices.get(choice)
        first = offered.fields[0] if offered is not None and offered.fields else None
        ids = [option.id for option in first.options] if isinstance(first, scene.Pieces) else []
        return [self.table.groups[id] for id in ids if id in self.table.groups and (choice, id) not in self.refused]

    def shooters(self) -> list[SeenGroup]:
        """Return the groups that may shoot, those with most dice first."""
        return sorted(self.groups("shoot"), key=lambda group: (-group.dice, group.id))

    async def shots(self, group: SeenGroup) -> list[Shot]:
        """Return the possible shots of a group."""
        field = await self.detail("shoot", {"group": [group.id]})
        if not isinstance(field, scene.Pieces):
            return []
        return [shot for option in field.options if (shot := self._aimed(group, option)) is not None]

    def _aimed(self, group: SeenGroup, option: Option) -> Shot | None:
        target, told = self.table.groups.get(option.id), option.numbers
        if target is None or "dice" not in told:
            return None
        number = told.get("number", self.table.forces[target.owner].kill["open"])
        return Shot(group, target, told["dice"], number, "locked" in target.status)

    def works(self) -> Iterator[Act]:
        """Yield special actions that a condition counts."""
        for condition in self.table.conditions:
            if condition.kind == "done" and condition.progress < condition.goal:
                for group in self.groups(condition.special):
                    yield Act(
                        success(group.count) * self.work * condition.points,
                        Reply(condition.special, {"group": [group.id]}),
                    )
