"""Inbox of the program: what wakes it from other threads."""

from __future__ import annotations

from queue import Empty, SimpleQueue

from client.plain.consoles import InputEnded, Typed

Heard = Typed | InputEnded | None
"""A line, the end of all lines, or (None) something that the link has brought."""


class Inbox:
    """Queue of lines and news that wait to be dealt with, in the order in which they came."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Heard] = SimpleQueue()

    def put(self, news: Heard) -> None:
        """Put in what has come. May be called from any thread."""
        self._queue.put(news)

    def wake(self) -> None:
        """Say that the link has brought something. May be called from any thread."""
        self._queue.put(None)

    def take(self, seconds: float) -> Heard:
        """Return what came first; None where the link has brought something, or nothing comes within so many
        seconds."""
        try:
            return self._queue.get(timeout=seconds) if seconds > 0 else self._queue.get_nowait()
        except Empty:
            return None
