"""Keys of the window: those of text fields, those that hold on every screen, and the screen's own between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcade import key as keys

from client.app.field_keys import FieldKeys
from client.input.key_table import KeyPress
from client.ui.hotspots import Hotspot, next_of
from client.ui.key_names import chord_of

if TYPE_CHECKING:
    from client.app.window import App

TYPING_PAUSE = 2.0
"""Seconds without a key press before keys act again after the text field has gone."""
WRITING = frozenset((keys.ENTER, keys.NUM_ENTER, keys.ESCAPE, keys.TAB, keys.BACKSPACE, keys.DELETE))
SCALES = (80, 90, 100, 110, 125, 140, 160, 180, 200)
PAGE = 6
"""Steps of the wheel that a page is."""
FIELD, QUESTION = "field", "question"
"""Places of keys besides those of screens: a text field, a question before an act."""


class KeyDispatch:
    """Dispatch of the window's keys. `pause`: seconds in which keys of writing do nothing yet."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.fields = FieldKeys(app)
        self.pause = 0.0

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        self.pause = max(self.pause - seconds, 0.0)

    def lose_field(self) -> None:
        """Take the focus from the text field; keys typed for it just after that do nothing."""
        if self.app.ui.focus is not None:
            self.app.ui.focus, self.pause = None, TYPING_PAUSE

    def unmark(self) -> None:
        """Forget what keys have marked, and the digits typed."""
        self.app.ui.marked, self.app.ui.typed = None, ""

    def places(self) -> tuple[str, ...]:
        """Return where keys act now, besides those that hold everywhere."""
        app = self.app
        if app.ui.focus is not None:
            return (FIELD,)
        if app.confirmation is not None:
            return (QUESTION,)
        return app.front.places() if app.front is not None else ()

    def press(self, symbol: int, modifiers: int) -> None:
        """Take a key that went down."""
        app = self.app
        app.build()
        if self.pause and is_written(symbol, modifiers):
            self.pause = TYPING_PAUSE
            return
        press = KeyPress(chord_of(symbol, modifiers), app.ui.keys)
        if not press.chord:
            return
        if press.means("full") and not app.keys_page.is_asking:
            app.placing.ask_full_screen()
        elif not (app.keys_page.is_open and app.keys_page.catch(press)):
            in_field = app.ui.focus is not None and not app.help
            taken = self._key_in_field(press) if in_field else self._key(press)
            if not taken and press.means("back"):
                self._back()
        app.refresh()

    def _key(self, press: KeyPress) -> bool:
        """Take a key while no text field has the focus."""
        return self._at_mark(press) or self._of_window(press) or self._of_page(press) or self._anywhere(press)

    def _at_mark(self, press: KeyPress) -> bool:
        """Take what Tab has marked."""
        marked = self.app.ui.marked
        if marked is None or not press.means("take"):
            return False
        self._click(marked)
        return True

    def _of_window(self, press: KeyPress) -> bool:
        """Take a key of the window's own: of a notice, of the help, the keys, the size of the text."""
        app = self.app
        if app.fault is not None:
            return False
        if app.notice_bar.key(press):
            return True
        if press.means("help") and app.confirmation is None:
            app.help = not app.help
        elif press.means("settings") and app.confirmation is None:
            app.toggle_page(app.keys_page)
        elif press.means("preferences") and app.confirmation is None:
            app.toggle_page(app.settings_page)
        elif press.means("mute"):
            app.mute()
        elif (larger := press.which("size")) is not None:
            self._resize_text(-1 if larger else 1)
        else:
            return False
        return True

    def _of_page(self, press: KeyPress) -> bool:
        """Take a key of the topmost page, or of the screen where there is none."""
        app = self.app
        if app.fault is not None:
            if press.means("take"):
                app.close_fault()
            return press.means("take")
        if app.confirmation is not None:
            return app.confirmation.key(press, app.close_confirmation)
        if app.has_page:
            return False
        return app.front is not None and app.front.key(press)

    def _anywhere(self, press: KeyPress) -> bool:
        """Take a key that holds on every screen: a number of a list, Tab, a turn of a list."""
        ui = self.app.ui
        if press.digit:
            return self._number(press.digit)
        if (back := _step(press)) is not None:
            self._mark(next_of(ui.front_spots, ui.marked, -1 if back else 1))
            return True
        down = press.which("turn")
        if down is None:
            return False
        wheels = ui.wheels[ui.modal_wheels :]
        at = next((scroll for rect, scroll in reversed(wheels) if rect.contains(*ui.mouse)), None)
        scroll = at or (wheels[0][1] if wheels else None)
        if scroll is not None:
            scroll(-PAGE if down else PAGE)
        return True

    def _back(self) -> None:
        """Go one step back: digits typed, else the topmost page, else the screen's own step."""
        app = self.app
        if app.ui.typed:
            app.ui.typed = ""
            return
        self.unmark()
        if app.ui.focus is not None and not app.help:
            app.ui.focus = None
        elif app.fault is not None:
            app.close_fault()
        elif app.confirmation is not None:
            app.close_confirmation()
        elif app.has_page:
            app.close_pages()
        elif app.front is not None:
            app.front.escape()

    def _number(self, digit: str) -> bool:
        """Click the row of a list that has this number, once all its digits are typed; of several the topmost."""
        ui = self.app.ui
        rows = [spot for spot in ui.front_spots if spot.listed and spot.can]
        digits = len(str(max((spot.number for spot in rows), default=0)))
        typed = ui.typed + digit
        found = [spot for spot in rows if f"{spot.number:0{digits}}".startswith(typed)]
        ui.typed = typed if found and len(typed) < digits else ""
        if found and len(typed) == digits:
            self._click(found[-1])
        return bool(found)

    def _mark(self, spot: Hotspot | None) -> None:
        """Mark something that can be clicked; a text field takes what is typed at once."""
        ui = self.app.ui
        self.unmark()
        if spot is None:
            return
        ui.marked, ui.focus = spot, spot.input
        ui.mouse = spot.rect.centre

    def _click(self, spot: Hotspot) -> None:
        ui = self.app.ui
        ui.typed, ui.focus, ui.modifiers = "", spot.input, 0
        if spot.act is not None:
            self.app.sounds.play("click")
            spot.act()

    def next_scale(self) -> None:
        """Take the next text scale, after the last one the first."""
        self._resize_text(-len(SCALES) if self.app.text_scale >= SCALES[-1] else 1)

    def _resize_text(self, step: int) -> None:
        """Change the text scale by steps of `SCALES`."""
        app = self.app
        at = min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - app.text_scale))
        fresh = SCALES[min(max(at + step, 0), len(SCALES) - 1)]
        app.scale_text(fresh)
        if app.text_resized is not None:
            app.text_resized(fresh)

    def _key_in_field(self, press: KeyPress) -> bool:
        """Take a key while a text field has the focus; letters come as text."""
        app = self.app
        ui, field = app.ui, app.ui.focus
        if field is None:
            return False
        if press.means("take"):
            if field.enter is not None:
                field.enter()
        elif (back := _step(press)) is not None:
            at = next((spot for spot in ui.front_spots if spot.input is field), None)
            self._mark(next_of(ui.front_spots, at, -1 if back else 1))
        elif not self.fields.chord(field, press.chord):
            return not is_for_text(press.chord) and self._of_window_in_field(press)
        return True

    def _of_window_in_field(self, press: KeyPress) -> bool:
        """Take a key of the window's own; where it opens a page, the keys that follow are meant for that."""
        is_taken = self._of_window(press)
        if self.app.has_page:
            self.app.ui.focus = None
        return is_taken

    def text(self, text: str) -> None:
        """Take typed text."""
        if self.app.ui.focus is not None:
            self.app.ui.focus.type(text)
            self.app.refresh()

    def motion(self, motion: int, *, select: bool) -> None:
        """Take a key that moves the caret or rubs out."""
        field = self.app.ui.focus
        if field is not None:
            self.fields.motion(field, motion, select=select)
            self.app.refresh()

    def point_in_field(self, x: float, *, select: bool) -> None:
        """Put the caret of the field with the focus where the mouse is, or select up to there."""
        ui = self.app.ui
        spot = next((spot for spot in ui.front_spots if spot.input is not None and spot.input is ui.focus), None)
        if spot is not None:
            self.fields.point(spot, x, select=select)


def _step(press: KeyPress) -> int | None:
    """Return 0 for a key that marks the next thing, 1 for the one before, None for any other."""
    step = press.which("next")
    return press.which("buttons") if step is None else step


def is_written(symbol: int, modifiers: int) -> bool:
    """Return True for a key that a person presses in writing a line."""
    if modifiers & (keys.MOD_CTRL | keys.MOD_ALT | keys.MOD_COMMAND):
        return False
    return keys.SPACE <= symbol <= 0xFF or symbol in WRITING


def is_for_text(chord: str) -> bool:
    """Return True for a key that may belong to what is written: one without Ctrl and Alt that is no function key."""
    name = chord.removeprefix("shift+")
    is_function = name[0] == "f" and name[1:].isdigit()
    return not chord.startswith(("ctrl+", "alt+")) and not is_function
