"""A guest who keeps within the limits of one person, and reads only the messages that it needs."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

import msgspec

from bench.wire import PUBLIC, Wire
from engine.core.bots.bot import Picture
from engine.core.bots.random_bot import RandomBot
from protocol.limits import Bucket, Limits
from protocol.scene.delta import apply, typed
from protocol.scene.fields import AnyField
from protocol.scene.nodes import PROMPT_NODE, Prompt, Reply
from protocol.version import VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.pacing import Pace
from tests.support.clients.programs import until

PATIENCE: Final = 20.0
TICK: Final = 0.02
_ANY: Final = msgspec.msgpack.Decoder(dict[str, Any])


class Chooser(RandomBot):
    """Bot that fills one field at a time in, too."""

    def value(self, field: AnyField) -> object:
        """Return a value that may be put into it."""
        return self._value(field, by_default=False)


class Guest(Wire):
    """One connection, and its person. `said`: the last message of each kind; `refused`: refusals by code.

    Every message waits for the person's own bucket, as in a polite program.
    """

    def __init__(self, name: str, limits: Limits, port: int, address: str) -> None:
        super().__init__("/")
        self.name = name
        self.port = port
        self.address = address
        self.limits = limits
        self.pace = Pace(_within(limits), perf_counter())
        self.said: dict[str, dict[str, Any]] = {}
        self.refused: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self.prompt: dict[str, Any] | None = None
        self.answered = ""
        """A question to which it has given its final answer."""
        self.bot = Chooser(secrets.randbits(30))
        self.steps = 0
        """Of its own: which comes next of what it does in turn."""
        self._numbers = 0
        self._waiting: dict[object, asyncio.Future[dict[str, Any]]] = {}

    @classmethod
    async def at(cls, name: str, limits: Limits, port: int, address: str) -> Guest:
        """Return a guest who is connected, and has sent nothing yet. Raises OSError."""
        loop = asyncio.get_running_loop()
        _, guest = await loop.create_connection(
            lambda: cls(name, limits, port, address), "127.0.0.1", port, local_addr=(address, 0)
        )
        await asyncio.wait_for(guest.opened, PATIENCE)
        return guest

    async def greet(self) -> None:
        """Enter as a new person."""
        self.tell(say.Hello(version=VERSION, name=self.name))
        await self.until("lobby")

    # What it knows

    @property
    def table(self) -> dict[str, Any]:
        """The last state of its table; {} where it has none."""
        return self.said.get("table", {})

    async def until(self, kind: str) -> dict[str, Any]:
        """Wait for a message of this kind, if none has come yet."""
        if kind not in self.said:
            await self._answer(("kind", kind))
        return self.said[kind]

    def frame_received(self, data: bytes) -> None:
        if data.startswith(PUBLIC, 1):
            return
        message = _ANY.decode(data)
        kind = message["t"]
        if kind in ("snapshot", "delta"):
            if message.get("part") == "private":
                self._take_private(message)
            return
        if kind == "left":
            self.said.pop("table", None)
            self.prompt = None
        self.said[kind] = message
        if message.get("code") and kind in ("problem", "reject", "detail"):
            self.refused[message["code"]] += 1
            if kind == "reject":
                self.answered = ""
        for key in (("kind", kind), (kind, message.get("id")), (kind, message.get("n"))):
            waiting = self._waiting.pop(key, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for waiting in self._waiting.values():
            waiting.cancel()

    def _take_private(self, message: dict[str, Any]) -> None:
        if message["t"] == "snapshot":
            nodes, patch = {}, {PROMPT_NODE: message["nodes"].get("prompt")}
        else:
            nodes = {PROMPT_NODE: self.prompt} if self.prompt is not None else {}
            patch = {PROMPT_NODE: message["patch"]["prompt"]} if "prompt" in message["patch"] else {}
        self.prompt = apply(nodes, patch).get(PROMPT_NODE)

    @property
    def choices(self) -> Prompt | None:
        """The present choices; None without a prompt."""
        prompt = typed(self.prompt) if self.prompt is not None else None
        if not isinstance(prompt, Prompt) or not prompt.choices or prompt.id == self.answered:
            return None
        return prompt

    # What it says

    def may(self, kind: type[say.Message]) -> bool:
        """Take from the bucket of this kind of message, if possible."""
        return self.pace.bucket(kind).take(perf_counter())

    async def leave_for(self, kind: type[say.Message]) -> None:
        """Wait for the bucket of this kind of message."""
        await until(lambda: self.may(kind))

    def tell(self, message: say.Message) -> None:
        """Send it now."""
        self.sent[type(message).__name__] += 1
        if isinstance(message, say.Intent) and (self.prompt or {}).get("window", "turn") != "turn":
            self.answered = message.prompt
        self.send(encode_request(message))

    async def asked(self, message: say.Message) -> dict[str, Any]:
        """Send it as soon as allowed, and wait until it has been handled."""
        await self.leave_for(type(message))
        return await self.ask(message)

    async def ask(self, message: say.Message) -> dict[str, Any]:
        """Send it now, and wait until it has been handled: return its answer, else that of a ping behind it."""
        self.tell(message)
        match message:
            case say.Intent():
                return await self._answer(("ack", message.id), ("reject", message.id))
            case say.DetailRequest():
                return await self._answer(("detail", message.id))
            case say.Survey():
                return await self._answer(("surveyed", message.id))
            case say.Propose():
                return await self._answer(("proposed", message.id))
            case say.Ping():
                return await self._answer(("pong", message.n))
        return await self.pinged()

    async def pinged(self) -> dict[str, Any]:
        """Wait until all messages sent so far have been handled."""
        return await self.asked(say.Ping(n=self.number()))

    def number(self) -> int:
        """Return another number each time."""
        self._numbers += 1
        return self._numbers

    async def detail(self, choice: str, fields: Mapping[str, object]) -> AnyField | None:
        """Ask for the next field of a choice; None where that is refused."""
        answer = await self.asked(detail_of(self, choice, fields))
        field = answer.get("field")
        return msgspec.convert(field, AnyField) if field is not None else None

    async def reply(self) -> Reply | None:
        """Return a random legal reply; None without a prompt."""
        prompt = self.choices
        return await self.bot.decide(_Look(self, prompt)) if prompt is not None else None

    async def _answer(self, *keys: object) -> dict[str, Any]:
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        for key in keys:
            self._waiting[key] = future
        try:
            async with asyncio.timeout(PATIENCE):
                return await future
        finally:
            for key in keys:
                self._waiting.pop(key, None)


def _within(limits: Limits) -> Limits:
    """Return a little less than is allowed, since messages arrive unevenly where they are counted."""
    intents, details, chat, frames = (
        Bucket(0.95 * bucket.rate, bucket.burst - 2)
        for bucket in (limits.intents, limits.details, limits.chat, limits.frames)
    )
    return replace(limits, intents=intents, details=details, chat=chat, frames=frames)


class _Look(Picture):
    """View of its bot: the prompt alone."""

    def __init__(self, guest: Guest, prompt: Prompt) -> None:
        super().__init__(0, {}, prompt)
        self._guest = guest

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return await self._guest.detail(choice, fields)


def detail_of(guest: Guest, choice: str, fields: Mapping[str, object]) -> say.DetailRequest:
    """Return the request for the next field of a choice."""
    prompt = guest.prompt or {}
    return say.DetailRequest(id=guest.number(), prompt=prompt.get("id", ""), choice=choice, fields=dict(fields))  # type: ignore[arg-type]  # the server says which are good


def intent_of(guest: Guest, reply: Reply) -> say.Intent:
    """Return the intent of a reply."""
    prompt = guest.prompt or {}
    fields: Any = reply.fields
    return say.Intent(id=secrets.token_bytes(16), prompt=prompt.get("id", ""), choice=reply.choice, fields=fields)
