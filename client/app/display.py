"""Whether there is a screen to open a window on, and doing without one. Must be asked before arcade is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def has_display() -> bool:
    """Whether a window could be seen. Only systems with X or Wayland can be without."""
    if os.environ.get("ARCADE_HEADLESS"):
        return False
    if not sys.platform.startswith(("linux", "freebsd", "openbsd")):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def go_headless() -> None:
    """From now on windows are drawn into memory only; for processes that make pictures. No effect with a display
    that is not told otherwise: there an invisible window does the same."""
    if not has_display():
        os.environ["ARCADE_HEADLESS"] = "1"


def on_display_loss(farewell: Callable[[], object]) -> None:
    """Call `farewell` when the X server goes while a window is open, and end the process with status 1: Xlib would end
    it with words of its own. No effect elsewhere."""
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
