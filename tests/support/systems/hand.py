"""Mouse and keyboard at the client's window: every event goes through the window's queue."""

from __future__ import annotations

from typing import Final

from arcade import key as keys

from tests.support.clients.windows.readable_app import ReadableApp

MOST_TABS: Final = 100


class Hand:
    """Mouse and keyboard events at places; a place is the result of `ReadableApp.find` for a visible label or a thing
    of the scene."""

    def __init__(self, app: ReadableApp) -> None:
        self.app = app

    def click(self, place: tuple[float, float]) -> None:
        x, y = round(place[0]), round(place[1])
        self.app.dispatch_event("on_mouse_motion", x, y, 0, 0)
        self.app.dispatch_event("on_mouse_press", x, y, 1, 0)
        self.app.dispatch_event("on_mouse_release", x, y, 1, 0)
        self.app.dispatch_events()

    def click_on(self, label: str) -> None:
        """Click the middle of the thing with this label. Raises LookupError if it is not to be seen."""
        self.click(self.app.find(label))

    def press(self, symbol: int, modifiers: int = 0) -> None:
        self.app.dispatch_event("on_key_press", symbol, modifiers)
        self.app.dispatch_event("on_key_release", symbol, modifiers)
        self.app.dispatch_events()

    def tab_to(self, label: str, modifiers: int = 0) -> None:
        """Press Tab until the thing with this label is marked. Raises LookupError where Tab does not come there."""
        for _ in range(MOST_TABS):
            self.press(keys.TAB, modifiers)
            marked = self.app.ui.marked
            if marked is not None and marked.label == label:
                return
        raise LookupError(f"Tab does not come to “{label}”")

    def type(self, words: str) -> None:
        for letter in words:
            self.app.dispatch_event("on_text", letter)
        self.app.dispatch_events()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press at one place, move, and let go at another."""
        (ax, ay), (bx, by) = ((round(x), round(y)) for x, y in (start, end))
        self.app.dispatch_event("on_mouse_press", ax, ay, 1, 0)
        self.app.dispatch_event("on_mouse_drag", bx, by, bx - ax, by - ay, 1, 0)
        self.app.dispatch_event("on_mouse_release", bx, by, 1, 0)
        self.app.dispatch_events()

    def point_at(self, place: tuple[float, float]) -> None:
        """Move the mouse there."""
        self.app.dispatch_event("on_mouse_motion", round(place[0]), round(place[1]), 0, 0)
        self.app.dispatch_events()
