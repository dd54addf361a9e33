"""Window of the toolkit that draws a frame only when its picture has changed, and looks about seldom while it rests.

The toolkit's loop sleeps until an event comes or the next turn is due. While something changes there is a turn each
sixtieth of a second; a short while later ten a second are enough, since input and news from a server wake the loop.
"""

from __future__ import annotations

import threading
from typing import Final

import arcade
import pyglet

TURN_SECONDS: Final = 1 / 60
FRAME_SECONDS: Final = 1 / 30
RESTING_SECONDS: Final = 0.1
RESTS_AFTER: Final = 0.3
"""Seconds without a change, after which the window rests."""


class FrameWindow(arcade.Window):
    """Base window. A subclass calls `wake` when something may have changed, and `want_frame` when its picture has: at
    the latest in `look`, which is called before each frame.

    `frames` counts the frames drawn by the loop.
    """

    # on the class, since the toolkit dispatches events before `__init__` has run
    frames: int = 0
    is_stale: bool = True
    quiet: float = 0.0
    is_resting: bool = False
    is_hidden: bool = False
    """True while the system shows nothing of the window."""
    is_front: bool = False
    """True while keys go to the window."""

    def __init__(self, size: tuple[int, int], title: str, *, visible: bool) -> None:
        super().__init__(
            *size,
            title,
            resizable=True,
            visible=visible,
            antialiasing=False,
            update_rate=TURN_SECONDS,
            draw_rate=FRAME_SECONDS,
            fixed_rate=1.0,
            enable_polling=False,
        )
        self._called = threading.Event()

    def want_frame(self) -> None:
        """Draw a frame at the next turn, whatever has changed."""
        self.is_stale = True
        self.wake()

    def wake(self) -> None:
        """Take short turns from now on, since something has changed."""
        self.quiet = 0.0
        if self.is_resting:
            self.is_resting = False
            self.set_update_rate(TURN_SECONDS)

    def call(self) -> None:
        """Wake the window from another thread."""
        if not self.headless and not self._called.is_set():
            self._called.set()
            pyglet.app.platform_event_loop.post_event(self, "on_call")

    def on_call(self) -> None:
        self._called.clear()
        self.wake()

    def on_update(self, delta_time: float) -> None:
        self.quiet += delta_time
        if self.quiet > RESTS_AFTER and not self.is_resting and not self.is_stale:
            self.is_resting = True
            self.set_update_rate(RESTING_SECONDS)

    def look(self) -> None:
        """Describe the picture, and call `want_frame` if it is no longer the one of the last frame."""
        raise NotImplementedError

    def draw(self, dt: float) -> None:
        self.look()
        if self.is_stale:
            self.is_stale = False
            self.frames += 1
            super().draw(dt)

    # The system has lost what was drawn, or has another size for it.

    def on_expose(self) -> None:
        self.want_frame()

    def on_show(self) -> None:
        self.is_hidden = False
        self.want_frame()

    def on_hide(self) -> None:
        self.is_hidden = True

    def on_activate(self) -> None:
        self.is_front = True
        self.want_frame()

    def on_deactivate(self) -> None:
        self.is_front = False

    def on_scale(self, scale: float, dpi: int) -> None:
        self.want_frame()

    def on_resize(self, width: int, height: int) -> None:
        super().on_resize(width, height)
        self.want_frame()


FrameWindow.register_event_type("on_call")
