"""A random legal player for every system: it fills in any prompt by its fields."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, TypeVar

from engine.core.bots.bot import BotView
from engine.core.bots.refusals import Refusals
from protocol.scene import fields as scene
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice, Reply

T = TypeVar("T")

MOST_FIELDS: Final = 16
PATIENCE: Final = 12
"""The number of refusals in a row after which the bot takes the prompt's default."""


class Chance:
    """A small repeatable source of choices: BLAKE2b of a seed and a counter (rules and dice never use it)."""

    def __init__(self, seed: int) -> None:
        self._key = seed.to_bytes(8, "big", signed=True)
        self._count = 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        self._count += 1
        digest = blake2b(self._count.to_bytes(8, "big"), key=self._key, digest_size=8).digest()
        return int.from_bytes(digest, "big") % limit

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` different ones of `items`, or all where there are fewer."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(min(count, len(rest)))]


class RandomBot:
    """A bot that plays any choice of the prompt with any values offered, and after some refusals the default."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)
        self._refused: Refusals[str] = Refusals()

    async def decide(self, view: BotView) -> Reply:
        """Return a random filled-in choice."""
        prompt = view.prompt
        if self._refused.at(prompt) >= PATIENCE:
            default = next((c for c in prompt.choices if c.id == prompt.default), prompt.choices[0])
            return await self._fill(view, default, by_default=True)
        return await self._fill(view, self._chance.pick(prompt.choices), by_default=False)

    def refused(self, reply: Reply, code: str) -> None:
        """Count the refusal of this choice."""
        self._refused.add(reply.choice)

    async def _fill(self, view: BotView, choice: Choice, *, by_default: bool) -> Reply:
        fields: dict[str, object] = {}
        for field in choice.fields[:MOST_FIELDS]:
            known: AnyField | None = field
            if field.lazy:
                known = await view.detail(choice.id, fields)
            if known is None:
                self._refused.add(choice.id)
                break
            if known.auto and (by_default or self._chance.below(2)):
                continue
            fields[field.key] = self._value(known, by_default=by_default)
        return Reply(choice.id, fields)

    def _value(self, field: AnyField, *, by_default: bool) -> object:
        chance = self._chance
        match field:
            case scene.Pieces():
                if by_default and field.default:
                    return list(field.default)
                most = min(field.most, len(field.options))
                count = field.least + chance.below(most - field.least + 1) if most >= field.least else 0
                return [option.id for option in chance.some(field.options, count)]
            case scene.PickOption():
                if (by_default and field.default) or not field.options:
                    return field.default
                return chance.pick(field.options).id
            case scene.PickPoint() | scene.Template():
                return self._point(field)
            case scene.PickCell():
                if (by_default and field.default is not None) or not field.options:
                    return list(field.default or (0, 0))
                return list(chance.pick(field.options))
            case scene.PathPoint():
                if by_default or not field.path:
                    return field.default
                return field.least + chance.below(len(field.path) - field.least)
            case scene.Way():
                return list(field.default) if by_default else self._way(field)
            case scene.Facing():
                return field.default if by_default or not field.angles else chance.pick(field.angles)
            case scene.Placement():
                return {piece: list(at) for piece, at in field.default.items()}
            case scene.Number():
                return field.default if by_default else field.least + chance.below(field.most - field.least + 1)
            case scene.Assign():
                return dict(field.default) if by_default else self._assign(field)
            case scene.Order():
                return [item.id for item in chance.some(field.items, len(field.items))]
            case scene.Words():
                return field.default or "?"

    def _point(self, field: scene.PickPoint | scene.Template) -> list[int]:
        if not field.regions or (field.default is not None and not self._chance.below(3)):
            return list(field.default or field.start or (0, 0))
        corner = self._chance.pick(self._chance.pick(field.regions))
        start = field.start or corner
        # anywhere on the way to a corner of the region, so that short moves are tried too
        eighths = 1 + self._chance.below(8)
        return [a + (b - a) * eighths // 8 for a, b in zip(start, corner, strict=True)]

    def _way(self, field: scene.Way) -> list[int]:
        """Return a way to any place within reach, sometimes over other such places; else the default."""
        places = [at for band in field.bands for at in (*band.cells, *(at for region in band.regions for at in region))]
        if not places or (field.default and not self._chance.below(3)):
            return list(field.default)
        corners = max(field.least, 1) if self._chance.below(2) else field.most
        return [part for _ in range(corners) for part in self._chance.pick(places)]

    def _assign(self, field: scene.Assign) -> dict[str, str]:
        room = dict(field.room)
        given: dict[str, str] = {}
        for item in field.items:
            barred = {bar.id for bar in field.bars.get(item.id, ())}
            free = [slot.id for slot in field.slots if slot.id not in barred and room.get(slot.id, 1) > 0]
            if not free:
                return dict(field.default)
            slot = self._chance.pick(free)
            if slot in room:
                room[slot] -= 1
            given[item.id] = slot
        return given
