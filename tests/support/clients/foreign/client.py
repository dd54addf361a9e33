"""A client in nobody's library: written from docs/protocol.md alone, it imports nothing of this program."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.support.clients.foreign.dice import ForeignDice, joined, u64
from tests.support.clients.foreign.scene import Scene, canonical

SUBPROTOCOL: Final = Subprotocol("eschaton.v1+msgpack")
VERSION: Final = 3
MOST_BYTES: Final = 1024 * 1024

Message = dict[str, Any]


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the key's Ed25519 signature of the message."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def receipts_root(receipt: bytes, place: int, path: bytes) -> bytes:
    """The root that a receipt leads to (page, "Receipts")."""
    found = sha256(receipt).digest()
    for start in range(0, len(path), 32):
        other = path[start : start + 32]
        pair = (other, found) if place & 1 else (found, other)
        found = sha256(joined(b"eschaton/dice-v1/node", *pair)).digest()
        place //= 2
    assert place == 0
    return found


def receipt_of(match: str, seat: int, intent: Message, ack: Message) -> bytes:
    """The receipt that an ack proves."""
    said = sha256(canonical([intent["choice"], intent.get("fields", {})])).digest()
    question, version = ack.get("question", -1) + 1, ack.get("version", 0)
    numbers = u64(question), u64(version), ack.get("head", b"")
    return joined(b"eschaton/sign-v2/receipt", match.encode(), u64(seat), intent["id"], said, *numbers)


class Foreign:
    """One connection, and what it has been told. `adds`: it takes part in the dice; `draw` gives random bytes."""

    def __init__(
        self, url: str, name: str, *, adds: bool = False, draw: Callable[[int], bytes] = os.urandom, token: str = ""
    ) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.adds = adds
        self.welcome: Message = {}
        self.table: Message = {}
        self.lobby: Message = {}
        self.entries: dict[str, str] = {}
        self.forms: dict[int, Any] = {}
        self.hashes: list[str] = []
        self.scene = Scene(self.forms)
        self.dice: ForeignDice | None = None
        self.heard: list[Message] = []
        self.frames: list[tuple[str, bytes]] = []
        self.receipts: list[bytes] = []
        self.drifts: list[str] = []
        self.done: list[str] = []
        """The choices that were acknowledged."""
        self.files: dict[str, bytes] = {}
        self.closed: tuple[int, str] | None = None
        self._intents: dict[bytes, Message] = {}
        self._asked = 0
        self._asks_facts = False
        self._draw = draw
        self._changed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def connect(self, **resume: Any) -> None:
        """Greet, and wait until the list of tables has come. `resume`: where this program was before."""
        self._socket = await connect(self.url, subprotocols=[SUBPROTOCOL], max_size=MOST_BYTES, compression=None)
        assert self._socket.subprotocol == SUBPROTOCOL
        self.closed, self.lobby, self.welcome, self._asks_facts = None, {}, {}, False
        self._reader = asyncio.create_task(self._read(self._socket))
        known: Message = {"token": self.token} if self.token else {}
        if resume:
            known["resume"] = resume
        if self.hashes:
            known["catalogues"] = self.hashes
        await self.say("hello", version=VERSION, name=self.name, **({"adds": True} if self.adds else {}), **known)
        await self.until(lambda: bool(self.lobby))

    async def say(self, t: str, **fields: Any) -> None:
        """Send one message."""
        assert self._socket is not None
        data: bytes = msgpack.packb({"t": t, **fields})
        self.frames.append((">", data))
        with suppress(ConnectionClosed):
            await self._socket.send(data)

    async def until(self, condition: Callable[[], bool], seconds: float = 120.0) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(seconds):
            while not condition():
                assert self.closed is None, self.closed
                self._changed.clear()
                await self._changed.wait()

    async def hear(self, fits: Callable[[Message], bool]) -> Message:
        """The next message of this sort, and forget it."""
        await self.until(lambda: any(map(fits, self.heard)))
        found = next(filter(fits, self.heard))
        self.heard.remove(found)
        return found

    async def act(self, choice: str, fields: Message, prompt: str | None = None) -> str:
        """Make a choice of the prompt, and have its receipt checked; returns the code of a refusal."""
        shown = self.prompt.get("id", "") if prompt is None else prompt
        intent: Message = {"id": self._draw(16), "prompt": shown, "choice": choice}
        if fields:
            intent["fields"] = fields
        self._intents[intent["id"]] = intent
        await self.say("intent", **intent)
        answer = await self.hear(lambda message: message["t"] in ("ack", "reject") and message["id"] == intent["id"])
        return str(answer.get("code", ""))

    async def detail(self, choice: str, fields: Message) -> Message:
        """The next field of a choice, or {} where there is none."""
        self._asked += 1
        number = self._asked
        prompt = self.prompt.get("id", "")
        await self.say("detail", id=number, prompt=prompt, choice=choice, **({"fields": fields} if fields else {}))
        answer = await self.hear(lambda message: message["t"] == "detail" and message["id"] == number)
        found: Message = answer.get("field", {})
        return found

    async def ping(self, number: int) -> None:
        """Wait until all that was said so far has been taken."""
        await self.say("ping", n=number)
        await self.hear(lambda message: message["t"] == "pong" and message["n"] == number)

    @property
    def prompt(self) -> Message:
        """What may be done now; {} for nothing."""
        found: Message = self.scene.nodes.get("prompt", {})
        return found

    @property
    def seat(self) -> int:
        """The seat of this program, -1 for none."""
        return int(self.table.get("seat", -1))

    async def close(self) -> None:
        """Go away."""
        if self._socket is not None:
            await self._socket.close(1001)
        if self._reader is not None:
            await self._reader

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in socket:
                assert isinstance(frame, bytes)
                self.frames.append(("<", frame))
                await self._take(msgpack.unpackb(frame))
                self._changed.set()
        self.closed = socket.close_code or 0, socket.close_reason or ""
        self._changed.set()

    async def _take(self, message: Message) -> None:
        match message["t"]:
            case "welcome" if not self.welcome:
                self.welcome, self.token = message, message["token"]
                await self.say("kept")
            case "catalogue":
                self.hashes.append(message["hash"])
                self.entries |= message["entries"]
                self.forms |= dict(message.get("forms", []))
            case "lobby":
                self.lobby = message
            case "table":
                if message["id"] != self.table.get("id"):
                    self.scene, self.dice, self._asks_facts = Scene(self.forms), None, False
                self.table = message
                await self._follow_dice()
            case "clocks" if message["table"] == self.table.get("id"):
                shown = {key: message[key] for key in ("clocks", "watching") if key in message}
                self.table = {k: v for k, v in self.table.items() if k not in ("clocks", "watching")} | shown
            case "snapshot" | "delta":
                why = self.scene.take(message)
                if why:
                    self.drifts.append(why)
                    await self.say("resync", part=message.get("part", "public"), why=why)
            case "ack":
                self._keep_receipt(message)
            case "file":
                self.files[message["name"]] = self.files.get(message["name"], b"") + message["data"]
            case "proof" | "entropy_wanted" if self.dice is not None:
                for answer in self.dice.hear(message):
                    await self.say(**answer)
        if message["t"] not in ("snapshot", "delta", "clocks", "lobby"):
            self.heard.append(message)

    async def _follow_dice(self) -> None:
        if not self.adds or self._asks_facts or self.table["state"] != "live":
            return
        self._asks_facts = True
        if self.dice is None:
            self.dice = ForeignDice(self.table["id"], self.welcome["key"], self.seat, self._draw, is_signed)
        after = self.dice.connected()
        await self.say("get_proof", table=self.table["id"], **({"after": after} if after else {}))

    def _keep_receipt(self, ack: Message) -> None:
        receipt = receipt_of(self.table["id"], self.seat, self._intents[ack["id"]], ack)
        root = receipts_root(receipt, ack.get("place", 0), ack.get("path", b""))
        signed = joined(b"eschaton/sign-v1/receipts", root)
        assert is_signed(self.welcome["key"], signed, ack["signature"]), ack
        self.receipts.append(receipt)
