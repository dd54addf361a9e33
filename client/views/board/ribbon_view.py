"""The ribbon over the board: what happened since one last acted, in small pictures that can be pointed at and played
again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from client.draw.board.acts import draw_way_and_shots
from client.draw.board.vignette import draw_vignette
from client.model.playback.durations import length_of
from client.model.playback.ribbon import RibbonEntry
from client.model.story import Story
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.scene.nodes import Prompt

CARD = 164
PICTURE = 0.42
"""Share of a card's height that its picture takes."""
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
        self._opened_itself = False

    def entries(self, seat: int) -> Sequence[RibbonEntry]:
        """Return what stands in the ribbon, the newest last."""
        return self.story.ribbon.since(seat) or list(self.story.ribbon.entries)[-SHOWN_ELSE:]

    def sync(self, prompt: Prompt | None, seat: int) -> None:
        """Open where one's turn has come after several acts of others; close what opened itself once one acts."""
        asked = prompt.id if prompt is not None and prompt.choices and prompt.window == "turn" else ""
        if asked == self._prompted:
            return
        since = [entry for entry in self.story.ribbon.since(seat) if entry.act is not None]
        if asked and seat >= 0 and not self._prompted and len(since) >= FROM:
            self.is_open, self._opened_itself, self.back = True, True, 0
        elif self._opened_itself and len(since) < FROM:
            self.is_open = self._opened_itself = False
        self._prompted = asked

    def toggle(self) -> None:
        """Open or close the ribbon."""
        self.is_open, self._opened_itself, self.back = not self.is_open, False, 0

    def sign_height(self, ui: Ui, model: ViewModel) -> int:
        """Return the pixels that the sign takes at the foot of the seats' panel, 0 where there is none."""
        return 0 if self.is_open or not self.entries(model.seat) else ui.px(28)

    def draw_sign(self, ui: Ui, seats: Rect, model: ViewModel) -> None:
        """Draw the sign by which the ribbon is opened, below the seats."""
        count = len(self.entries(model.seat))
        if not self.sign_height(ui, model):
            return
        box = Rect(seats.x + ui.px(8), seats.y + ui.px(8), seats.w - ui.px(16), ui.px(26))
        key, tip = ui.keys.shown("past"), phrase("ribbon.tip")
        ui.button(box, phrase("ribbon.closed", count=count), self.toggle, key=key, tip=tip)

    def draw(self, ui: Ui, model: ViewModel, rect: Rect) -> None:
        """Draw the ribbon in the place of log and dice."""
        self.hovered = None
        entries = self.entries(model.seat)
        ui.painter.box(rect, theme.PANEL, 1, theme.PANEL_EDGE)
        head, row = rect.inset(ui.px(5)).cut_top(ui.px(20), ui.px(3))
        close, title = head.cut_right(ui.px(24))[1].cut_right(ui.px(150), ui.px(6))
        is_since = model.seat >= 0 and bool(self.story.ribbon.since(model.seat))
        ui.line(phrase("ribbon.title" if is_since else "ribbon.watching"), title, bold=True, size=theme.SMALL)
        ui.button(close, phrase("ribbon.close"), self.toggle, key=ui.keys.shown("past"))
        self._draw_cards(ui, row, entries, model)
        ui.scrolls(rect, self._turn)

    def point(self, ui: Ui, camera: Camera, model: ViewModel) -> None:
        """Show on the table where the act under the mouse took place."""
        if self.is_open and self.hovered is not None:
            draw_way_and_shots(ui, camera, model.top, self.hovered.before, tuple(self.hovered.cues()))

    def _draw_cards(self, ui: Ui, row: Rect, entries: Sequence[RibbonEntry], model: ViewModel) -> None:
        fit = max(int((row.w + theme.GAP) // (ui.px(CARD) + theme.GAP)), 1)
        self.back = min(self.back, max(len(entries) - fit, 0))
        end = len(entries) - self.back
        for place, entry in enumerate(entries[max(end - fit, 0) : end]):
            box = Rect(row.x + place * (ui.px(CARD) + theme.GAP), row.y, min(ui.px(CARD), row.w), row.h)
            self._draw_card(ui, box, entry, model)
        if not entries:
            ui.line(phrase("ribbon.none"), row, size=theme.SMALL, colour=theme.MUTED)

    def _draw_card(self, ui: Ui, box: Rect, entry: RibbonEntry, model: ViewModel) -> None:
        words = _words(entry, model)
        colour = theme.seat_colour(model.top.colour_of(entry.seat) if entry.seat >= 0 else -1)
        is_hovered = box.contains(*ui.mouse)
        ui.painter.box(box, theme.HOVER if is_hovered else theme.RAISED, 1, theme.PANEL_EDGE, 4)
        picture, text = box.inset(3).cut_top(box.h * PICTURE, 3)
        draw_vignette(ui, picture, entry, model.top, colour)
        ui.painter.rect(Rect(text.x, text.y, 3, text.h), colour)
        ui.lines(words, Rect(text.x + ui.px(8), text.y, text.w - ui.px(8), text.h), size=theme.SMALL)
        again = partial(self.story.play_again, entry) if entry.before is not None else None
        tip = f"{words}\n{phrase('ribbon.again' if again is not None else 'ribbon.told')}"
        ui.tag(box, words, tip=tip, act=again)
        if is_hovered:
            self.hovered = entry

    def _turn(self, steps: int) -> None:
        self.back = max(self.back + steps, 0)


def _words(entry: RibbonEntry, model: ViewModel) -> str:
    """Return the line of an act, with the length of the way walked in it."""
    words = entry.words(model.texts)
    way = sum(length_of(cue.path) for cue in entry.cues() if len(cue.path) > 1)
    if entry.seat < 0 or not way:
        return words
    return phrase(f"ribbon.way.{model.top.table.unit}", words=words, length=SPOKEN.decimal(way / 100, "0.#"))
