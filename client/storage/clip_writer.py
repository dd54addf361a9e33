"""Writing of a picture or clip beside the window, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Final, Literal

from client.storage.atomic_write import replacing
from client.storage.clip_files import FrameFile

WAITING: Final = 3
"""Frames that wait to be written, at most: of 1920 by 1080 pixels 6 MB each."""
LOOK: Final = 0.1
"""Seconds after which a thread that waits for a frame looks if it is given up."""
FOR_ALL: Final = 0o644
State = Literal["writing", "written", "cancelled", "refused"]


class _Cancelled(Exception):
    """The writing has been given up."""


class ClipWriter:
    """Writer of one file, under another name until it is whole. `make` opens that other file in the thread.

    `state` tells how it stands; of one that was `refused`, by the disk or by a program that helps, `why` tells it in
    the system's words. After `cancel` no file is left.
    """

    def __init__(self, path: Path, make: Callable[[Path], FrameFile]) -> None:
        self.path = path
        self.state: State = "writing"
        self.why = ""
        self._make = make
        self._frames: Queue[bytes | None] = Queue(WAITING)
        self._is_given_up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="clip")
        self._thread.start()

    def offer(self, frame: bytes | None, wait: float = 0.0) -> bool:
        """Give the next frame, None for the end; return False where there is no room for it within `wait` seconds."""
        try:
            self._frames.put(frame, block=wait > 0, timeout=wait or None)
        except Full:
            return False
        return True

    def cancel(self) -> None:
        """Give it up, and wait until the thread has ended."""
        self._is_given_up.set()
        self.wait()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the thread has ended, for so many seconds at most."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            with replacing(self.path) as fresh:
                self._write(fresh)
                fresh.chmod(FOR_ALL)
            self.state = "written"
        except _Cancelled:
            self.state = "cancelled"
        except OSError as error:
            self.why = error.strerror or str(error)
        finally:
            if self.state == "writing":
                self.state = "refused"

    def _write(self, fresh: Path) -> None:
        file = self._make(fresh)
        try:
            while (frame := self._next()) is not None:
                file.add(frame)
            file.finish()
        except BaseException:
            file.abandon()
            raise

    def _next(self) -> bytes | None:
        while not self._is_given_up.is_set():
            try:
                return self._frames.get(timeout=LOOK)
            except Empty:
                continue
        raise _Cancelled
