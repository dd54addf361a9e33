"""A program in plain text with a test in the place of its server and of its person: no process, no link, no thread."""

from __future__ import annotations

from collections.abc import Iterable

from client.model.arrival_plan import ArrivalPlan
from client.model.session import ClientSession
from client.net.connection import Frame
from client.plain.commands.company import CompanyCommands
from client.plain.commands.lobby import LobbyCommands
from client.plain.commands.setup import SetupCommands
from client.plain.commands.table import TableCommands
from client.plain.commands.whereabouts import Whereabouts
from client.plain.consoles import InputEnded, Put, Typed
from client.plain.inbox import Heard, Inbox
from client.plain.program import PlainProgram
from client.storage.profile import UserProfile
from protocol.limits import Limits
from protocol.wire.codec import decode_request, encode
from protocol.wire.from_client import FromClient, Ping
from protocol.wire.from_server import FromServer, Pong
from tests.support.clients.sessions import ADDRESS, Wire
from tests.support.examples import scenes


class ScriptedConsole:
    """Console whose lines a test gives. `heard`: all that was said."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.is_typing = False
        self.waiting: list[str] = []
        self._put: Put = lambda news: None

    def start(self, put: Put) -> None:
        self._put = put

    def ask(self) -> None:
        """Give the next line, or the end after the last one."""
        self._put(Typed(self.waiting.pop(0)) if self.waiting else InputEnded())

    def say(self, words: str) -> None:
        self.heard.append(words)

    def close(self) -> None:
        """Do nothing."""


class AnsweringWire(Wire):
    """Link whose far end answers at once what a program waits for: that all has been heard, and what a test has
    prepared. `said`: what came there."""

    def send(self, data: bytes) -> None:
        super().send(data)
        message = decode_request(data, Limits())
        if isinstance(message, Ping):
            self.waiting.append(Frame(encode(Pong(message.n))))


class PromptInbox(Inbox):
    """Inbox for which nobody waits: what has not come yet comes with a later look, or never."""

    def take(self, seconds: float) -> Heard:
        return super().take(0)


class PlainTable:
    """Program at the table of the examples, in seat 1."""

    def __init__(self, frames: Iterable[bytes] | None = None) -> None:
        self.time = 100.0
        self.profile = UserProfile("Bertram")
        self.console = ScriptedConsole()
        self.session = ClientSession(ADDRESS, self.profile, lambda: True, self._clock, AnsweringWire)
        self.program = PlainProgram(self.session, self.console, PromptInbox())
        lobby, setup = LobbyCommands(self.program), SetupCommands(self.program)
        parts = (lobby, setup, TableCommands(self.program), CompanyCommands(self.program))
        self.program.give(command for part in parts for command in part.commands())
        self.whereabouts = Whereabouts(self.program, lobby, setup, ArrivalPlan())
        self.program.after_news = self.whereabouts.sync
        for frame in scenes.table_frames(1) if frames is None else frames:
            self.wire.waiting.append(Frame(frame))
        self.said: list[FromClient] = []

    def _clock(self) -> float:
        """Let a little time pass with each look at the clock, so that nothing is waited for in earnest."""
        self.time += 0.05
        return self.time

    @property
    def wire(self) -> AnsweringWire:
        """The link."""
        assert isinstance(self.session.link, AnsweringWire)
        return self.session.link

    def hear(self, *messages: FromServer) -> None:
        """Let the server say something, soon."""
        self.wire.waiting += [Frame(encode(message)) for message in messages]

    def write(self, *lines: str) -> list[str]:
        """Type lines one after another, and return all that is said meanwhile."""
        before = len(self.console.heard)
        self.console.waiting += lines
        self.program.is_over = False
        self.program.run(lambda: True)
        self.said += [decode_request(data, Limits()) for data in self.wire.sent]
        self.wire.sent.clear()
        return self.console.heard[before:]

    def last(self, kind: type[FromClient]) -> FromClient:
        """Return the newest message of a kind that was sent."""
        return next(message for message in reversed(self.said) if isinstance(message, kind))
