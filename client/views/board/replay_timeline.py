"""Timeline of a replay: who acts in each step, and where it stands. A click or a drag goes there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Final

from client.model.replay.replay_player import ReplayPlayer
from client.model.table.tabletop import Tabletop
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.table_layout import NOWHERE

COLUMN: Final = 2
"""Least width in pixels of a step; of a long replay several have one column."""
TO_COME: Final = 110
"""Opacity of the colours of steps that have not been shown."""


class ReplayTimeline:
    """Bar with a colour for the seat that acts. `go` shows a step."""

    def __init__(self, player: ReplayPlayer, go: Callable[[int], None]) -> None:
        self._player = player
        self._go = go
        self._acting = player.acting()
        self._rect = NOWHERE

    def draw(self, ui: Ui, rect: Rect, top: Tabletop) -> None:
        """Draw the bar; the step under the mouse is named."""
        self._rect = rect
        player = self._player
        ui.painter.rect(rect, theme.FIELD)
        count = max(min(player.last + 1, int(rect.w // COLUMN)), 1)
        wide = rect.w / count
        shown = self._place(player.step)
        steps = (round(column * player.last / max(count - 1, 1)) for column in range(count))
        columns = [(self._acting[step], step <= player.step) for step in steps]
        for (seat, is_past), run in groupby(enumerate(columns), key=lambda item: item[1]):
            places = [place for place, _ in run]
            if seat >= 0:
                colour = theme.seat_colour(top.colour_of(seat))
                strip = Rect(rect.x + places[0] * wide, rect.y, len(places) * wide, rect.h)
                ui.painter.rect(strip, colour if is_past else theme.faded(colour, TO_COME))
        ui.painter.cased([(shown, rect.y - 2), (shown, rect.top + 2)], 3, theme.TEXT)
        ui.tag(rect, phrase("replay.progress"), self._tip(ui), lambda: self.go_to(ui.mouse[0]), grips=True)

    def holds(self, x: float, y: float) -> bool:
        """Return True where the bar is at a place of the window."""
        return self._rect.contains(x, y)

    def go_to(self, x: float) -> None:
        """Show the step at a place across."""
        self._go(self._step_at(x))

    def _tip(self, ui: Ui) -> str:
        if not self._rect.contains(*ui.mouse):
            return phrase("replay.progress.tip")
        step = self._step_at(ui.mouse[0])
        words = phrase("replay.step", step=step, last=self._player.last)
        return "\n".join(filter(None, (words, self._player.headline(step), phrase("replay.progress.tip"))))

    def _step_at(self, x: float) -> int:
        share = (x - self._rect.x) / max(self._rect.w, 1)
        return round(min(max(share, 0.0), 1.0) * self._player.last)

    def _place(self, step: int) -> float:
        return self._rect.x + self._rect.w * step / max(self._player.last, 1)
