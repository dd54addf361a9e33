"""Keys of the window: those of text fields, those that hold on every screen, and then the screen's own."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from arcade import key as keys

from client.ui.text_input import TextInput

if TYPE_CHECKING:
    from client.app.window import App

TYPING_PAUSE = 2.0
"""Seconds without a key press before keys act again after the text field has gone."""
WRITING = frozenset((keys.ENTER, keys.NUM_ENTER, keys.ESCAPE, keys.TAB, keys.BACKSPACE, keys.DELETE))
SCALES = (80, 90, 100, 110, 125, 140, 160)


class KeyDispatch:
    """Dispatch of the window's keys. `pause`: seconds in which keys of writing do nothing yet."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.pause = 0.0

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        self.pause = max(self.pause - seconds, 0.0)

    def lose_field(self) -> None:
        """Take the focus from the text field; keys typed for it just after that do nothing."""
        if self.app.ui.focus is not None:
            self.app.ui.focus, self.pause = None, TYPING_PAUSE

    def press(self, symbol: int, modifiers: int) -> None:
        """Take a key that went down."""
        app = self.app
        app.build()
        if self.pause and is_written(symbol, modifiers):
            self.pause = TYPING_PAUSE
            return
        focus = app.ui.focus
        if symbol == keys.F11:
            app.placing.ask_full_screen()
        elif app.fault is not None:
            if symbol in (keys.ESCAPE, keys.ENTER, keys.NUM_ENTER):
                app.close_fault()
        elif app.confirmation is not None:
            app.confirmation.key(symbol, app.close_confirmation)
        elif symbol == keys.F1:
            app.help = not app.help
        elif app.help:
            app.help = symbol != keys.ESCAPE
        elif focus is not None:
            self._key_in_field(focus, symbol, modifiers)
        elif modifiers & keys.MOD_CTRL and symbol in (keys.EQUAL, keys.PLUS, keys.NUM_ADD):
            self._resize_text(1)
        elif modifiers & keys.MOD_CTRL and symbol in (keys.MINUS, keys.NUM_SUBTRACT):
            self._resize_text(-1)
        elif app.front is not None and not app.front.key(symbol, modifiers) and symbol == keys.ESCAPE:
            app.front.escape()
        app.refresh()

    def _resize_text(self, step: int) -> None:
        """Change the text scale by one step of `SCALES`."""
        app = self.app
        at = min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - app.text_scale))
        fresh = SCALES[min(max(at + step, 0), len(SCALES) - 1)]
        app.scale_text(fresh)
        if app.text_resized is not None:
            app.text_resized(fresh)

    def _key_in_field(self, field: TextInput, symbol: int, modifiers: int) -> None:
        match symbol:
            case keys.ESCAPE:
                self.app.ui.focus = None
            case keys.ENTER | keys.NUM_ENTER if field.enter is not None:
                field.enter()
            case keys.TAB:
                self.app.ui.focus = self._next_field(field)
            case keys.V if modifiers & keys.MOD_CTRL:
                field.type(self._clipboard())
            case _:
                pass

    def _next_field(self, field: TextInput) -> TextInput | None:
        ui = self.app.ui
        fields = [spot.input for spot in ui.hotspots[ui.modal :] if spot.input is not None]
        return fields[(fields.index(field) + 1) % len(fields)] if field in fields else None

    def _clipboard(self) -> str:
        with contextlib.suppress(Exception):  # on a platform without a clipboard nothing is pasted
            return str(self.app.get_clipboard_text())
        return ""

    def text(self, text: str) -> None:
        """Take typed text."""
        if self.app.ui.focus is not None:
            self.app.ui.focus.type(text)
            self.app.refresh()

    def motion(self, motion: int) -> None:
        """Take a key that moves the caret or rubs out."""
        field = self.app.ui.focus
        if field is None:
            return
        match motion:
            case keys.MOTION_BACKSPACE:
                field.rub_out()
            case keys.MOTION_DELETE:
                field.rub_out(forwards=True)
            case keys.MOTION_LEFT:
                field.go(field.caret - 1)
            case keys.MOTION_RIGHT:
                field.go(field.caret + 1)
            case keys.MOTION_BEGINNING_OF_LINE | keys.MOTION_BEGINNING_OF_FILE:
                field.go(0)
            case keys.MOTION_END_OF_LINE | keys.MOTION_END_OF_FILE:
                field.go(len(field.text))
            case _:
                pass
        self.app.refresh()


def is_written(symbol: int, modifiers: int) -> bool:
    """Return True for a key that a person presses in writing a line."""
    if modifiers & (keys.MOD_CTRL | keys.MOD_ALT | keys.MOD_COMMAND):
        return False
    return keys.SPACE <= symbol <= 0xFF or symbol in WRITING
