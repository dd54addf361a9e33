"""The window: shows one screen, draws its layers, and passes mouse and keys on to it.

A fault of the program is caught at the event that raised it, written to a report and shown; the window stays open.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import arcade
from arcade import key as keys

from client.storage.fault_reports import FaultReports
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import LAYERS, Layer, Ui
from client.ui.lettering import Lettering, load_fonts
from client.ui.painter import Painter
from client.ui.text_input import TextInput
from client.views.popups import Confirmation, FaultPage, draw_help
from client.views.screen import Screen

SMALLEST = (960, 640)
TYPING_PAUSE = 2.0
"""Seconds without a key press before keys act again after the text field has gone."""
MOST_UNDRAWN = 30
"""Frames in a row in which even the page about a fault could not be drawn, before the window closes."""
WRITING = frozenset((keys.ENTER, keys.NUM_ENTER, keys.ESCAPE, keys.TAB, keys.BACKSPACE, keys.DELETE))
SCALES = (80, 90, 100, 110, 125, 140, 160)


class App(arcade.Window):
    """The client's only window.

    `text_resized` is called with a new text scale in percent, to be remembered. With `reports` faults are caught and
    written there; then `recover` is called to repair what the fault left half done, and `leave_all` where the person
    chooses to begin anew. Without `reports` faults are raised.
    """

    reports: FaultReports | None = None
    # on the class, since the toolkit dispatches events before `__init__` has run

    def __init__(self, size: tuple[int, int] = (1280, 800), text_scale: int = 100, *, visible: bool = True) -> None:
        title = phrase("connect.title")
        super().__init__(*size, title, resizable=True, visible=visible, antialiasing=False, draw_rate=1 / 30)
        self.set_minimum_size(*SMALLEST)
        load_fonts()
        self.ui = Ui({name: Layer(Painter(self.ctx), Lettering()) for name in LAYERS}, scale=text_scale / 100)
        self.front: Screen | None = None
        self.dirty = True
        self.help = False
        self.confirmation: Confirmation | None = None
        self.typing_pause = 0.0
        self.pressed_in_view = False
        self.before_tick: list[Callable[[float], bool]] = []
        self.text_resized: Callable[[int], None] | None = None
        self.fault: FaultPage | None = None
        self.recover: Callable[[], object] = lambda: None
        self.leave_all: Callable[[], object] = self.close
        self.undrawn = 0
        self.failed = False

    def dispatch_event(self, *args: Any) -> None:
        with self.guarded(str(args[0])):
            super().dispatch_event(*args)

    def dispatch_pending_events(self) -> None:
        with self.guarded("events"):
            super().dispatch_pending_events()

    def draw(self, dt: float) -> None:
        with self.guarded("draw"):
            super().draw(dt)

    @contextlib.contextmanager
    def guarded(self, doing: str) -> Iterator[None]:
        """Catch and report an exception raised inside, if the window has `reports`; else let it through."""
        try:
            yield
        except Exception as error:
            if self.reports is None:
                raise
            self.take_fault(error, doing)

    def take_fault(self, error: BaseException, doing: str) -> None:
        """Report a fault and show it to the person; at the first one, call `recover` as well."""
        assert self.reports is not None
        path = self.reports.write(error, doing)
        if doing in ("on_draw", "draw") and self.fault is not None:
            self.undrawn += 1
            if self.undrawn >= MOST_UNDRAWN:
                print(phrase("fault.undrawn", path=path), file=sys.stderr)
                self.failed = True
                self.close()
            return
        is_first, self.fault = self.fault is None, FaultPage(path, self._close_fault, self._leave_all, self.copy)
        self._lose_field()
        self.refresh()
        if is_first:
            with self.guarded("recovery"):
                self.recover()

    def _close_fault(self) -> None:
        self.fault = None
        self.undrawn = 0
        self.refresh()

    def _leave_all(self) -> None:
        self._close_fault()
        self.leave_all()

    def show(self, view: Screen) -> None:
        """Fill the window with another screen."""
        if self.front is not None:
            self.front.leave()
        self.front = view
        self.confirmation = None
        self._lose_field()
        self.pressed_in_view = False
        view.enter()
        self.refresh()

    def ask(self, confirmation: Confirmation) -> None:
        """Show a confirmation before an act that cannot be undone."""
        self.confirmation = confirmation
        self._lose_field()
        self.refresh()

    def close_confirmation(self) -> None:
        self.confirmation = None
        self.refresh()

    def refresh(self) -> None:
        """Mark the screen as changed, so that it is described anew before it is next drawn or searched."""
        self.dirty = True

    def build(self) -> None:
        """Describe the screen if it has changed."""
        if not self.dirty or (self.front is None and self.fault is None):
            return
        self.dirty = False
        self.switch_to()
        self.describe((self.width, self.height))
        focus = self.ui.focus
        if focus is not None and not any(spot.input is focus for spot in self.ui.hotspots[self.ui.modal :]):
            self._lose_field()

    def _lose_field(self) -> None:
        """Take the focus from the text field; keys typed for it just after that do nothing."""
        if self.ui.focus is not None:
            self.ui.focus, self.typing_pause = None, TYPING_PAUSE

    def describe(self, size: tuple[int, int]) -> None:
        """Describe everything visible in a window of this size in pixels."""
        self.ui.begin(size)
        if self.fault is not None:
            self.fault.draw(self.ui)
        elif self.front is not None:
            self._describe_view(self.front)
        self.ui.on("popup")
        hovered = self.ui.hovered()
        if hovered is not None and hovered.tip:
            self.ui.tooltip(hovered.tip)
        self.ui.end()

    def _describe_view(self, view: Screen) -> None:
        view.build(self.ui)
        if self.confirmation is not None:
            self.confirmation.draw(self.ui, self.close_confirmation)
        elif self.help:
            draw_help(self.ui)

    def on_update(self, delta_time: float) -> None:
        self.typing_pause = max(self.typing_pause - delta_time, 0.0)
        for ticker in self.before_tick:
            if ticker(delta_time):
                self.refresh()
        if self.front is not None and self.front.tick(delta_time):
            self.refresh()

    def on_draw(self) -> None:
        self.build()
        self.clear(color=theme.BACK)
        if self.fault is not None:
            for name in LAYERS:
                self._layer(name)
            self.undrawn = 0
        elif self.front is not None:
            self.front.draw_below()
            self._layer("ground")
            self.front.draw_between()
            for name in LAYERS[1:]:
                self._layer(name)

    def _layer(self, name: str) -> None:
        self.ui.layers[name].painter.draw()
        self.ui.layers[name].letters.draw()

    def on_resize(self, width: int, height: int) -> None:
        super().on_resize(width, height)
        self.refresh()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self.ui.mouse = (x, y)
        self.refresh()

    def on_mouse_leave(self, x: int, y: int) -> None:
        self.ui.mouse = (-1, -1)
        self.refresh()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self.ui.mouse = (x, y)
        self.build()
        self.typing_pause = 0.0
        self.refresh()
        if self.help and self.fault is None and self.confirmation is None:
            self.help = False
            return
        spot = self.ui.hit(x, y)
        self.ui.focus = spot.input if spot is not None else None
        if spot is not None and spot.input is None and spot.act is not None and button == arcade.MOUSE_BUTTON_LEFT:
            spot.act()
        elif self.front is not None and not self.ui.modal and (spot is None or spot.act is None):
            self.pressed_in_view = True
            self.front.press(x, y, button)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if self.front is not None and self.pressed_in_view:
            self.pressed_in_view = False
            self.front.release(x, y, button)
            self.refresh()

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self.ui.mouse = (x, y)
        if self.front is not None and self.pressed_in_view:
            self.front.drag(x, y, dx, dy, buttons)
        self.refresh()

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        steps = round(scroll_y) or (1 if scroll_y > 0 else -1 if scroll_y < 0 else 0)
        if self.front is not None and not self.ui.wheel(x, y, steps) and not self.ui.modal:
            self.front.wheel(x, y, steps)
        self.refresh()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self.build()
        if self.typing_pause and is_written(symbol, modifiers):
            self.typing_pause = TYPING_PAUSE
            return
        focus = self.ui.focus
        if self.fault is not None:
            if symbol in (keys.ESCAPE, keys.ENTER, keys.NUM_ENTER):
                self._close_fault()
        elif self.confirmation is not None:
            self.confirmation.key(symbol, self.close_confirmation)
        elif symbol == keys.F1:
            self.help = not self.help
        elif self.help:
            self.help = symbol != keys.ESCAPE
        elif focus is not None:
            self._key_in_field(focus, symbol, modifiers)
        elif modifiers & keys.MOD_CTRL and symbol in (keys.EQUAL, keys.PLUS, keys.NUM_ADD):
            self._resize_text(1)
        elif modifiers & keys.MOD_CTRL and symbol in (keys.MINUS, keys.NUM_SUBTRACT):
            self._resize_text(-1)
        elif self.front is not None and not self.front.key(symbol, modifiers) and symbol == keys.ESCAPE:
            self.front.escape()
        self.refresh()

    def _resize_text(self, step: int) -> None:
        """Change the text scale by one step of `SCALES`."""
        now = round(self.ui.scale * 100)
        at = min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - now))
        fresh = SCALES[min(max(at + step, 0), len(SCALES) - 1)]
        self.ui.scale = fresh / 100
        if self.text_resized is not None:
            self.text_resized(fresh)

    def _key_in_field(self, field: TextInput, symbol: int, modifiers: int) -> None:
        match symbol:
            case keys.ESCAPE:
                self.ui.focus = None
            case keys.ENTER | keys.NUM_ENTER if field.enter is not None:
                field.enter()
            case keys.TAB:
                self.ui.focus = self._next_field(field)
            case keys.V if modifiers & keys.MOD_CTRL:
                field.type(self._clipboard())
            case _:
                pass

    def _next_field(self, field: TextInput) -> TextInput | None:
        fields = [spot.input for spot in self.ui.hotspots[self.ui.modal :] if spot.input is not None]
        return fields[(fields.index(field) + 1) % len(fields)] if field in fields else None

    def _clipboard(self) -> str:
        with contextlib.suppress(Exception):  # on a platform without a clipboard nothing is pasted
            return str(self.get_clipboard_text())
        return ""

    def copy(self, text: str) -> bool:
        """Put text on the clipboard; return False where there is none."""
        try:
            self.set_clipboard_text(text)
        except Exception:  # noqa: BLE001 - each platform fails in its own way
            return False
        return True

    def on_text(self, text: str) -> None:
        if self.ui.focus is not None:
            self.ui.focus.type(text)
            self.refresh()

    def on_text_motion(self, motion: int) -> None:
        field = self.ui.focus
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
        self.refresh()


def is_written(symbol: int, modifiers: int) -> bool:
    """Return True for a key that a person presses in writing a line."""
    if modifiers & (keys.MOD_CTRL | keys.MOD_ALT | keys.MOD_COMMAND):
        return False
    return keys.SPACE <= symbol <= 0xFF or symbol in WRITING
