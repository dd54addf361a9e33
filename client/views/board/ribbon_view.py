"""The ribbon: what happened since one last acted, in small pictures that can be pointed at and played again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from client.draw.board.acts import draw_way_and_shots
from client.draw.board.vignette import draw_vignette
from client.model.playback.ribbon import RibbonEntry
from client.model.table.story import Story
from client.model.table.view_model import ViewModel
from client.model.words.act_words import act_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from protocol.scene.nodes import TURN, Prompt

HEAD = 20
CARD = 72
PICTURE = 88
"""Pixels from foot to top of the heading and of a card, and across of its picture."""
SHOWN_ELSE = 20
"""Acts that stand in the ribbon of one who has not played since, or who watches."""
FROM = 2
"""Acts of others after which the ribbon opens by itself when one's turn comes."""


class RibbonView:
    """Ribbon of a story, for the person in a seat (-1: who watches)."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.is_open = False
        self.back = 0
        """Newest entries that are scrolled out of sight."""
        self.hovered: RibbonEntry | None = None
        self._prompted = ""
        self.opened_itself = False
        """True while it is open without having been asked for."""

    def entries(self, seat: int) -> Sequence[RibbonEntry]:
        """Return what stands in the ribbon, the newest last."""
        return self.story.ribbon.since(seat) or list(self.story.ribbon.entries)[-SHOWN_ELSE:]

    def sync(self, prompt: Prompt | None, seat: int) -> None:
        """Open where one's turn has come after several acts of others; close what opened itself once one acts."""
        asked = prompt.id if prompt is not None and prompt.choices and prompt.window == TURN else ""
        if asked == self._prompted:
            return
        since = [entry for entry in self.story.ribbon.since(seat) if entry.act is not None]
        if asked and seat >= 0 and not self._prompted and len(since) >= FROM:
            self.is_open, self.opened_itself, self.back = True, True, 0
        elif self.opened_itself and len(since) < FROM:
            self.is_open = self.opened_itself = False
        self._prompted = asked

    def turn(self, *, is_open: bool) -> None:
        """Open or close the ribbon, as a person asks."""
        self.is_open, self.opened_itself, self.back = is_open, False, 0

    def draw(self, ui: Ui, model: ViewModel, rect: Rect) -> None:
        """Draw the ribbon as a panel."""
        entries = self.entries(model.seat)
        head, rows = ui.panel(rect).cut_top(ui.px(HEAD), ui.px(4))
        is_since = model.seat >= 0 and bool(self.story.ribbon.since(model.seat))
        ui.line(phrase("ribbon.title" if is_since else "ribbon.watching"), head, bold=True)
        self._draw_cards(ui, rows, entries, model)
        ui.scrolls(rect, self._turn)

    def point(self, ui: Ui, camera: Camera, model: ViewModel) -> None:
        """Show on the table where the act under the mouse took place."""
        if self.is_open and self.hovered is not None:
            draw_way_and_shots(ui, camera, model.top, self.hovered.before, tuple(self.hovered.cues()))

    def _draw_cards(self, ui: Ui, rows: Rect, entries: Sequence[RibbonEntry], model: ViewModel) -> None:
        """Draw as many of the newest as there is room for, the newest lowest."""
        high, gap = min(ui.px(CARD), rows.h), ui.px(4)
        fit = max(int((rows.h + gap) // (high + gap)), 1)
        self.back = min(self.back, max(len(entries) - fit, 0))
        end = len(entries) - self.back
        for box, entry in zip(rows.rows(high, gap), entries[max(end - fit, 0) : end], strict=False):
            self._draw_card(ui, box, entry, model)
        if not entries:
            ui.lines(phrase("ribbon.none"), rows, size=theme.SMALL, colour=theme.MUTED)

    def _draw_card(self, ui: Ui, box: Rect, entry: RibbonEntry, model: ViewModel) -> None:
        words = act_words(entry, model)
        colour = theme.seat_colour(model.top.colour_of(entry.seat) if entry.seat >= 0 else -1)
        is_hovered = box.contains(*ui.mouse)
        ui.painter.box(box, theme.HOVER if is_hovered else theme.RAISED, 1, theme.PANEL_EDGE, 4)
        picture, text = box.inset(ui.px(4)).cut_left(min(ui.px(PICTURE), on_grid(box.w * 0.4)), ui.px(12))
        draw_vignette(ui, picture, entry, model.top, colour)
        ui.painter.rect(Rect(text.x - ui.px(8), text.y, ui.px(4), text.h), colour)
        ui.lines(words, text, size=theme.SMALL)
        again = partial(self.story.play_again, entry) if entry.before is not None else None
        tip = f"{words}\n{phrase('ribbon.again' if again is not None else 'ribbon.told')}"
        ui.tag(box, words, tip=tip, act=again)
        if is_hovered:
            self.hovered = entry

    def _turn(self, steps: int) -> None:
        self.back = max(self.back + steps, 0)
