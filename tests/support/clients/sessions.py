"""A client's session with a test in the place of the server, without a link; sent messages are kept in `said`."""

from __future__ import annotations

from pathlib import Path

import arcade
from msgspec.structs import replace

from client.app.navigator import Navigator
from client.model.session import ClientSession
from client.net.address import Address
from client.net.connection import Down, Frame, News, Up
from client.storage.profile import UserProfile
from protocol.fairness.contributor import ChainStore
from protocol.limits import Limits
from protocol.scene.fields import AnyField
from protocol.wire.codec import decode_request, encode
from protocol.wire.from_client import DetailRequest, FromClient, Intent
from protocol.wire.from_server import Detail, FromServer
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes

ADDRESS = Address("127.0.0.1", 8440, secure=False)


class Wire:
    """A link whose far end is the test."""

    def __init__(self, address: Address) -> None:
        self.sent: list[bytes] = []
        self.waiting: list[News] = [Up()]

    def start(self) -> None:
        """Do nothing."""

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def news(self) -> list[News]:
        found, self.waiting = self.waiting, []
        return found

    def close(self) -> None:
        """Do nothing."""


class Table:
    """A window at a table, and the server's side of the conversation in the test's hands. `chains`, `receipts`: as of
    a Session."""

    def __init__(
        self,
        app: ReadableApp,
        folder: Path,
        frames: list[bytes],
        chains: ChainStore | None = None,
        receipts: Path | None = None,
    ) -> None:
        self.app = app
        self.profile = UserProfile("Bertram")
        self.navigator = Navigator(app, self.profile, "test", folder)
        self.time = 100.0
        self.session = ClientSession(
            ADDRESS,
            self.profile,
            self.navigator.keep,
            lambda: self.time,
            Wire,
            receipts=receipts,
            chains=chains,
            read_again=self.navigator.read_again,
            sounds=app.sounds,
        )
        self.session.sounds.call = app.call_person
        self.navigator.session = self.session
        self.said: list[FromClient] = []
        self.hear(*frames)

    @property
    def wire(self) -> Wire:
        """The present link."""
        assert isinstance(self.session.link, Wire)
        return self.session.link

    def hear(self, *frames: bytes) -> None:
        """Hand the session a message of the server."""
        self.wire.waiting += [Frame(frame) for frame in frames]
        self.settle()

    def settle(self) -> None:
        """Run one turn of the window's loop and return the messages sent in it."""
        self.app.step(0.02)
        self.said += [decode_request(data, Limits()) for data in self.wire.sent]
        self.wire.sent.clear()

    def break_and_mend(self) -> None:
        """Break the link and connect again."""
        self.wire.waiting += [Down("gone", 1006), Up()]
        self.settle()

    def say(self, *messages: FromServer) -> None:
        self.hear(*(encode(message) for message in messages))

    def last(self, kind: type[FromClient]) -> FromClient:
        """Return the newest message of a kind."""
        self.settle()
        return next(message for message in reversed(self.said) if isinstance(message, kind))

    def intent(self) -> Intent:
        """Return the newest intent."""
        message = self.last(Intent)
        assert isinstance(message, Intent)
        return message

    def answer_detail(self, field: AnyField) -> DetailRequest:
        """Answer the newest request for a field's options."""
        message = self.last(DetailRequest)
        assert isinstance(message, DetailRequest)
        self.say(Detail(message.id, field))
        return message

    def pixel(self, place: tuple[float, float]) -> tuple[int, int, int]:
        """Return the colour drawn at a place of the window."""
        self.app.switch_to()
        self.app.on_draw()
        image = arcade.get_image(round(place[0]), round(place[1]), 1, 1).convert("RGB")
        red, green, blue = image.tobytes()
        return red, green, blue


def at_table(app: ReadableApp, folder: Path, seat: int = 1, *, finished: bool = False) -> Table:
    """Return a window at the fixture's table, in a seat."""
    return Table(app, folder, scenes.table_frames(seat, finished=finished))


def show_setup(table: Table, **changes: object) -> None:
    """Show a table of the window's player that has not begun, with these fields changed."""
    view = replace(scenes.table_view(1, "open"), owner=table.session.conversation.you)
    table.say(replace(view, **changes))
