"""A person at a window of their own, who does everything by mouse alone, or by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Literal

from arcade import key as keys

from client.app.navigator import Navigator
from client.model.session import ClientSession
from client.net.address import Address
from client.storage.profile import UserProfile
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.limits import Limits
from protocol.wire.client_message import Message
from protocol.wire.codec import decode_request
from protocol.wire.from_server import TableView
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

Way = Literal["mouse", "keys"]
MOST_PAGES: Final = 4
"""That are open over one another."""
SIZE: Final = (1280, 800)


class Visitor:
    """Window of one person. `said`: the kinds of messages that it has sent; `notices`: what it has told the person."""

    def __init__(self, name: str, folder: Path, size: tuple[int, int] = SIZE) -> None:
        self.name = name
        self.way: Way = "mouse"
        self.said: set[type[Message]] = set()
        self.copied: list[str] = []
        self.notices: list[str] = []
        self._noted: ClientSession | None = None
        self.app = ReadableApp(size, visible=False)
        self.app.copy = self._copy  # type: ignore[method-assign]  # a hidden window has no clipboard
        self.hand = Hand(self.app)
        self.navigator = Navigator(self.app, UserProfile(name), name.lower(), folder)
        self.app.before_tick.append(self._note)

    def come(self, port: int) -> None:
        """Connect to a server on this computer."""
        self.navigator.connect(Address("127.0.0.1", port, secure=False))

    def _note(self, _: float) -> bool:
        """Note the session's notice; let what it sends from now on be noted, once for each session."""
        session = self.navigator.session
        if session is not None and session.notice and session.notice not in self.notices[-1:]:
            self.notices.append(session.notice)
        if session is not None and session is not self._noted:
            self._noted = session
            session.conversation.outgoing = partial(self._sent, session.conversation.outgoing)  # type: ignore[method-assign]  # heard beside
        return False

    def _sent(self, outgoing: Callable[[], list[bytes]]) -> list[bytes]:
        frames = outgoing()
        self.said |= {type(decode_request(frame, Limits())) for frame in frames}
        return frames

    def _copy(self, text: str) -> bool:
        self.copied.append(text)
        return True

    # What they see

    @property
    def session(self) -> ClientSession:
        """The session at the present server."""
        assert self.navigator.session is not None
        return self.navigator.session

    @property
    def is_in_lobby(self) -> bool:
        """True while the lobby is shown."""
        return isinstance(self.app.front, LobbyScreen)

    @property
    def table(self) -> TableView | None:
        """The table where they are."""
        return self.navigator.session.conversation.table if self.navigator.session is not None else None

    @property
    def view(self) -> TableView:
        """The table where they are, which is one."""
        assert self.table is not None
        return self.table

    def sees(self, label: str) -> bool:
        """Return True where something of this label is to be seen, enabled or not."""
        return label in self.app.labels()

    def can(self, label: str) -> bool:
        """Return True where something of this label does something."""
        self.app.build()
        return any(spot.label == label and spot.can for spot in self.app.ui.front_spots)

    # What they do

    def take(self, label: str) -> None:
        """Click on what has this label, or go there by Tab and press Enter."""
        self._go_to(label)
        if self.way == "keys":
            self.hand.press(keys.ENTER)

    def write(self, label: str, words: str, *, enters: bool = True) -> None:
        """Write into the field of this label; `enters`: and press Enter."""
        self._go_to(label)
        self.hand.type(words)
        if enters:
            self.hand.press(keys.ENTER)

    def _go_to(self, label: str) -> None:
        if self.way == "mouse":
            self.hand.click_on(label)
            return
        self._let_keys_rest()
        self.app.build()
        labels = [spot.label for spot in self.app.ui.front_spots]
        is_near_the_end = label in labels and labels.index(label) > len(labels) / 2
        self.hand.tab_to(label, keys.MOD_SHIFT if is_near_the_end else 0)

    def _let_keys_rest(self) -> None:
        """Let the while pass in which no key counts after a field has gone in which one may still be writing."""
        self.app.build()
        self.app.step(self.app.key_dispatch.pause)

    def close_pages(self) -> None:
        """Press Escape until no page is open, and no field has the focus."""
        self._let_keys_rest()
        for _ in range(MOST_PAGES):
            if not self.app.ui.modal and self.app.ui.focus is None:
                return
            self.back()

    def back(self) -> None:
        """Press Escape."""
        self.hand.press(keys.ESCAPE)

    def close(self) -> None:
        """Close the window."""
        self.navigator.close()
        self.app.close()
