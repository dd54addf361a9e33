"""Call for the attention of a person who looks elsewhere, by the ways of each system: its list of windows shows it."""

from __future__ import annotations

import sys

import arcade

MARK = "\N{BLACK CIRCLE} "
"""Stands before the window's title as long as it calls."""


def flash(window: arcade.Window) -> None:
    """Let the system show that a window calls: by a flashing entry (Windows, X11) or a jumping icon (macOS)."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.FlashWindow(window._hwnd, 1)
    elif sys.platform == "darwin":
        from pyglet.libs.darwin import ObjCClass

        ObjCClass("NSApplication").sharedApplication().requestUserAttention_(10)
    elif (ask := getattr(window, "_set_wm_state", None)) is not None:  # not without a display
        ask("_NET_WM_STATE_DEMANDS_ATTENTION")
