"""States of a window of this process, as the X server keeps them for those who manage windows."""

from __future__ import annotations

import ctypes
from typing import Any

import arcade

ANY_TYPE = 0
MOST = 32


def states_of(window: arcade.Window) -> list[str]:
    """Return the names of the states that a window asks for, such as _NET_WM_STATE_FULLSCREEN."""
    from pyglet.libs.x11 import xlib

    owner: Any = window
    display, read = owner._x_display, ctypes.POINTER(ctypes.c_ubyte)()
    kind, form = xlib.Atom(), ctypes.c_int()
    count, left = ctypes.c_ulong(), ctypes.c_ulong()
    xlib.XGetWindowProperty(
        *(display, owner._window, xlib.XInternAtom(display, b"_NET_WM_STATE", 0), 0, MOST, 0, ANY_TYPE),
        *map(ctypes.byref, (kind, form, count, left, read)),
    )
    states = ctypes.cast(read, ctypes.POINTER(ctypes.c_ulong))
    return [ctypes.string_at(xlib.XGetAtomName(display, states[n])).decode() for n in range(count.value)]
