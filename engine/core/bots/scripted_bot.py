"""A bot that tries acts given to it before it plays on its own: the other side of a lesson."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.bots.bot import Bot, BotView, default_of
from protocol.scene.nodes import Choice, Reply


class ScriptedBot:
    """Bot that makes each of `acts` once, in order, as soon as its prompt offers the choice; in between and afterwards
    `then` decides. An act that is refused, or whose fields cannot be filled, is passed over."""

    def __init__(self, acts: Sequence[Reply], then: Bot) -> None:
        self._acts = list(acts)
        self._then = then
        self._tried: Reply | None = None

    async def decide(self, view: BotView) -> Reply:
        """Return the next act where it is offered, else what the other bot decides."""
        self._tried = None
        offered = {choice.id: choice for choice in view.prompt.choices}
        if self._acts and self._acts[0].choice in offered:
            act = self._acts.pop(0)
            filled = await _filled(view, offered[act.choice], act)
            if filled is not None:
                self._tried = filled
                return filled
        return await self._then.decide(view)

    def refused(self, reply: Reply, code: str) -> None:
        """Tell the other bot of a refusal of its own."""
        if reply != self._tried:
            self._then.refused(reply, code)


async def _filled(view: BotView, choice: Choice, act: Reply) -> Reply | None:
    """Return the act with the defaults of the fields that it lacks; None where one of them has none."""
    fields: dict[str, object] = {}
    for field in choice.fields:
        if field.key in act.fields:
            fields[field.key] = act.fields[field.key]
        elif not field.auto:
            default = default_of(await view.detail(choice.id, fields) if field.lazy else field)
            if default is None:
                return None
            fields[field.key] = default
    return Reply(choice.id, fields)
