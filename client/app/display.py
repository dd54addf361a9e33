"""Detection of a display, and drawing without one. Must be called before arcade is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def has_display() -> bool:
    """Return True if a window could be seen. Only systems with X or Wayland can be without a display."""
    if os.environ.get("ARCADE_HEADLESS"):
        return False
    if not sys.platform.startswith(("linux", "freebsd", "openbsd")):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def go_headless() -> None:
    """Draw all windows of this process into memory where there is no display.

    Does nothing where there is one: an invisible window does the same there.
    """
    if not has_display():
        os.environ["ARCADE_HEADLESS"] = "1"


def on_display_loss(farewell: Callable[[], object]) -> None:
    """Call `farewell` and end the process with status 1 if the X server goes away while a window is open.

    Without it Xlib would end the process with a message of its own. Does nothing on other systems.
    """
    if not sys.platform.startswith(("linux", "freebsd", "openbsd")) or not has_display():
        return
    from pyglet.libs.x11 import xlib

    def lost(display: object) -> int:
        try:
            farewell()
        finally:
            os._exit(1)

    handler = xlib.XIOErrorHandler(lost)
    _handlers.append(handler)
    xlib.XSetIOErrorHandler(handler)


_handlers: list[object] = []
"""Kept for as long as Xlib may call them."""
