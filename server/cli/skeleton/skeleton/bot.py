"""A bot: it shoots at whatever is nearest its end, and else closes in on the nearest enemy.

What a plan's ideas are worth ranks it among the others.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Chooser, Idea, Plan
from engine.space.vectors.points import squared
from protocol.scene.fields import PickPoint, Pieces
from protocol.scene.nodes import Group, Piece, Reply

from .content import Point


def attack(choice: str, worth: int) -> Plan:
    """Make a plan to do so with the largest group at the smallest that it may choose."""

    async def plan(view: BotView) -> AsyncIterator[Idea]:
        for group in able(view, choice):
            targets = await view.detail(choice, {"group": [group]}, bare=True)
            for option in targets.options if isinstance(targets, Pieces) else ():
                more = size(view, group) - size(view, option.id)
                yield Idea(worth + more, Reply(choice, {"group": [group], "target": [option.id]}))

    return plan


async def advance(view: BotView) -> AsyncIterator[Idea]:
    """Move the group that gets nearest to an enemy, unless somebody can shoot."""
    foes = [id for id, node in view.nodes.items() if isinstance(node, Group) and node.owner != view.seat]
    there = [at for foe in foes for at in places(view, foe)]
    for group in able(view, "move") if not any(able(view, "shoot")) else ():
        to = await view.detail("move", {"group": [group]}, bare=True)
        for at in to.regions[0] if isinstance(to, PickPoint) else ():
            near = min(squared(at, foe) for foe in there)
            yield Idea(-(near**0.5), Reply("move", {"group": [group], "to": list(at)}))


def able(view: BotView, choice: str) -> Iterator[str]:
    """Yield the groups that a choice is offered for."""
    for offered in view.prompt.choices:
        if offered.id == choice and isinstance(offered.fields[0], Pieces):
            yield from (option.id for option in offered.fields[0].options)


def places(view: BotView, group: str) -> list[Point]:
    """Return where the figures of a group stand."""
    node = view.nodes.get(group)  # type: ignore[call-overload]
    pieces = [view.nodes[id] for id in node.pieces] if isinstance(node, Group) else []
    return [piece.at for piece in pieces if isinstance(piece, Piece)]


def size(view: BotView, group: str) -> int:
    """Count the figures of a group."""
    return len(places(view, group))


class Steady(Chooser):
    """A sound beginner."""

    plans = (attack("shoot", 1000), advance)
