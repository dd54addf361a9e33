"""Frame of the user interface as a view describes it: shapes, lines of text, and what can be clicked.

A view describes everything anew whenever something changed; parts of it that are told by all that they are made of are
taken over as they were while that is the same. What can be clicked carries its visible label, so that a person, a test
and a screen reader find the same things at the same places.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

import arcade

from client.input.key_table import KeyTable
from client.text.spoken import SPOKEN
from client.ui import measure, theme
from client.ui.drawn_part import Layer as Layer, cut_out
from client.ui.hotspots import Act as Act, Hotspot as Hotspot
from client.ui.kept import Kept
from client.ui.layout import Rect, up_to_grid
from client.ui.lettering import Anchor, Key
from client.ui.text_input import TextInput
from client.ui.theme import Colour
from client.ui.tip_places import tip_box

R = TypeVar("R")
BELOW = ("ground", "veil")
"""Layers below the figures."""
LAYERS = (*BELOW, "marks", "panels", "over", "popup", "above", "tips")
"""From the lowest. `veil`: what lies over the ground as one, with holes. On each layer the letters lie over the shapes:
what covers letters stands on a layer above them. `over`: over panels and board, below all pages; `above`: a popup over
another one."""
TWO_LINES = 40
"""Pixels from foot to top of a button in which its small words stand below its label."""


@dataclass
class Ui:
    """Surface that the views draw on. Sizes given at text scale 1 are multiplied by `scale` here.

    `marked`: what the keyboard has marked; `typed`: the first digits of a longer number; `keys`: the person's keys;
    `kept`: what stays from frame to frame.
    """

    layers: dict[str, Layer]
    size: tuple[int, int] = (1280, 800)
    scale: float = 1.0
    mouse: tuple[float, float] = (-1, -1)
    modifiers: int = 0
    """Keys held at the last press or release of a mouse button, as the toolkit counts them; none at a click that keys
    have made."""
    focus: TextInput | None = None
    marked: Hotspot | None = None
    typed: str = ""
    keys: KeyTable = field(default_factory=KeyTable)
    kept: Kept = field(default_factory=Kept)
    setting: object = None
    """Values that all parts depend on."""
    hotspots: list[Hotspot] = field(default_factory=list)
    wheels: list[tuple[Rect, Callable[[int], None]]] = field(default_factory=list)
    layer: str = "panels"
    """Layer that is drawn on."""
    front: str = "panels"
    """Layer of the topmost page."""
    tip: str = ""
    modal: int = 0
    modal_wheels: int = 0
    tip_room: Rect | None = None
    page: Rect | None = None
    """The panel of the topmost popup."""
    head: float = 0
    """Height in pixels at the top of the window that popups leave to the notice bar."""
    clear: list[Rect] = field(default_factory=list)
    """Places that no tip covers."""
    spared: list[Rect] = field(default_factory=list)
    """Places that tips cover only where there is no other room."""
    ringed: list[Rect] = field(default_factory=list)
    """Places that tips cover only where there is no room but on others of these."""

    def begin(self, size: tuple[int, int]) -> None:
        """Begin a new frame in a window of this size in pixels."""
        self.size, self.front, self.tip = size, "panels", ""
        self.hotspots, self.wheels, self.modal, self.modal_wheels, self.tip_room = [], [], 0, 0, None
        self.page = None
        self.clear, self.spared, self.ringed = [], [], []
        setting = size, self.scale, theme.THEME, theme.PALETTE, theme.CARD_FACES, SPOKEN.language
        if setting != self.setting:
            self.kept.forget()
            self.setting = setting
        for layer in self.layers.values():
            layer.begin()
        self.on("panels")

    def end(self) -> bool:
        """End the frame; return True if it looks other than the one before."""
        if self.tip:
            self._draw_tip(self.tip)
        return any(layer.has_changed() for layer in self.layers.values())

    def on(self, layer: str) -> None:
        """Draw what follows on this layer."""
        self.layer = layer
        self.painter, self.letters = self.layers[layer].painter, self.layers[layer].letters

    def part(self, name: Hashable, given: object, draw: Callable[[], R], under: Rect | None = None) -> R:
        """Draw a part of the frame, and return what `draw` returns; taken over as it was while `given` is the same.

        `given` has everything that steers the part but the window's size, text scale, theme and language, and nothing
        that can change in itself. A part that looks other under the mouse tells its place (`under`), and is drawn anew
        while the mouse is there. No part opens a page or has a field to type in.
        """
        if under is not None and under.contains(*self.mouse):
            return draw()
        part = self.kept.one(name, (self.layer, given), lambda: cut_out(self, draw))
        part.put(self)
        return part.result

    def begin_popup(self) -> None:
        """Draw what follows above all else; it alone can be clicked."""
        self.front = "popup" if self.front == "panels" else "above"
        self.on(self.front)
        self.tip = ""
        self.modal, self.modal_wheels = len(self.hotspots), len(self.wheels)
        self.painter.rect(Rect(0, 0, *self.size), theme.SHADE)

    def px(self, size: float) -> int:
        return max(round(size * self.scale), 1)

    @property
    def window(self) -> Rect:
        return Rect(0, 0, *self.size)

    def hovered(self) -> Hotspot | None:
        """Return the topmost hotspot under the mouse."""
        return self.hit(*self.mouse)

    def hit(self, x: float, y: float) -> Hotspot | None:
        return next((spot for spot in reversed(self.front_spots) if spot.rect.contains(x, y)), None)

    @property
    def front_spots(self) -> list[Hotspot]:
        """The hotspots of the topmost page."""
        return self.hotspots[self.modal :]

    def wheel(self, x: float, y: float, steps: int) -> bool:
        """Turn the wheel at a place; return False if nothing there scrolls."""
        for rect, scroll in reversed(self.wheels):
            if rect.contains(x, y):
                scroll(steps)
                return True
        return False

    def label(
        self,
        text: str,
        x: float,
        y: float,
        *,
        size: float = theme.BODY,
        colour: Colour | None = None,
        bold: bool = False,
        anchor: Anchor = "left",
        room: float = 0,
    ) -> None:
        """Draw one line with its middle height at `y`, in the colour of text where none is given; what is wider than
        `room` pixels, if given, is set in the narrow cut, and what is wider still is cut off with an ellipsis."""
        px, narrow = self.px(size), _is_narrow(size)
        narrow = narrow or (room > 0 and measure.width(text, px, bold=bold) > int(room))
        shown = measure.clip(text, px, int(room), bold=bold, narrow=narrow) if room else text
        if shown:
            self.letters.put(Key(shown, px, bold, narrow, colour or theme.TEXT, anchor), x, y)

    def picture(self, texture: arcade.Texture, x: float, y: float) -> None:
        """Draw a picture as it is, its middle at a place: above the shapes of the layer, below its texts."""
        self.layers[self.layer].pictures.put(texture, x, y)

    def line(
        self,
        text: str,
        rect: Rect,
        *,
        size: float = theme.BODY,
        colour: Colour | None = None,
        bold: bool = False,
        anchor: Anchor = "left",
    ) -> None:
        """Draw one line of text at half the height of `rect`; what is wider is cut off."""
        x = {"left": rect.x, "center": rect.centre[0], "right": rect.right}[anchor]
        self.label(text, x, rect.centre[1], size=size, colour=colour, bold=bold, anchor=anchor, room=rect.w)

    def lines(
        self,
        text: str,
        rect: Rect,
        *,
        size: float = theme.BODY,
        colour: Colour | None = None,
        bold: bool = False,
        most: int = 99,
        gap: float = 0,
    ) -> Rect:
        """Draw text broken into lines from the top of `rect`, as many as fit; return the room below, less a gap."""
        px, narrow = self.px(size), _is_narrow(size)
        step = self.line_height(size)
        fitting = min(most, int(rect.h // step))
        wrapped = self.wrapped(text, rect.w, size=size, bold=bold)
        for i, line in enumerate(wrapped[:fitting]):
            cut_off = i == fitting - 1 and len(wrapped) > fitting
            shown = measure.clip(line + " …", px, int(rect.w), bold=bold, narrow=narrow) if cut_off else line
            if shown:
                key = Key(shown, px, bold, narrow, colour or theme.TEXT, "left")
                self.letters.put(key, rect.x, rect.top - step * (i + 0.5))
        used = min(len(wrapped), max(fitting, 0)) * step
        return rect.cut_top(used + (self.px(gap) if gap else 0))[1]

    def lines_height(self, text: str, width: float, *, size: float = theme.BODY, bold: bool = False) -> float:
        """Return the height in pixels that `lines` needs for the whole text."""
        return len(self.wrapped(text, width, size=size, bold=bold)) * self.line_height(size)

    def line_height(self, size: float) -> int:
        """Return the height in pixels of a line of text of this size."""
        return self.px(theme.LINES[size])

    def wrapped(self, text: str, width: float, *, size: float = theme.BODY, bold: bool = False) -> tuple[str, ...]:
        """Break text into lines of at most `width` pixels."""
        return measure.wrap(text, self.px(size), max(int(width), 10), bold=bold, narrow=_is_narrow(size))

    def width(self, text: str, *, size: float = theme.BODY, bold: bool = False) -> float:
        """Return the width in pixels of one line."""
        return measure.width(text, self.px(size), bold=bold, narrow=_is_narrow(size))

    def panel(self, rect: Rect, title: str = "") -> Rect:
        """Draw a panel with its edge; return the room inside."""
        self.painter.box(rect, theme.PANEL, 1, theme.PANEL_EDGE)
        inside = rect.inset(self.px(8))
        if title:
            head, inside = inside.cut_top(self.px(24), self.px(4))
            self.line(title, head, size=theme.LARGE, bold=True)
        return inside

    def popup(self, width: float, height: float, title: str = "") -> Rect:
        """Draw a panel above everything in the middle of the window; return the room inside."""
        self.begin_popup()
        self.page = self.popup_room.middle(up_to_grid(width), up_to_grid(height))
        return self.panel(self.page, title)

    @property
    def popup_room(self) -> Rect:
        """The window less what popups leave to the notice bar."""
        return self.window.cut_top(self.head)[1]

    def button(
        self,
        rect: Rect,
        label: str,
        act: Act | None,
        *,
        primary: bool = False,
        chosen: bool = False,
        key: str = "",
        tip: str = "",
        left: bool = False,
        name: str = "",
        below: str = "",
        listed: bool = False,
        number: int = 0,
        grips: bool = False,
    ) -> None:
        """Draw a button; without `act` it is greyed and `tip` says why.

        `key` shows its hot key; `name` is what it is found by where that is more than its label; `below`: small words
        of a button at the left, below the label, in a low one beside it. A button of a list (`listed`) has a number
        instead: `number`, or the next free one. `grips`: as of a Hotspot.
        """
        spot = Hotspot(rect, name or label, act, tip, listed=listed, number=number, grips=grips)
        self.hotspots.append(spot)
        hover = act is not None and rect.contains(*self.mouse)
        if act is None:
            back, ink = theme.PANEL, theme.FAINT
        elif primary:
            back, ink = (theme.ACCENT_HOVER if hover else theme.ACCENT), theme.TEXT
        else:
            back, ink = (theme.HOVER if hover else theme.RAISED), theme.TEXT
        self.painter.rect(rect, back, 5)
        edge = theme.CHOSEN if chosen else theme.PANEL_EDGE
        self.painter.frame(rect, 2 if chosen else 1, edge, 5)
        pad = self.px(8)
        room = rect.w - 2 * pad
        if key:
            hint = theme.TEXT if primary else theme.MUTED
            self.label(key, rect.right - pad, rect.centre[1], size=theme.SMALL, colour=hint, anchor="right")
            room -= self.width(key, size=theme.SMALL) + pad
        elif listed:
            room -= self.width("00", size=theme.SMALL) + pad
        if left or key:
            x, y = rect.x + pad, rect.centre[1]
            said = theme.TEXT if primary else theme.MUTED
            if below and rect.h >= self.px(TWO_LINES):
                self.label(below, x, y - self.px(10), size=theme.SMALL, colour=said, room=room)
                y += self.px(8)
            elif below and (beside := room - self.width(label) - pad) > 0:
                self.label(below, x + room, y, size=theme.SMALL, colour=said, anchor="right", room=beside)
            self.label(label, x, y, colour=ink, room=room)
        else:
            self.label(label, rect.x + pad + room / 2, rect.centre[1], colour=ink, anchor="center", room=room)

    def input(self, rect: Rect, box: TextInput, label: str) -> None:
        """Draw a text field; it is found by `label`, which is shown in it while it is empty."""
        self.hotspots.append(Hotspot(rect, label, None, "", box))
        focused = self.focus is box
        self.painter.box(rect, theme.FIELD, 2 if focused else 1, theme.FOCUS if focused else theme.PANEL_EDGE, 4)
        pad, px = self.px(8), self.px(theme.BODY)
        room = int(rect.w - 2 * pad)

        shown, caret = box.window(self.width, room)
        y = rect.centre[1]
        start, end = box.selected_span(self.width, room) if focused else (0, 0)
        if end > start:
            self.painter.rect(Rect(rect.x + pad + start, y - px * 0.7, end - start, px * 1.4), theme.ACCENT)
        if box.text:
            self.label(shown, rect.x + pad, y)
        else:
            self.label(label, rect.x + pad, y, colour=theme.FAINT, room=room)
        if focused:
            x = rect.x + pad + caret
            self.painter.stroke([(x, y - px * 0.65), (x, y + px * 0.65)], 1.5, theme.TEXT)

    def tag(
        self, rect: Rect, label: str, tip: str = "", act: Act | None = None, rule: str = "", *, grips: bool = False
    ) -> None:
        """Add a hotspot for something drawn elsewhere, to be found, asked about, or clicked. `grips`: as of a
        Hotspot."""
        self.hotspots.append(Hotspot(rect, label, act, tip, rule=rule, grips=grips))

    def scrolls(self, rect: Rect, scroll: Callable[[int], None]) -> None:
        """Call `scroll` with the wheel's steps while the mouse is over `rect`."""
        self.wheels.append((rect, scroll))

    def tooltip(self, text: str) -> None:
        """Tell of what is under the mouse, above all else: the last one told counts, and none of what a page covers."""
        self.tip = text

    def _draw_tip(self, text: str) -> None:
        """Draw a box beside the mouse, off the live buttons of lists and what is spared; while the mouse is in
        `tip_room`, not past its right edge."""
        self.on("tips")
        width = min(self.px(320), max(self.width(line, size=theme.SMALL) for line in text.splitlines()) + 4)
        height = self.lines_height(text, width, size=theme.SMALL)
        pad = self.px(8)
        room = self.tip_room if self.tip_room is not None and self.tip_room.contains(*self.mouse) else self.window
        lists = [spot.rect for spot in self.front_spots if spot.listed and spot.can]
        size = width + 2 * pad, height + 2 * pad
        box = tip_box(self.mouse, size, self.window, room, lists, self.clear, self.spared, self.ringed)
        if box is None:
            return
        self.painter.box(box, theme.faded(theme.VEIL, 245), 1, theme.PANEL_EDGE, 5)
        self.lines(text, Rect(box.x + pad, box.y, width + 2, height + pad), size=theme.SMALL)


def _is_narrow(size: float) -> bool:
    """Return True of the size that is set in the condensed cut."""
    return size == theme.SMALL
