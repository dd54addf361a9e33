"""Handing of links to the window that is open already: a lock file says that there is one, a local socket takes them.

The socket is on loopback; whoever gives a link says first the word that stands in a file of this user alone.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import BinaryIO, Final

import msgspec

from client.storage.atomic_write import write_atomically
from client.storage.file_lock import lock
from protocol.game_links import GameLink, read_link

MOST_BYTES: Final = 512
SECONDS: Final = 1.0
TAKEN: Final = b"taken\n"


class _Place(msgspec.Struct, frozen=True):
    """Place where the window takes links: the port of its socket, and the word that opens it."""

    port: int
    word: str


def _files(folder: Path, profile: str) -> tuple[Path, Path]:
    """Return the lock file, and the file that has the place: on Windows nobody reads what another has locked."""
    return folder / f"window-{profile}.lock", folder / f"window-{profile}.json"


class LinkDoor:
    """The door of a profile's window for links. `wake` is called from another thread when one has come."""

    def __init__(self, folder: Path, profile: str, wake: Callable[[], object]) -> None:
        self._lock_file, self._place_file = _files(folder, profile)
        self._wake = wake
        self._links: SimpleQueue[GameLink] = SimpleQueue()
        self._held: BinaryIO | None = None
        self._socket: socket.socket | None = None
        self._word = secrets.token_hex(16)

    def open(self) -> bool:
        """Take links from now on; return False where another window of this profile does. Raises OSError."""
        self._lock_file.parent.mkdir(parents=True, exist_ok=True)
        held = self._lock_file.open("wb")
        try:
            lock(held, wait=False)
        except OSError:
            held.close()
            return False
        self._held = held
        self._socket = listening = socket.create_server(("127.0.0.1", 0))
        place = _Place(listening.getsockname()[1], self._word)
        write_atomically(self._place_file, msgspec.json.encode(place))
        threading.Thread(target=self._listen, args=(listening,), name="links", daemon=True).start()
        return True

    def newest(self) -> GameLink | None:
        """Return the link that came last since the last call, None where none did."""
        found = None
        with suppress(Empty):
            while True:
                found = self._links.get_nowait()
        return found

    def close(self) -> None:
        """Take no more links."""
        if self._socket is not None:
            self._place_file.unlink(missing_ok=True)
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
        if self._held is not None:
            self._held.close()
        self._socket = self._held = None

    def _listen(self, listening: socket.socket) -> None:
        """Take one connection after another until the socket is closed."""
        while True:
            try:
                visitor, _ = listening.accept()
            except OSError:
                return
            with visitor, suppress(OSError):
                visitor.settimeout(SECONDS)
                self._take(visitor)

    def _take(self, visitor: socket.socket) -> None:
        word, _, words = _line(visitor).partition(b" ")
        link = read_link(words.decode("ascii", "replace"))
        if hmac.compare_digest(word, self._word.encode()) and link is not None:
            self._links.put(link)
            self._wake()
            visitor.sendall(TAKEN)


def hand_over(folder: Path, profile: str, link: GameLink) -> bool:
    """Give a link to the profile's open window; return False where none takes it."""
    try:
        place = msgspec.json.decode(_files(folder, profile)[1].read_bytes(), type=_Place)
        with socket.create_connection(("127.0.0.1", place.port), timeout=SECONDS) as window:
            window.sendall(f"{place.word} {link.words}\n".encode())
            return _line(window) == TAKEN.rstrip()
    except (OSError, OverflowError, msgspec.MsgspecError):
        return False


def _line(peer: socket.socket) -> bytes:
    """Return the first line that a peer says, of MOST_BYTES at most. Raises OSError."""
    data = b""
    while b"\n" not in data and len(data) < MOST_BYTES:
        part = peer.recv(MOST_BYTES - len(data))
        if not part:
            break
        data += part
    return data.partition(b"\n")[0]
