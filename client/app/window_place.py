"""Size, place and full screen of the window: fitting for its screen at first, then as the person left them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import pyglet
from msgspec.structs import replace

from client.storage.profile import WindowPlace
from client.ui.layout import Rect
from client.ui.table_layout import WHOLE

if TYPE_CHECKING:
    from client.app.frame_window import FrameWindow

LARGEST_FIRST: Final = (1920, 1200)
"""Pixels that the window opens with at most where nothing is remembered."""
SHARE: Final = (0.9, 0.86)
"""Of the screen's width and height, for a window that has not been opened before: bars and frame have the rest."""
IN_SIGHT: Final = (160, 80)
"""Pixels of a remembered window that must lie on a screen, so that it can be taken hold of."""
SETTLED_AFTER: Final = 0.2
"""Seconds until a new window has heard of its own size and place."""
MOST_FRAME: Final = 64
"""Pixels that the frame of a window manager may add to the left and on top."""


def opening_place(remembered: WindowPlace | None, screens: Sequence[Rect]) -> WindowPlace:
    """Return where to open the window. `screens`: the places of all screens, the main one first.

    What is remembered holds as far as it fits: no larger than its screen, and not where no screen is any more.
    """
    if remembered is None:
        main = screens[0]
        width, height = (
            min(max(int(side * share), least), most, int(side))
            for side, share, least, most in zip((main.w, main.h), SHARE, WHOLE, LARGEST_FIRST, strict=True)
        )
        return WindowPlace(width, height)
    screen = next((screen for screen in screens if _is_in_sight(remembered, screen)), None)
    room = screen or screens[0]
    fitting = replace(remembered, width=min(remembered.width, int(room.w)), height=min(remembered.height, int(room.h)))
    return fitting if screen is not None else replace(fitting, x=None, y=None)


def _is_in_sight(place: WindowPlace, screen: Rect) -> bool:
    if place.x is None or place.y is None:
        return False
    across = min(place.x + place.width, screen.right) - max(place.x, screen.x)
    down = min(place.y + place.height, screen.top) - max(place.y, screen.y)
    return across >= IN_SIGHT[0] and down >= IN_SIGHT[1]


def all_screens() -> list[Rect]:
    """Return the places of all screens, the main one first."""
    display = pyglet.display.get_display()
    main = display.get_default_screen()
    others = [screen for screen in display.get_screens() if screen != main]
    return [Rect(screen.x, screen.y, screen.width, screen.height) for screen in (main, *others)]


class Placing:
    """Place of an open window, followed by its events: asked of the system it could not be after the display is gone.

    `place.x` and `place.y` count from the upper left, without the frame of a window manager.
    """

    def __init__(self, window: FrameWindow, place: WindowPlace) -> None:
        self.window = window
        self.place = place
        self._asked: tuple[int, int] | None = None
        self._frame = (0, 0)
        self._asked_full = False

    def restore(self, place: WindowPlace) -> None:
        """Put the window, which has this place's size, where it is to open."""
        self.place = replace(place, full=False)
        if place.x is not None and place.y is not None:
            self._asked = (place.x, place.y)
            self.window.set_location(place.x, place.y)
        if place.full:
            self.ask_full_screen()
            # news of the window's first size, still on its way, would be taken for that of the full screen
            pyglet.clock.schedule_once(lambda dt: self.released(), SETTLED_AFTER)

    def ask_full_screen(self) -> None:
        """Fill the screen with the window, or give it back its size, once the key or the mouse button is released.

        Some systems make the window anew for that: it would never hear of the release of what is still down, and take
        it for held from then on.
        """
        self._asked_full = not self.window.headless  # a window in memory has no screen to fill

    def released(self) -> None:
        """Do what a key or a mouse button has asked for that is up now."""
        if not self._asked_full:
            return
        self._asked_full = False
        full = not self.place.full
        if full:
            self.place = replace(self.place, full=True)
        self.window.set_fullscreen(full)
        self.place = replace(self.place, full=full)
        self.window.want_frame()

    def resized(self, width: int, height: int) -> None:
        """Take note of a new size."""
        if not self.place.full:
            self.place = replace(self.place, width=width, height=height)

    def moved(self, x: int, y: int) -> None:
        """Take note of a new place. Some systems count it from inside the frame, and are asked for it outside of it:
        what they have added at first is taken off, or the window would wander with each start."""
        if self.place.full:
            return
        if self._asked is not None:
            (left, top), self._asked = self._asked, None
            added = (x - left, y - top)
            self._frame = added if all(0 <= side <= MOST_FRAME for side in added) else (0, 0)
        self.place = replace(self.place, x=x - self._frame[0], y=y - self._frame[1])
