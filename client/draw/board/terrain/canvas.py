"""Canvas on which one piece of terrain is painted, finer than the table's picture and just as large as it needs."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from client.draw.board.terrain.textures import BLACK, mottled, soft, times, tones_of
from client.model.table.shapes import contains
from client.ui.theme import Colour

FINER: Final = 2
"""Pixels of a sheet's side for each of the table's, so that its edges are smooth."""
MOST_FINE: Final = 6_000_000
"""Pixels of a sheet, at most, that is finer than the table; a larger one, of a third of the table and more, is as fine
as that: it is painted in two dozen layers, each of which takes its time by the pixel."""
MOST_SPOTS: Final = 1_500
"""Things strewn over one piece of terrain, at most."""
MOST_SIDE: Final = 4_800
"""Pixels of a sheet's side, at most."""
Spot = tuple[float, float]


class Canvas:
    """Transparent sheet around an outline, in pixels `finer` times as small as the table's. `inch`: pixels of an inch;
    `spots`: the outline; `mask`: what lies inside it; `ground`: the colour of the table around."""

    def __init__(self, outline: Sequence[Spot], inch: float, ground: Colour, margin: float = 1.2) -> None:
        around = math.ceil(inch * margin)
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        self.left, self.top = math.floor(min(xs)) - around, math.floor(min(ys)) - around
        wide, high = math.ceil(max(xs)) + around - self.left, math.ceil(max(ys)) + around - self.top
        self.finer = FINER if wide * high * FINER * FINER <= MOST_FINE else 1
        self.inch, self.ground = inch * self.finer, ground
        self.size = (min(wide * self.finer, MOST_SIDE), min(high * self.finer, MOST_SIDE))
        self.spots = [((x - self.left) * self.finer, (y - self.top) * self.finer) for x, y in outline]
        self.seed = round(sum(xs) * 31 + sum(ys) * 17) & 0xFFFF
        self.dice = random.Random(self.seed)
        self.image = Image.new("RGBA", self.size)
        self.pen = ImageDraw.Draw(self.image)
        self.mask = self.area(self.spots) if len(self.spots) > 2 else Image.new("L", self.size)

    def finished(self) -> tuple[Image.Image, tuple[int, int]]:
        """Return the sheet in the pixels of the table, with its place there."""
        return self.image.reduce(self.finer), (self.left, self.top)

    def area(self, spots: Sequence[Spot]) -> Image.Image:
        """Return the mask of a polygon."""
        mask = Image.new("L", self.size)
        ImageDraw.Draw(mask).polygon(list(spots), fill=255)
        return mask

    def strip(self, spots: Sequence[Spot], width: float, *, closed: bool = False) -> Image.Image:
        """Return the mask of a line, `width` inches wide."""
        mask = Image.new("L", self.size)
        pen, wide = ImageDraw.Draw(mask), max(round(width * self.inch), 1)
        line = [*spots, *spots[: 2 if closed else 0]]
        pen.line(line, fill=255, width=wide, joint="curve")
        for x, y in line:
            pen.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=255)
        return mask

    def lay(self, what: Image.Image | Colour, mask: Image.Image) -> None:
        """Lay a colour or a surface over the sheet where the mask says so."""
        surface = what.convert("RGBA") if isinstance(what, Image.Image) else Image.new("RGBA", self.size, what)
        surface.putalpha(mask)
        self.image.alpha_composite(surface)

    def texture(self, colour: Colour, mask: Image.Image, spread: float = 0.12, cell: float = 0.8) -> None:
        """Lay a mottled surface of a colour; `cell` is the width of its humps in inches."""
        self.lay(mottled(self.size, tones_of(colour, spread), cell * self.inch, self.seed), mask)

    def shadow(self, mask: Image.Image, length: float, opacity: float = 0.5) -> None:
        """Cast the shadow of something that stands so many inches high, to the lower right."""
        shift = max(round(length * self.inch), 1)
        cast = ImageChops.lighter(mask, ImageChops.offset(mask, shift // 2, shift // 2))
        cast = ImageChops.lighter(cast, ImageChops.offset(mask, shift, shift))
        self.lay(BLACK, times(soft(cast, max(shift * 0.35, 1)), opacity))

    def edge(self, colour: Colour, width: float, opacity: float = 1.0) -> None:
        """Draw the outline, `width` inches wide."""
        self.lay(colour, times(self.strip(self.spots, width, closed=True), opacity))

    def strewn(self, step: float, jitter: float = 0.36) -> list[Spot]:
        """Return places inside the outline, about `step` inches apart and irregular."""
        xs, ys = [x for x, _ in self.spots], [y for _, y in self.spots]
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        gap = max(step * self.inch, math.sqrt(wide * high / MOST_SPOTS), 1.0)
        corners = [(round(x), round(y)) for x, y in self.spots]
        found = []
        for row in range(int(high / gap) + 1):
            for column in range(int(wide / gap) + 1):
                x = min(xs) + (column + 0.5 + (row % 2) / 2 - 0.25 + self.dice.uniform(-jitter, jitter)) * gap
                y = min(ys) + (row + 0.5 + self.dice.uniform(-jitter, jitter)) * gap
                if contains(corners, (round(x), round(y))):
                    found.append((x, y))
        return found

    def blob(self, at: Spot, radius: float, corners: int = 11, rough: float = 0.2) -> list[Spot]:
        """Return the corners of an irregular round shape; `radius` in pixels."""
        begin = self.dice.uniform(0, math.tau)
        return [
            (at[0] + reach * math.cos(turn), at[1] + reach * math.sin(turn))
            for turn, reach in (
                (begin + math.tau * i / corners, radius * self.dice.uniform(1 - rough, 1 + rough))
                for i in range(corners)
            )
        ]

    def along(self, step: float, *, closed: bool = False) -> Iterator[tuple[float, float, float, float]]:
        """Yield places along the line about `step` inches apart, each with its direction; at most `MOST_SPOTS`."""
        left, gap = MOST_SPOTS, max(step * self.inch, 1.0)
        line = [*self.spots, *self.spots[: 1 if closed else 0]]
        for (ax, ay), (bx, by) in pairwise(line):
            length = math.hypot(bx - ax, by - ay)
            if not length:
                continue
            dx, dy = (bx - ax) / length, (by - ay) / length
            count = min(max(round(length / gap), 1), left)
            for i in range(count + 1):
                yield ax + dx * length * i / count, ay + dy * length * i / count, dx, dy
            left -= count
            if left <= 0:
                return
