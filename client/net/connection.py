"""Connection to a server: a thread of its own carries frames between it and the window's thread.

It knows nothing of what the frames say. It connects again by itself, sooner at first and later after repeated failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Protocol

import websockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import CloseCode

from client.net.address import Address
from client.net.unreached import why_unreached
from client.text.phrases import phrase
from protocol.limits import Limits
from protocol.version import SUBPROTOCOL

FIRST_WAIT = 0.2
LONGEST_WAIT = 5.0
MOST_WAITING = 64  # frames that the window has not taken yet; a server that sends on is read no further
LOOK_SECONDS = 0.02
SPEAKING_WITHIN = 10.0
STEADY_AFTER = 5.0  # a connection that lasted this long was a good one: the next attempt comes soon


@dataclass(frozen=True)
class Up:
    """News of a connection that stands; frames given from now on travel on it."""


@dataclass(frozen=True)
class Frame:
    """News of one message from the server."""

    data: bytes


@dataclass(frozen=True)
class Down:
    """News of a connection that is gone, or could not be made, for this reason; another will be tried.

    `code`: the WebSocket close code, 0 where there was no connection.
    """

    why: str
    code: int


News = Up | Frame | Down


class Transport(Protocol):
    """Carrier of frames, as a session needs it."""

    def start(self) -> None: ...

    def send(self, data: bytes) -> None: ...

    def news(self) -> list[News]: ...

    def close(self) -> None: ...


class ReconnectingSocket:
    """Connection that begins with `start` and ends with `close`; between them `send` and `news` may be called from the
    window's thread. `wake` is called from its own thread when there is news."""

    def __init__(self, address: Address, wake: Callable[[], object] = lambda: None) -> None:
        self.address = address
        self._wake = wake
        self._news: SimpleQueue[News] = SimpleQueue()
        self._outbox: asyncio.Queue[tuple[int, bytes]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._main: asyncio.Task[None] | None = None
        self._ready = threading.Event()
        self._number = 0
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)

    def start(self) -> None:
        """Begin to connect; returns at once."""
        self._thread.start()
        self._ready.wait()

    def news(self) -> list[News]:
        """Return the news since the last call, in order."""
        found: list[News] = []
        with contextlib.suppress(Empty):
            while len(found) < 1000:
                found.append(self._news.get_nowait())
        return found

    def send(self, data: bytes) -> None:
        """Send on the connection that stands now; if it breaks before, the frame is dropped."""
        loop, outbox = self._loop, self._outbox
        if loop is not None and outbox is not None and not loop.is_closed():
            number = self._number
            with contextlib.suppress(RuntimeError):  # the loop has just ended: nothing can be sent any more
                loop.call_soon_threadsafe(outbox.put_nowait, (number, data))

    def close(self) -> None:
        """End the connection (status 1001, going away) and the thread; waits at most 2 seconds for it."""
        loop, main = self._loop, self._main
        if loop is not None and main is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(main.cancel)
        if self._thread.is_alive():
            self._thread.join(2)

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._keep_connected())

    async def _keep_connected(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._outbox = asyncio.Queue()
        self._main = asyncio.current_task()
        self._ready.set()
        failures = 0
        while True:
            begun = self._loop.time()
            try:
                why, code = await self._one_connection()
            except Exception as fault:  # noqa: BLE001 - the thread goes on, or the window would wait for ever
                thread = threading.current_thread()
                threading.excepthook(threading.ExceptHookArgs((type(fault), fault, fault.__traceback__, thread)))
                why, code = phrase("link.fault"), 0
            failures = 0 if self._loop.time() - begun > STEADY_AFTER else failures + 1
            wait = min(FIRST_WAIT * 2**failures, LONGEST_WAIT) * random.uniform(0.7, 1.0)
            self._tell(Down(why, code))
            await asyncio.sleep(wait)

    async def _one_connection(self) -> tuple[str, int]:
        """Connect and carry frames until it ends; return the reason and the close code."""
        secure = ssl.create_default_context() if self.address.secure else None
        try:
            async with connect(
                self.address.url,
                ssl=secure,
                subprotocols=[websockets.Subprotocol(SUBPROTOCOL)],
                max_size=Limits().message_bytes,
                open_timeout=SPEAKING_WITHIN,
                close_timeout=1,
                ping_interval=20,
                ping_timeout=20,
                compression=None,
                proxy=None,
            ) as socket:
                if socket.subprotocol != SUBPROTOCOL:
                    return phrase("link.other_server"), 0
                return await self._carry(socket)
        except (OSError, websockets.InvalidHandshake) as error:
            return why_unreached(error), 0

    async def _carry(self, socket: ClientConnection) -> tuple[str, int]:
        self._number += 1
        self._tell(Up())
        # the one task of a connection, which ends with it
        sender = asyncio.create_task(self._send_all(socket, self._number))  # noqa: TID251
        try:
            async for data in socket:
                if isinstance(data, bytes):
                    self._tell(Frame(data))
                while self._news.qsize() >= MOST_WAITING:  # noqa: ASYNC110 - the thread that takes sets no event
                    await asyncio.sleep(LOOK_SECONDS)
        except websockets.ConnectionClosed:
            pass  # how it ended is told below, from the close code
        except asyncio.CancelledError:
            # left to itself, the library would tell of an internal error
            await socket.close(CloseCode.GOING_AWAY)
            raise
        finally:
            sender.cancel()
        return socket.close_reason or phrase("link.lost"), socket.close_code or CloseCode.ABNORMAL_CLOSURE

    def _tell(self, news: News) -> None:
        self._news.put(news)
        self._wake()

    async def _send_all(self, socket: ClientConnection, number: int) -> None:
        assert self._outbox is not None
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                meant_for, data = await self._outbox.get()
                if meant_for == number:  # what was meant for an earlier connection is said anew by the conversation
                    await socket.send(data)
