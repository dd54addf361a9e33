"""Small pictures of acts: the part of the table where one took place, with the way walked, the shot, who fell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from client.model.playback.ribbon import RibbonEntry
from client.model.table.tabletop import Tabletop
from client.ui import theme
from client.ui.camera import Spot
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.ids import NodeId
from protocol.scene.nodes import Cue, Piece, Point

AROUND = 250
"""Hundredths around what an act is about that its picture shows."""
LEAST = 1400
"""Hundredths that a picture shows across at least."""


class Vignette:
    """Part of the table in a box of the window. What reaches beyond is cut off."""

    def __init__(self, ui: Ui, box: Rect, points: Sequence[Spot]) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        across = max(max(xs) - min(xs) + 2 * AROUND, LEAST)
        up = max(max(ys) - min(ys) + 2 * AROUND, LEAST * box.h / box.w)
        self.scale = min(box.w / across, box.h / up)
        self.middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
        self.ui = ui
        self.box = box

    def spot(self, point: Spot) -> Spot:
        """Return where a place of the table lies in the window."""
        (x, y), (cx, cy), (mx, my) = point, self.box.centre, self.middle
        return (cx + (x - mx) * self.scale, cy + (y - my) * self.scale)

    def area(self, points: Iterable[Spot], colour: Colour) -> None:
        corners = cut_to([self.spot(point) for point in points], self.box)
        if len(corners) > 2:
            self.ui.painter.region(corners, colour)

    def line(self, points: Iterable[Spot], width: float, colour: Colour) -> None:
        for a, b in pairwise([self.spot(point) for point in points]):
            ends = cut_to([a, b], self.box)
            if len(ends) > 1:
                self.ui.painter.stroke(ends[:2], width, colour)

    def disc(self, point: Spot, radius: float, colour: Colour) -> None:
        x, y = self.spot(point)
        r = max(radius * self.scale, 2)
        if self.box.inset(r).contains(x, y):
            self.ui.painter.disc(x, y, r, colour)


def draw_vignette(ui: Ui, box: Rect, entry: RibbonEntry, now: Tabletop, colour: Colour) -> None:
    """Draw an act small. `now`: the present table, for acts of which the history alone tells."""
    top = Tabletop(entry.before) if entry.before is not None else now
    points = list(places(entry, top))
    if not points:
        _draw_card(ui, box, colour)
        return
    ground = theme.GROUNDS.get(top.table.ground, theme.GROUND_ELSE)
    ui.painter.rect(box, ground)
    view = Vignette(ui, box, points)
    for feature in top.features.values():
        fill, edge = theme.TERRAIN.get(feature.kind, theme.TERRAIN_ELSE)
        if feature.line:
            view.line(feature.outline, 2, edge)
        else:
            view.area(feature.outline, fill)
    fallen = _fallen(entry)
    about = {*entry.about()}
    for name, piece in top.pieces.items():
        tone = theme.seat_colour(top.colour_of(piece.owner))
        is_meant = name in about or piece.group in about
        view.disc(piece.at, piece.radius * 1.25, theme.INK)
        view.disc(piece.at, piece.radius, tone if is_meant else theme.mixed(tone, ground, 0.45))
    for cue in entry.cues():
        _draw_cue(view, top, cue, colour)
    for piece in fallen:
        x, y = piece.at
        reach = max(piece.radius, 5 / view.scale)
        for turn in (-1, 1):
            view.line([(x - reach, y - turn * reach), (x + reach, y + turn * reach)], 2, theme.MARK_BAD)


def _draw_cue(view: Vignette, top: Tabletop, cue: Cue, colour: Colour) -> None:
    if len(cue.path) > 1:
        view.line(cue.path, 2, theme.SELECT)
        _draw_head(view, cue.path[-2], cue.path[-1])
    elif cue.kind in ("shot", "combat"):
        ends = [place for place in map(top.centre_of, cue.about) if place is not None]
        if len(ends) > 1:
            view.line((ends[0], ends[-1]), 2.5, colour)
            _draw_head(view, ends[0], ends[-1])


def _draw_head(view: Vignette, a: Point, b: Point) -> None:
    """Draw the head of an arrow from one place to another."""
    length = math.dist(a, b)
    if length == 0:
        return
    back, aside = 7 / view.scale / length, 4 / view.scale / length
    dx, dy = b[0] - a[0], b[1] - a[1]
    root = (b[0] - dx * back, b[1] - dy * back)
    view.area(
        [b, (root[0] - dy * aside, root[1] + dx * aside), (root[0] + dy * aside, root[1] - dx * aside)], theme.SELECT
    )


def _draw_card(ui: Ui, box: Rect, colour: Colour) -> None:
    """Draw a card, for what took place nowhere on the table."""
    ui.painter.rect(box, theme.FIELD)
    card = box.middle(box.h * 0.55, box.h * 0.8)
    ui.painter.box(card, theme.PAPER, 1, theme.INK, 4)
    ui.painter.rect(Rect(card.x + 3, card.y + 3, 4, card.h - 6), colour)


def places(entry: RibbonEntry, top: Tabletop) -> Iterable[Point]:
    """Yield the places that an act is about."""
    for cue in entry.cues():
        yield from cue.path
    for name in entry.about():
        pieces = top.pieces_of(name)
        if pieces:
            yield from (piece.at for _, piece in pieces)
        elif (place := top.centre_of(name)) is not None:
            yield place


def _fallen(entry: RibbonEntry) -> list[Piece]:
    """Return the figures that an act has taken off the table."""
    before: Mapping[NodeId, object] = entry.before or {}
    gone = {id for part in entry.parts for one in part.moments for id, node in one.changes.items() if node is None}
    gone |= {id for part in entry.parts for id, node in part.changes.items() if node is None}
    return [piece for piece in map(before.get, gone) if isinstance(piece, Piece)]


def cut_to(points: Sequence[Spot], box: Rect) -> list[Spot]:
    """Return a polygon, or a line of two ends, as far as it lies in a box."""
    found = list(points)
    is_line = len(found) == 2
    for axis, edge, sign in ((0, box.x, 1), (0, box.right, -1), (1, box.y, 1), (1, box.top, -1)):
        before, found = found, []
        for i, b in enumerate(before):
            if is_line and i == 0:
                if (b[axis] - edge) * sign >= 0:
                    found.append(b)
                continue
            a = before[i - 1]
            inside_a, inside_b = (a[axis] - edge) * sign >= 0, (b[axis] - edge) * sign >= 0
            if inside_a != inside_b:
                share = (edge - a[axis]) / (b[axis] - a[axis])
                found.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
            if inside_b:
                found.append(b)
    return found
