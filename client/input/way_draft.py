"""Draft of a way that is drawn on the board, corner by corner."""

from __future__ import annotations

import math

from client.input.board_drafts import BoardDraft
from client.model.table.shapes import nearest_allowed
from client.text.phrases import phrase
from protocol.scene.fields import Way
from protocol.scene.nodes import Point


class WayDraft(BoardDraft[Way]):
    """Draft of a way: each click adds a corner, until there are `most`; then it moves the end. A click at the end takes
    it back."""

    def __init__(self, field: Way) -> None:
        super().__init__(field)
        self.corners: list[Point] = list(zip(field.default[::2], field.default[1::2], strict=True))

    @property
    def end(self) -> Point | None:
        """The last corner, else the start."""
        return self.corners[-1] if self.corners else self.field.start

    def aim(self, point: Point) -> bool:
        corner = self.meant(point)
        if not self.touched:
            self.corners = []  # the first click draws another way than the proposed one
        self.touched = True
        if self.corners and math.dist(self.at(self.corners[-1]), self.at(corner)) <= self.field.radius:
            self.corners.pop()
        else:
            self.corners[self.field.most - 1 :] = [corner]
        return True

    def meant(self, point: Point) -> Point:
        """Return the corner that a click at a point means."""
        grid = self.field.grid
        if grid is not None:
            return grid.nearest(point) or self.end or (0, 0)
        regions = [region for band in self.field.bands for region in band.regions]
        return nearest_allowed(point, self.end if self.touched else self.field.start, 0, regions)

    def at(self, corner: Point) -> Point:
        """Return the place on the table of a corner."""
        return self.field.grid.centre(corner) if self.field.grid is not None else corner

    def step(self, by: int) -> bool:
        if by > 0 and self.end is not None and len(self.corners) < self.field.most:
            self.touched, self.corners = True, [*self.corners, self.end]
        elif by < 0 and self.corners:
            self.touched, self.corners = True, self.corners[:-1]
        return True

    def nudge(self, dx: int, dy: int) -> bool:
        if not self.corners:
            self.step(1)
        if self.corners:
            x, y = self.corners[-1]
            if self.field.grid is not None:
                dx, dy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
            self.touched, self.corners[-1] = True, (x + dx, y + dy)
        return True

    def missing(self) -> str:
        if len(self.corners) >= self.field.least or (self.field.auto and not self.touched):
            return ""
        return phrase("drafts.way")

    def wire(self) -> object:
        return [part for corner in self.corners for part in corner]
