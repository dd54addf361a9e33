"""Figures as sprites: a dark base that carries its faction's colour and shape, sharp at every zoom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

import arcade
from PIL import Image, ImageDraw

from client.draw.emblem import polygon_corners, shape_points
from client.model.tabletop import Tabletop
from client.ui import measure, theme
from client.ui.camera import Camera
from client.ui.layout import Rect
from protocol.ids import NodeId
from protocol.scene.nodes import Piece, Point

SIZES = (12, 16, 24, 32, 48, 64, 96, 128)
OVERSAMPLE = 4
LETTERED_FROM = 24
LEAST_SIDE = 4
THORNS = 11
GLIDE = 0.4  # seconds that a figure takes to its new place


@lru_cache(maxsize=512)
def figure_texture(colour: int, letter: str, size: int) -> arcade.Texture:
    """Return a round base of `size` pixels; `letter` marks the weapon, "" for none."""
    return arcade.Texture(figure_image(colour, letter, size), hit_box_points=((-1, -1), (1, -1), (1, 1), (-1, 1)))


def figure_image(colour: int, letter: str, size: int) -> Image.Image:
    """Draw the picture behind `figure_texture`."""
    big = size * OVERSAMPLE
    image = Image.new("RGBA", (big, big), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.ellipse((0, 0, big - 1, big - 1), fill=theme.INK)
    if colour < 0:
        _beast(pen, big)
        return image.resize((size, size), Image.Resampling.LANCZOS)
    tone = theme.seat_colour(colour)
    shape = shape_points(theme.seat_shape(colour), big / 2, big / 2, big * 0.43)
    pen.polygon(shape, fill=tone)
    if letter:
        ink = theme.readable_on(tone)
        pen.text((big / 2, big / 2), letter, font=measure.font(big // 3, bold=True), fill=ink[:3], anchor="mm")
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _beast(pen: ImageDraw.ImageDraw, big: int) -> None:
    """Draw a figure that belongs to no seat: thorns all round, and two eyes."""
    middle, hide = big / 2, theme.ZONES["danger"]
    long = polygon_corners(middle, middle, big * 0.47, THORNS, -90)
    short = polygon_corners(middle, middle, big * 0.33, THORNS, -90 + 180 / THORNS)
    pen.polygon([corner for pair in zip(long, short, strict=True) for corner in pair], fill=hide)
    for side in (-1, 1):
        x, y, r = middle + side * big * 0.13, middle - big * 0.05, big * 0.07
        pen.ellipse((x - r, y - r, x + r, y + r), fill=theme.INK)


@lru_cache(maxsize=256)
def box_texture(colour: int, letter: str, size: tuple[int, int], *, airborne: bool) -> arcade.Texture:
    """Return a rectangular base of `size` pixels, its front to the right; one that is airborne has a rotor above it."""
    image = box_image(colour, letter, size, airborne=airborne)
    return arcade.Texture(image, hit_box_points=((-1, -1), (1, -1), (1, 1), (-1, 1)))


def box_image(colour: int, letter: str, size: tuple[int, int], *, airborne: bool) -> Image.Image:
    """Draw the picture behind `box_texture`: a square, large enough to be turned."""
    length, width = size[0] * OVERSAMPLE, size[1] * OVERSAMPLE
    big = max(length, width)
    image = Image.new("RGBA", (big, big), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    tone, middle = theme.seat_colour(colour), big / 2
    left, top, right, bottom = 0, middle - width / 2, big - 1, middle + width / 2 - 1
    pen.rounded_rectangle((left, top, right, bottom), radius=width * 0.16, fill=theme.INK)
    edge = width * 0.09
    body = (left + edge, top + edge, right - edge, bottom - edge)
    pen.rounded_rectangle(body, radius=width * 0.12, fill=tone)
    # the front: a dark arrow head
    tip = right - 2 * edge
    back = tip - width * 0.42
    pen.polygon([(back, top + 2 * edge), (tip, middle), (back, bottom - 2 * edge)], fill=theme.INK)
    shape = shape_points(theme.seat_shape(colour), length * 0.34, middle, width * 0.3)
    pen.polygon(shape, fill=theme.INK)
    if letter:
        letters = measure.font(int(width * 0.3), bold=True)
        pen.text((length * 0.34, middle), letter, font=letters, fill=tone[:3], anchor="mm")
    if airborne:
        light, first, last = theme.readable_on(theme.INK), middle - length / 2, middle + length / 2 - 1
        pen.ellipse((first, first, last, last), outline=light, width=max(OVERSAMPLE, int(edge / 2)))
        for turn in (35, 125):
            reach, angle = length / 2 * 0.98, math.radians(turn)
            dx, dy = reach * math.cos(angle), reach * math.sin(angle)
            ends = (middle - dx, middle - dy, middle + dx, middle + dy)
            pen.line(ends, fill=light, width=max(OVERSAMPLE, int(edge)))
    return image.resize((max(size), max(size)), Image.Resampling.LANCZOS)


class Figures:
    """All pieces of a table in one sprite list; pieces glide to their places."""

    def __init__(self) -> None:
        self.sprites: arcade.SpriteList[arcade.Sprite] = arcade.SpriteList()
        self.by_id: dict[NodeId, arcade.Sprite] = {}
        self.positions: dict[NodeId, tuple[float, float]] = {}
        self.ways: dict[NodeId, tuple[Point, float]] = {}
        """Goal of each moving figure, and the seconds that it still takes."""

    def stand(self, top: Tabletop, names: Iterable[NodeId]) -> None:
        """Put these figures where they are, without gliding."""
        self.positions.update({name: top.pieces[name].at for name in names if name in top.pieces})

    def place(self, top: Tabletop, camera: Camera, seconds: float = math.inf) -> bool:
        """Move the sprites on towards the pieces' places, `seconds` after the last call; return True if any is still
        moving."""
        for gone in self.by_id.keys() - top.pieces.keys():
            self.by_id.pop(gone).remove_from_sprite_lists()
            self.positions.pop(gone, None)
        moving = self._glide(top.pieces, seconds)
        places = camera.all_to_window([self.positions[name] for name in top.pieces])
        for (name, piece), place in zip(top.pieces.items(), places, strict=True):
            self._put(name, piece, top.colour_of(piece.owner), camera.scale, place)
        return moving

    def rects(self) -> list[Rect]:
        """Return the rectangles in the window that the figures cover."""
        return [Rect(sprite.left, sprite.bottom, sprite.width, sprite.height) for sprite in self.sprites]

    def _glide(self, pieces: Mapping[NodeId, Piece], seconds: float) -> bool:
        ways, self.ways = self.ways, {}
        for name, piece in pieces.items():
            position = self.positions.get(name, piece.at)
            goal, left = ways.get(name, (piece.at, GLIDE))
            if goal != piece.at:
                left = GLIDE
            if position == piece.at or seconds >= left:
                self.positions[name] = piece.at
                continue
            share = seconds / left
            (x, y), (to_x, to_y) = position, piece.at
            self.positions[name] = (x + (to_x - x) * share, y + (to_y - y) * share)
            self.ways[name] = (piece.at, left - seconds)
        return bool(self.ways)

    def _put(self, name: NodeId, piece: Piece, colour: int, scale: float, place: tuple[float, float]) -> None:
        broad = 2 * piece.radius if piece.box is None else max(piece.box)
        across = max(broad * scale, 9.0)
        size = next((size for size in SIZES if size >= across), SIZES[-1])
        letter = piece.glyph[:1].upper() if across >= LETTERED_FROM else ""
        if piece.box is None:
            texture = figure_texture(colour, letter, size)
        else:
            # a scene may name a base of any sides, also of 0
            length, width = (max(size * side // max(broad, 1), LEAST_SIDE) for side in piece.box)
            sides = (length, width)
            texture = box_texture(colour, letter, sides, airborne="airborne" in piece.status)
        sprite = self.by_id.get(name)
        if sprite is None:
            sprite = self.by_id[name] = arcade.Sprite(texture)
            self.sprites.append(sprite)
        elif sprite.texture is not texture:
            sprite.texture = texture
        sprite.scale = across / size
        sprite.angle = -piece.facing if piece.box is not None else 0
        sprite.position = place
