"""A window in a seat of a real match, for which a bot decides until a moment has come that is worth a picture."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from client.model.session import ClientSession
from client.views.table.table_screen import TableScreen
from engine.core.bots.bot import Bot, Picture
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Prompt
from protocol.wire.from_client import BringList, JoinTable, SetReady
from tests.support.clients.programs import until
from tests.support.lobby_evening.visitor import Visitor

FRAME_SECONDS: Final = 0.05
"""That pass for the window from one look to the next."""
PATIENCE: Final = 240.0
"""Seconds that opponents may take until the window's seat is asked."""


class Seat:
    """Window in a seat. `tasks`: of the opponents, whose failures are raised wherever the window waits."""

    def __init__(self, visitor: Visitor, bot: Bot, tasks: Sequence[asyncio.Task[object]]) -> None:
        self.visitor = visitor
        self.bot = bot
        self.tasks = tasks

    @property
    def session(self) -> ClientSession:
        """The session of the window."""
        return self.visitor.session

    @property
    def screen(self) -> TableScreen:
        """The screen of the table. Raises LookupError where another one is shown."""
        if not isinstance(self.visitor.app.front, TableScreen):
            raise LookupError(f"{self.visitor.name} sees no table: {sorted(self.visitor.app.labels())}")
        return self.visitor.app.front

    async def until(self, condition: Any) -> None:
        """Let the window run until something holds. Raises TimeoutError, and what an opponent raised."""

        def look() -> bool:
            self.visitor.app.step(FRAME_SECONDS)
            return bool(condition())

        await until(look, PATIENCE, self.tasks)

    async def sit_down(self, code: str, seat: int) -> None:
        """Take this seat of an open table, bring a list where one is brought, and wait for the match to begin."""
        self.visitor.navigator.go(JoinTable(code=code, seat=seat))
        await self.until(lambda: self.visitor.table is not None and self.visitor.table.seat == seat)
        view, systems = self.visitor.view, self.session.conversation.systems
        known = systems.systems if systems is not None else ()
        scenarios = [one for system in known if system.id == view.system for one in system.scenarios]
        if any(one.points for one in scenarios if one.id == view.scenario):
            self.session.say(BringList())
        self.session.say(SetReady(ready=True))
        await self.until(lambda: isinstance(self.visitor.app.front, TableScreen))

    @property
    def prompt(self) -> Prompt | None:
        """The prompt that the seat has not answered yet."""
        prompt, controller = self.session.prompt, self.screen.controller
        is_open = prompt is not None and bool(prompt.choices) and not controller.is_given
        return prompt if is_open and not self.session.conversation.pending else None

    async def asked(self) -> Prompt:
        """Wait until the seat is asked for something, and return it. Raises LookupError once the match is over."""
        await self.until(lambda: self.prompt is not None or self.screen.model.top.result is not None)
        if self.prompt is None:
            raise LookupError("the match is over")
        return self.prompt

    async def play(self) -> None:
        """Let the bot answer what the seat is asked now."""
        prompt, scene = await self.asked(), self.session.conversation.scene
        assert scene is not None
        view = _SeenInWindow(self, dict(scene.nodes), prompt)
        reply = await self.bot.decide(view)
        if self.session.prompt is None or self.session.prompt.id != prompt.id:
            return
        intent = self.session.intend(reply)
        await self.until(lambda: intent not in self.session.conversation.pending)
        self.visitor.app.step(FRAME_SECONDS)
        if self.prompt is not None and self.prompt.id == prompt.id:
            self.bot.refused(reply, "refused")


class _SeenInWindow(Picture):
    """The bot's view of the game: the window's own picture."""

    def __init__(self, seat: Seat, nodes: Mapping[Any, Any], prompt: Prompt) -> None:
        super().__init__(seat.visitor.view.seat, nodes, prompt)
        self._seat = seat

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        session = self._seat.session
        number = session.ask_detail(choice, fields)
        await self._seat.until(lambda: session.detail is not None and session.detail.id == number)
        return session.detail.field if session.detail is not None else None
