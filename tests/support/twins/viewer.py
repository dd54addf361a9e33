"""A connection to a server in the same process: the real conversations of both sides, and no socket between them."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from protocol.fairness.contributor import MemoryChains
from protocol.fairness.fact_stream import FactStream
from protocol.fairness.proof_client import ProofClient
from protocol.scene.nodes import Prompt, Reply
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_client import DetailRequest, Intent, Message, Propose, Survey
from protocol.wire.from_server import Ack, Detail, FromServer, OfferView, Proposed, Reject, Surveyed
from protocol.wire.server_conversation import ServerConversation
from server.lobby.sessions import Session
from server.runtime.tasks import stop

if TYPE_CHECKING:
    from server.app import Server


class Frame(msgspec.Struct, frozen=True):
    """One message as it was sent: the time at which the server queued it (seconds of its clock), and its bytes."""

    at: float
    data: bytes


class Viewer:
    """A connected client. `frames` are all that it was ever sent, `closed` the end of the connection."""

    latency = 0.02

    def __init__(self, server: Server, name: str, entropy: bytes = b"") -> None:
        self.name = name
        self.talk = ClientConversation(name, None, adds=bool(entropy))
        drawn = count()
        self._proof = (
            ProofClient(self.talk, FactStream, MemoryChains(), lambda: sha256(entropy + bytes([next(drawn)])).digest())
            if entropy
            else None
        )
        self.frames: list[Frame] = []
        self.closed: tuple[int, str] | None = None
        self.answers: dict[bytes, Ack | Reject] = {}
        self.details: dict[int, Detail] = {}
        self.answered = asyncio.Event()
        """Set while no survey or proposal is being answered."""
        self.answered.set()
        self.offers: list[OfferView] = []
        """Those that are open, and seen, the newest first."""
        self._server = server
        self._pump: asyncio.Task[None] | None = None
        self.session = self._connect()

    def _connect(self) -> Session:
        server = self._server
        limits, clock, metrics = server.limits, server.clock, server.metrics
        conversation = ServerConversation(limits, clock.now(), metrics.rejects.add)
        session = Session(conversation, self, clock, metrics, limits.behind_seconds, "127.0.0.1", server.tasks)
        self._pump = asyncio.create_task(session.pump())
        self.talk.connected()
        if self._proof is not None:
            self._proof.link_up()
        return session

    # The server's side of the connection (server.lobby.sessions.Socket)

    def send_now(self, parts: tuple[bytes, ...]) -> bool:
        for data in parts:
            self._take(data)
        return True

    async def send(self, data: bytes) -> None:
        self._take(data)

    async def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)

    def _take(self, data: bytes) -> None:
        self.frames.append(Frame(self._server.clock.now(), data))
        for message in self.talk.receive(data):
            self._note(message)
            if self._proof is not None:
                self._proof.hear(message)
        if self.talk.ended is not None:
            self.answered.set()  # it hears nothing more

    def _note(self, message: FromServer) -> None:
        if isinstance(message, (Ack, Reject)):
            self.answers[message.id] = message
        elif isinstance(message, Detail):
            self.details[message.id] = message
        elif isinstance(message, Surveyed | Proposed):
            if not message.more:
                self.answered.set()
        elif isinstance(message, OfferView):
            self.offers = [offer for offer in self.offers if offer.id != message.id]
            if message.state == "open":
                self.offers.insert(0, message)

    # What they say

    def say(self, message: Message, *, live: bool) -> None:
        """Send a message; `live`: at the prompt that is shown now, whichever the message names."""
        if live and isinstance(message, Intent):
            self.talk.intend(Reply(message.choice, dict(message.fields)), message.id)
        elif live and isinstance(message, DetailRequest | Survey | Propose):
            if not isinstance(message, DetailRequest) and self.talk.ended is None:
                self.answered.clear()
            self.talk.say(msgspec.structs.replace(message, prompt="" if self.prompt is None else self.prompt.id))
        else:
            self.talk.say(message)

    async def flush(self) -> bool:
        """Hand the server all pending messages, as its gateway does; return True if there were any."""
        frames = self.talk.outgoing()
        for frame in frames:
            await self.hear(frame)
        return bool(frames)

    async def hear(self, frame: bytes) -> None:
        """Hand the server these bytes."""
        session = self.session
        heard = session.conversation.receive(frame, self._server.clock.now())
        for message in heard:
            await self._server._router.handle(session, message)
        if not heard:
            session.wake()

    async def come_back(self) -> None:
        """Lose the connection, and make another one that goes on where it was."""
        await self.leave()
        self.session = self._connect()

    def go_to(self, server: Server) -> None:
        """Make a connection to another server, and go on where it was."""
        self._server = server
        self.session = self._connect()

    async def leave(self) -> None:
        """Lose the connection."""
        if self._pump is not None:
            await stop([self._pump])
            self._pump = None
            self.session.close()
            self._server._router.session_ended(self.session)

    @property
    def prompt(self) -> Prompt | None:
        """The present prompt."""
        return self.talk.scene.prompt if self.talk.scene is not None else None

    @property
    def table(self) -> Any:
        """The table as last received."""
        return self.talk.table
