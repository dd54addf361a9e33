"""The window, with what a test reads from it: places by label, what can be clicked, time by hand."""

from __future__ import annotations

from collections.abc import Callable

from client.app.window import App
from client.ui.frame import Hotspot
from client.views.board.board_screen import BoardScreen
from protocol.ids import NodeId


class ReadableApp(App):
    """Window whose things are found by their labels, as a person finds them by their words."""

    def labels(self) -> dict[str, tuple[float, float]]:
        """Return the middle of each visible thing that can be clicked or has a tooltip, by label."""
        self.build()
        found: dict[str, tuple[float, float]] = {}
        for spot in self.ui.hotspots[self.ui.modal :]:
            found.setdefault(spot.label, spot.rect.centre)
        return found

    def enabled(self) -> dict[str, tuple[float, float]]:
        """Return the labels that do something when they are clicked now."""
        self.build()
        can = {
            spot.label for spot in self.ui.hotspots[self.ui.modal :] if spot.act is not None or spot.input is not None
        }
        return {label: place for label, place in self.labels().items() if label in can}

    def find(self, label: str) -> tuple[float, float]:
        """Return the place of a visible label, or of a thing of the scene by its node id. Raises LookupError."""
        self.build()
        places = self.front.board.places if isinstance(self.front, BoardScreen) else {}
        place = self.labels().get(label) or places.get(NodeId(label))
        if place is None:
            raise LookupError(f"“{label}” is not to be seen; there are: {', '.join(sorted(self.labels()))}")
        return place

    def step(self, seconds: float) -> None:
        """Handle the events in the queue, then let `seconds` pass, without the toolkit's own loop. Draws nothing."""
        self.dispatch_events()
        self.on_update(seconds)

    def turned(self, holds: Callable[[], object]) -> Callable[[], bool]:
        """Return a look, for `until`, that lets the window run for a moment before it asks for what `holds`."""

        def look() -> bool:
            self.step(0.02)
            return bool(holds())

        return look

    def hot_at(self, x: float, y: float) -> Hotspot | None:
        """Return the hotspot at a place in pixels, if any."""
        self.build()
        return self.ui.hit(x, y)
