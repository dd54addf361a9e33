"""The client's window on a real display, where nothing happens.

`python -m tests.support.clients.windows.quiet_window DIR S` prints two lines of JSON: the frames drawn and the CPU
seconds used in S seconds without a change, and the frames drawn after the mouse has been brought over a button.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pyglet

from client.app.main import run
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes

SETTLED_AFTER = 0.8
"""Seconds for the window to open and to draw its first frames."""


class QuietWindow:
    """A window at a table of a test's, with what it used in the quiet seconds."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.table = Table(ReadableApp((1280, 800)), folder, scenes.table_frames())
        self.app = self.table.app
        self.seconds = seconds
        self.frames, self.cpu = 0, 0.0
        pyglet.clock.schedule_once(self._begin, SETTLED_AFTER)

    def _begin(self, dt: float) -> None:
        self.frames, self.cpu = self.app.frames, time.process_time()
        pyglet.clock.schedule_once(self._end, self.seconds)

    def _end(self, dt: float) -> None:
        self._print(before=self.frames, drawn=self.app.frames - self.frames, cpu=time.process_time() - self.cpu)
        self.frames = self.app.frames
        x, y = self.app.find("Move a group")
        self.app.dispatch_event("on_mouse_motion", round(x), round(y), 1, 1)
        pyglet.clock.schedule_once(self._tell_hover, 0.2)

    def _tell_hover(self, dt: float) -> None:
        self._print(drawn=self.app.frames - self.frames)
        self.app.close()

    def _print(self, **found: float) -> None:
        print(json.dumps(found), flush=True)


def main() -> None:
    window = QuietWindow(Path(sys.argv[1]), float(sys.argv[2]))
    sys.exit(run(window.app))


if __name__ == "__main__":
    main()
