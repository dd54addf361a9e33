"""The table's ground and terrain, painted once into one picture with Pillow.

Detail (tufts, stones, roof tiles) comes from a generator seeded by the place, so that the same table always looks the
same.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from client.model.shapes import contains
from client.ui import theme
from client.ui.theme import Colour
from protocol.ids import NodeId
from protocol.scene.nodes import Feature, Point, Table

OVERSAMPLE = 2
MOST_PIXELS = 6000
"""Pixels of a side while it is painted, at most: a scene may name a table or feature of any size."""
MOST_MARKS = 20_000
"""Marks on the ground, at most."""
MOST_STEPS = 200
"""Places tried along each side of a feature, and marks along an edge of a barrier."""


class TerrainCanvas:
    """Picture of the table being painted; table points are turned into pixels here."""

    def __init__(self, table: Table, pixels_per_unit: int) -> None:
        self.scale = min(pixels_per_unit * OVERSAMPLE / 100, MOST_PIXELS / max(*table.size, 1))
        self.height = max(round(table.size[1] * self.scale), OVERSAMPLE)
        self.width = max(round(table.size[0] * self.scale), OVERSAMPLE)
        self.ground = theme.GROUNDS.get(table.ground, theme.GROUND_ELSE)
        self.image = Image.new("RGB", (self.width, self.height), self.ground[:3])
        self.pen = ImageDraw.Draw(self.image)

    def spots(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x * self.scale, self.height - y * self.scale) for x, y in points]

    def area(self, points: Sequence[Point], fill: Colour, edge: Colour, width: int = 14) -> None:
        spots = self.spots(points)
        if len(spots) > 2:
            self.pen.polygon(spots, fill=fill[:3])
            self.line([*points, points[0], points[1]], edge, width)

    def line(self, points: Sequence[tuple[float, float]], colour: Colour, width: float) -> None:
        self.pen.line(self.spots(points), fill=colour[:3], width=max(round(width * self.scale), 1), joint="curve")

    def blob(self, x: float, y: float, radius: float, fill: Colour, edge: Colour | None = None) -> None:
        cx, cy, r = x * self.scale, self.height - y * self.scale, radius * self.scale
        outline = None if edge is None else edge[:3]
        self.pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=fill[:3], outline=outline, width=2)


def terrain_picture(table: Table, features: Mapping[NodeId, Feature], pixels_per_unit: int = 24) -> Image.Image:
    """Paint the table with `pixels_per_unit` pixels an inch (or centimetre)."""
    canvas = TerrainCanvas(table, pixels_per_unit)
    _ground(canvas, table)
    for feature in sorted(features.values(), key=lambda feature: (feature.kind != "river", feature.line)):
        _feature(canvas, feature)
    size = (canvas.width // OVERSAMPLE, canvas.height // OVERSAMPLE)
    return canvas.image.resize(size, Image.Resampling.BOX).convert("RGBA")


def _ground(canvas: TerrainCanvas, table: Table) -> None:
    dice = random.Random(1)
    for _ in range(min(table.size[0] * table.size[1] // 12000, MOST_MARKS)):
        x, y = dice.uniform(0, table.size[0]), dice.uniform(0, table.size[1])
        tone = theme.mixed(canvas.ground, (0, 0, 0, 255) if dice.random() < 0.5 else (255, 255, 255, 255), 0.07)
        canvas.blob(x, y, dice.uniform(4, 15), tone)


def _feature(canvas: TerrainCanvas, feature: Feature) -> None:
    if len(feature.outline) < 2:
        return
    fill, edge = theme.TERRAIN.get(feature.kind, theme.TERRAIN_ELSE)
    if feature.line:
        _barrier(canvas, feature, fill, edge)
        return
    canvas.area(feature.outline, fill, edge)
    match feature.kind:
        case "trees":
            for x, y in _scattered(feature.outline, 46):
                canvas.blob(x, y, 40, theme.mixed(fill, (20, 40, 20, 255), 0.45))
                canvas.blob(x - 8, y + 8, 26, theme.mixed(fill, (190, 220, 150, 255), 0.25))
        case "scrub":
            for x, y in _scattered(feature.outline, 40):
                canvas.blob(x, y, 15, theme.mixed(fill, edge, 0.7))
        case "rubble":
            for x, y in _scattered(feature.outline, 30):
                canvas.blob(x, y, 12, theme.mixed(fill, (255, 255, 255, 255), 0.25), edge)
        case "rocks":
            for x, y in _scattered(feature.outline, 62):
                canvas.blob(x, y, 44, theme.mixed(fill, (255, 255, 255, 255), 0.18), edge)
        case "river":
            for x, y in _scattered(feature.outline, 55):
                canvas.line([(x - 22, y), (x, y + 7), (x + 22, y)], theme.mixed(fill, (255, 255, 255, 255), 0.35), 5)
        case "building":
            _roof(canvas, feature.outline, fill, edge)


def _scattered(outline: Sequence[Point], step: int) -> list[Point]:
    """Return places inside an outline, about `step` hundredths apart, a little irregular; at most 1,500."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    dice = random.Random(xs[0] * 7919 + ys[0])
    places: list[Point] = []
    step = max(step, (max(xs) - min(xs)) // MOST_STEPS, (max(ys) - min(ys)) // MOST_STEPS)
    for y in range(min(ys) + step // 2, max(ys), step):
        for x in range(min(xs) + step // 2, max(xs), step):
            place = (x + dice.randint(-step // 3, step // 3), y + dice.randint(-step // 3, step // 3))
            if contains(outline, place) and len(places) < 1500:
                places.append(place)
    return places


def _roof(canvas: TerrainCanvas, outline: Sequence[Point], fill: Colour, edge: Colour) -> None:
    """Paint walls as a thick edge, a lighter floor, and a line along the ridge."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    cx, cy = sum(xs) / len(xs), sum(ys) / len(ys)
    inner = [(x + (cx - x) * 0.14, y + (cy - y) * 0.14) for x, y in outline]
    canvas.pen.polygon(canvas.spots(inner), fill=theme.mixed(fill, (255, 255, 255, 255), 0.14)[:3])
    canvas.line([*inner, inner[0]], theme.mixed(fill, edge, 0.5), 5)
    canvas.line([*outline, outline[0], outline[1]], edge, 22)


def _barrier(canvas: TerrainCanvas, feature: Feature, fill: Colour, edge: Colour) -> None:
    points = feature.outline
    if feature.kind == "wall":
        canvas.line(points, edge, 40)
        canvas.line(points, fill, 24)
    elif feature.kind == "wooden_fence":
        canvas.line(points, edge, 22)
        canvas.line(points, fill, 12)
    else:
        canvas.line(points, fill, 7)
    gap = {"wall": 60, "wooden_fence": 80}.get(feature.kind, 50)
    for a, b in pairwise(points):
        length = max(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5, 1)
        for i in range(min(int(length // gap), MOST_STEPS) + 1):
            share = i * gap / length
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            if feature.kind == "wire_fence":
                canvas.line([(x - 14, y - 14), (x + 14, y + 14)], edge, 6)
                canvas.line([(x - 14, y + 14), (x + 14, y - 14)], edge, 6)
            else:
                canvas.blob(x, y, 12 if feature.kind == "wall" else 18, edge)
