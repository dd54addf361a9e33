"""The window: shows one screen, draws its layers, and passes mouse and keys on to it.

A fault of the program is caught at the event that raised it, written to a report and shown; the window stays open.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import arcade

from client.app.attention import MARK, flash
from client.app.frame_window import FrameWindow
from client.app.key_dispatch import KeyDispatch
from client.app.window_place import Placing
from client.draw.board.terrain.ground_worker import GroundWorker
from client.model.sound.mixer import SoundMixer
from client.storage.fault_reports import FaultReports
from client.storage.profile import WindowPlace
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import BELOW, LAYERS, Layer, Ui
from client.ui.lettering import Lettering, load_fonts
from client.ui.numbers import draw_keyboard_marks
from client.ui.painter import Painter
from client.ui.veil_painter import VeilPainter
from client.views.keys_page import HelpPage, KeysPage
from client.views.notice_bar import NoticeBar
from client.views.popups import Confirmation, FaultPage
from client.views.screen import Screen
from client.views.settings_page import SettingsPage

SMALLEST = (960, 640)
"""Pixels of a window in which every page is whole."""
LEAST = (800, 600)
"""Pixels of a window in which one can play at all, with panels as tabs."""
MOST_UNDRAWN = 30
"""Frames in a row in which even the page about a fault could not be drawn, before the window closes."""


class App(FrameWindow):
    """The client's only window.

    `text_resized` is called with a new text scale in percent, and `sounds_changed` where sounds are switched on or off,
    to be remembered. With a `ground_worker` tables are painted beside the window, else at once. With `reports` faults
    are caught and written there; then `recover` is called to repair what the fault left half done, and `leave_all`
    where the person chooses to begin anew. Without `reports` faults are raised.
    """

    reports: FaultReports | None = None
    # on the class, since the toolkit dispatches events before `__init__` has run

    def __init__(self, size: tuple[int, int] = (1280, 800), text_scale: int = 100, *, visible: bool = True) -> None:
        self.title = title = phrase("connect.title")
        self.text_scale = text_scale
        self.placing = Placing(self, WindowPlace(*size))
        super().__init__(size, title, visible=visible)
        self.set_minimum_size(LEAST[0] // 2, LEAST[1] // 2)
        load_fonts()
        painters = {name: VeilPainter(self.ctx) if name == "veil" else Painter(self.ctx) for name in LAYERS}
        self.ui = Ui({name: Layer(painters[name], Lettering()) for name in LAYERS}, scale=text_scale / 100)
        self.density = self.scale
        self.front: Screen | None = None
        self.dirty = True
        self.pictures: object = None
        self.help = False
        self.confirmation: Confirmation | None = None
        self.key_dispatch = KeyDispatch(self)
        self.keys_page = KeysPage()
        self.help_page = HelpPage()
        self.settings_page = SettingsPage()
        self.notice_bar = NoticeBar()
        self.ground_worker: GroundWorker | None = None
        self.sounds = SoundMixer()
        self.sounds_changed: Callable[[], object] = lambda: None
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
        self.want_frame()
        if doing in ("on_draw", "draw") and self.fault is not None:
            self.undrawn += 1
            if self.undrawn >= MOST_UNDRAWN:
                print(phrase("fault.undrawn", path=path), file=sys.stderr)
                self.failed = True
                self.close()
            return
        is_first, self.fault = self.fault is None, FaultPage(path, self.close_fault, self._leave_all, self.copy)
        self.key_dispatch.lose_field()
        self.refresh()
        if is_first:
            with self.guarded("recovery"):
                self.recover()

    def close_fault(self) -> None:
        """Go on after a fault."""
        self.fault = None
        self.undrawn = 0
        self.refresh()

    def _leave_all(self) -> None:
        self.close_fault()
        self.leave_all()

    def show(self, view: Screen) -> None:
        """Fill the window with another screen."""
        if self.front is not None:
            self.front.leave()
        self.front = view
        self.ui.kept.forget()
        self.confirmation = None
        self.key_dispatch.lose_field()
        self.key_dispatch.unmark()
        self.pressed_in_view = False
        view.enter()
        self.refresh()

    def ask(self, confirmation: Confirmation) -> None:
        """Show a confirmation before an act that cannot be undone."""
        self.confirmation = confirmation
        self.key_dispatch.lose_field()
        self.key_dispatch.unmark()
        self.refresh()

    def close_confirmation(self) -> None:
        self.confirmation = None
        self.refresh()

    def refresh(self) -> None:
        """Mark the screen as changed, so that it is described anew before it is next drawn or searched."""
        self.dirty = True
        self.wake()

    def look(self) -> None:
        self.build()

    def build(self) -> None:
        """Describe the screen if it has changed."""
        if not self.dirty or (self.front is None and self.fault is None):
            return
        self.dirty = False
        self.switch_to()
        self.describe((self.width, self.height))
        focus = self.ui.focus
        if focus is not None and not any(spot.input is focus for spot in self.ui.hotspots[self.ui.modal :]):
            self.key_dispatch.lose_field()

    def describe(self, size: tuple[int, int]) -> None:
        """Describe everything visible in a window of this size in pixels, and want a frame if it looks other than
        before."""
        self.ui.begin(size)
        if self.is_small:
            self._describe_smallness()
        elif self.fault is not None:
            self.fault.draw(self.ui)
        elif self.front is not None:
            self._describe_view(self.front)
        draw_keyboard_marks(self.ui)
        hovered = self.ui.hovered()
        if hovered is not None and hovered.tip:
            self.ui.tooltip(hovered.tip)
        before, self.pictures = self.pictures, self.front.pictures() if self.front is not None else None
        if self.ui.end() or self.pictures != before:
            self.want_frame()

    @property
    def is_small(self) -> bool:
        """True where the window is too small for anything but to say so."""
        width, height = self.ui.size
        return width < LEAST[0] or height < LEAST[1]

    def _describe_smallness(self) -> None:
        (width, height), (least_width, least_height) = self.ui.size, LEAST
        room = self.ui.window.inset(16)
        words = phrase("window.small", width=width, height=height, least_width=least_width, least_height=least_height)
        self.ui.lines(words, room.middle(room.w, room.h / 2))

    def _describe_view(self, view: Screen) -> None:
        self.ui.head = self.notice_bar.head(self.ui)
        view.build(self.ui)
        if self.confirmation is not None:
            self.confirmation.draw(self.ui, self.close_confirmation)
        elif self.keys_page.is_open:
            self.keys_page.draw(self.ui)
        elif self.settings_page.is_open:
            self.settings_page.draw(self.ui)
        elif self.help:
            self.help_page.draw(self.ui, self.key_dispatch.places())
        self.notice_bar.draw(self.ui)

    @property
    def has_page(self) -> bool:
        """True while one of the window's own pages is open: help, the keys, the settings."""
        return self.help or self.keys_page.is_open or self.settings_page.is_open

    def call_person(self) -> None:
        """Call for the person's attention, until they come, where another window has it."""
        if not self.is_front:
            self.set_caption(MARK + self.title)
            flash(self)

    def on_activate(self) -> None:
        super().on_activate()
        self.set_caption(self.title)

    def mute(self) -> None:
        """Let no sound be heard, or all again; kept."""
        self.sounds.profile.sound = not self.sounds.profile.sound
        self.sounds_changed()
        self.refresh()

    def close_pages(self) -> None:
        """Close the window's own pages."""
        self.help = self.keys_page.is_open = self.settings_page.is_open = False

    def toggle_page(self, page: KeysPage | SettingsPage) -> None:
        """Open one of the window's own pages in the place of the others, or close it."""
        is_open = page.is_open
        self.close_pages()
        if not is_open:
            page.toggle()

    def on_update(self, delta_time: float) -> None:
        self.key_dispatch.tick(delta_time)
        for ticker in self.before_tick:
            if ticker(delta_time):
                self.refresh()
        if self.front is not None and self.front.tick(delta_time):
            self.refresh()
        if self.notice_bar.sync():
            self.refresh()
        if self.ground_worker is not None and self.ground_worker.take_news():
            self.refresh()
        super().on_update(delta_time)

    def on_draw(self) -> None:
        self.build()
        self.clear(color=theme.BACK)
        if self.fault is not None or self.is_small:
            for name in LAYERS:
                self.ui.layers[name].draw()
            self.undrawn = 0
        elif self.front is not None:
            self.front.draw_below()
            for name in BELOW:
                self.ui.layers[name].draw()
            self.front.draw_between()
            for name in LAYERS[len(BELOW) :]:
                self.ui.layers[name].draw()

    def on_resize(self, width: int, height: int) -> None:
        super().on_resize(width, height)
        self.placing.resized(width, height)
        self.refresh()

    def on_move(self, x: int, y: int) -> None:
        self.placing.moved(*self.get_location())

    def on_scale(self, scale: float, dpi: int) -> None:
        super().on_scale(scale, dpi)
        self.density = scale
        self.scale_text(self.text_scale)

    def scale_text(self, percent: int) -> None:
        """Show all text in this scale, on a screen of any density: where the system does not enlarge what a window
        shows, this one does."""
        self.text_scale = percent
        self.ui.scale = percent / 100 * (self.density if self.get_pixel_ratio() == 1 else 1)
        self.refresh()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self.ui.mouse = (x, y)
        self.key_dispatch.unmark()
        self.refresh()

    def on_mouse_leave(self, x: int, y: int) -> None:
        self.ui.mouse = (-1, -1)
        self.refresh()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self.ui.mouse, self.ui.modifiers = (x, y), modifiers
        self.build()
        self.key_dispatch.pause = 0.0
        self.key_dispatch.unmark()
        self.refresh()
        if self.help and self.fault is None and self.confirmation is None:
            self.help = False
            return
        spot = self.ui.hit(x, y)
        self.ui.focus = spot.input if spot is not None else None
        self.key_dispatch.point_in_field(x, select=False)
        if spot is not None and spot.input is None and spot.act is not None and button == arcade.MOUSE_BUTTON_LEFT:
            self.sounds.play("click")
            spot.act()
            if spot.grips and self.front is not None:
                self.pressed_in_view = True
                self.front.grip(x, y, button)
        elif self.front is not None and not self.ui.modal and (spot is None or spot.input is None):
            self.pressed_in_view = True
            self.front.press(x, y, button)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        self.ui.modifiers = modifiers
        if self.front is not None and self.pressed_in_view:
            self.pressed_in_view = False
            self.front.release(x, y, button)
            self.refresh()
        self.placing.released()

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self.ui.mouse = (x, y)
        if self.front is not None and self.pressed_in_view:
            self.front.drag(x, y, dx, dy, buttons)
        else:
            self.key_dispatch.point_in_field(x, select=True)
        self.refresh()

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        steps = round(scroll_y) or (1 if scroll_y > 0 else -1 if scroll_y < 0 else 0)
        if self.front is not None and not self.ui.wheel(x, y, steps) and not self.ui.modal:
            self.front.wheel(x, y, steps)
        self.refresh()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self.key_dispatch.press(symbol, modifiers)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self.placing.released()

    def on_text(self, text: str) -> None:
        self.key_dispatch.text(text)

    def on_text_motion(self, motion: int) -> None:
        self.key_dispatch.motion(motion, select=False)

    def on_text_motion_select(self, motion: int) -> None:
        self.key_dispatch.motion(motion, select=True)

    def clipboard(self) -> str:
        """Return what is on the clipboard, "" where there is none."""
        with contextlib.suppress(Exception):  # each platform fails in its own way
            return str(self.get_clipboard_text())
        return ""

    def copy(self, text: str) -> bool:
        """Put text on the clipboard; return False where there is none."""
        try:
            self.set_clipboard_text(text)
        except Exception:  # noqa: BLE001 - each platform fails in its own way
            return False
        return True
