"""Painting of tables beside the window, which shows plain ground meanwhile: a large one takes a second."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from client.draw.board.terrain.picture import terrain_picture
from protocol.scene.nodes import Feature, Table


@dataclass
class GroundJob:
    """Table to be painted, its longer side of `most` pixels at most. `picture` is None until it is done;
    `is_wanted` may be taken back before."""

    table: Table
    features: tuple[Feature, ...]
    most: int
    picture: Image.Image | None = None
    is_wanted: bool = True


class GroundWorker:
    """Worker of a window, a thread while there is something to paint; the newest job goes first. `told` is called in
    that thread after each; `want_frame` asks the window for another frame, from the window's thread."""

    def __init__(
        self, told: Callable[[], object] = lambda: None, want_frame: Callable[[], object] = lambda: None
    ) -> None:
        self.want_frame = want_frame
        self._told = told
        self._lock = threading.Lock()
        self._waiting: list[GroundJob] = []
        self._thread: threading.Thread | None = None
        self._has_news = False

    def paint(self, table: Table, features: tuple[Feature, ...], most: int) -> GroundJob:
        """Begin to paint a table."""
        job = GroundJob(table, features, most)
        with self._lock:
            self._waiting.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="ground")
                self._thread.start()
        return job

    def take_news(self) -> bool:
        """Return True once after jobs have been done."""
        with self._lock:
            had, self._has_news = self._has_news, False
        return had

    def wait(self, seconds: float) -> None:
        """Wait until all is painted, for so many seconds at most."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        try:
            while (job := self._next()) is not None:
                job.picture = terrain_picture(job.table, job.features, job.most)
                with self._lock:
                    self._has_news = True
                self._told()
        except BaseException:
            # it is reported as each fault of a thread; what comes after it is painted by another one
            with self._lock:
                self._thread = None
            raise

    def _next(self) -> GroundJob | None:
        """Return the newest job that is wanted; without one the thread ends."""
        with self._lock:
            while self._waiting:
                job = self._waiting.pop()
                if job.is_wanted:
                    return job
            self._thread = None
            return None
