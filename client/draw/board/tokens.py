"""Pictures of figures: a base in the seat's colour and pattern, its silhouette, its states as badges.

A base that is shown small bears its seat's shape instead. A dark rim with a pale ring inside stands off from every
ground.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

import arcade
from PIL import Image, ImageDraw, ImageFilter

from client.art.icons import icon
from client.draw.board.patterns import pattern
from client.draw.emblem import polygon_corners, shape_points
from client.ui import measure, theme
from client.ui.theme import Colour

OVERSAMPLE: Final = 4
LEAST: Final = 12
"""Pixels across of the smallest base that is drawn."""
GLYPH_FROM: Final = 18
"""Pixels across from which a base bears its silhouette."""
NUMBERS_FROM: Final = 20
"""Pixels across from which badges have their numbers and signs."""
THORNS: Final = 11
SILHOUETTE: Final = 0.68
"""Size of the silhouette, as a share of the base, ..."""
SMALL: Final = (30, 0.8)
"""... and on bases that are smaller across than these pixels."""
SHADE: Final = 0.3
"""Share of ink in the darker tone of a pattern."""
SHADOW: Final = 120
"""Opacity of the shadow under a figure."""


class Badge(NamedTuple):
    """State of a figure in its corner: `leader`, `trouble`, `wounds`, `aboard`, with a number where there is one."""

    kind: str
    number: int = 0


class Token(NamedTuple):
    """All that decides the picture of a round base, `across` pixels wide."""

    colour: int
    glyph: str
    across: int
    badges: tuple[Badge, ...] = ()
    palette: str = ""
    """Name of the seats' palette; what is drawn is the chosen one's."""


class HullToken(NamedTuple):
    """All that decides the picture of a rectangular base, its front to the right."""

    colour: int
    length: int
    width: int
    is_airborne: bool = False
    palette: str = ""


def margin(across: int) -> int:
    """Return the pixels around a base in its picture: room for shadow and badges."""
    return max(round(across * 0.2), 3)


@lru_cache(maxsize=768)
def token_texture(token: Token) -> arcade.Texture:
    """Return the picture of a round base, with its margin."""
    return _texture(token_image(token))


@lru_cache(maxsize=192)
def hull_texture(hull: HullToken) -> arcade.Texture:
    """Return the picture of a rectangular base: a square, large enough to be turned."""
    return _texture(hull_image(hull))


@lru_cache(maxsize=192)
def mark_texture(token: Token) -> arcade.Texture:
    """Return what stands upright on a rectangular base: silhouette and badges."""
    return _texture(mark_image(token))


def _texture(image: Image.Image) -> arcade.Texture:
    return arcade.Texture(image, hit_box_points=((-1, -1), (1, -1), (1, 1), (-1, 1)))


def token_image(token: Token) -> Image.Image:
    """Draw a round base."""
    size, around = token.across, margin(token.across)
    side = size + 2 * around
    drawn = _disc(token, size) if token.colour >= 0 else _thorns(size)
    image = Image.new("RGBA", (side, side))
    image.paste((0, 0, 0, 255), (0, 0), _shadow(drawn.getchannel("A"), side, around))
    image.alpha_composite(drawn, (around, around))
    if size >= GLYPH_FROM:
        face = theme.seat_colour(token.colour) if token.colour >= 0 else theme.ZONES["danger"]
        _stamp(image, token.glyph, round(size * (SMALL[1] if size < SMALL[0] else SILHOUETTE)), theme.readable_on(face))
    _badges(image, token.badges, size)
    return image


def mark_image(token: Token) -> Image.Image:
    """Draw silhouette and badges alone; where there is no room for the silhouette, the seat's shape."""
    size, around = token.across, margin(token.across)
    image = Image.new("RGBA", (size + 2 * around, size + 2 * around))
    ink = theme.readable_on(theme.seat_colour(token.colour))
    if size >= GLYPH_FROM and icon(token.glyph, 1) is not None:
        _stamp(image, token.glyph, size, ink)
    else:
        big = (size + 2 * around) * OVERSAMPLE
        drawn = Image.new("RGBA", (big, big))
        shape = shape_points(theme.seat_shape(token.colour), big / 2, big / 2, size * OVERSAMPLE * 0.34)
        ImageDraw.Draw(drawn).polygon(shape, fill=ink)
        image.alpha_composite(drawn.reduce(OVERSAMPLE))
    _badges(image, token.badges, size)
    return image


def _disc(token: Token, size: int) -> Image.Image:
    big, tone = size * OVERSAMPLE, theme.seat_colour(token.colour)
    image = Image.new("RGBA", (big, big))
    pen = ImageDraw.Draw(image)
    if size < GLYPH_FROM:
        _round(pen, big, 0, theme.PAPER)
        _round(pen, big, OVERSAMPLE, theme.INK)
        pen.polygon(shape_points(theme.seat_shape(token.colour), big / 2, big / 2, big * 0.41), fill=tone)
        return image.reduce(OVERSAMPLE)
    rim, ring = _widths(size)
    _round(pen, big, 0, theme.INK)
    _round(pen, big, rim, theme.PAPER)
    _round(pen, big, rim + ring, theme.INK)
    edge = rim + ring + OVERSAMPLE * 0.6
    _round(pen, big, edge, tone)
    _shade(image, token.colour, edge)
    _round(pen, big, big * 0.19, tone)
    return image.reduce(OVERSAMPLE)


def _widths(size: int) -> tuple[float, float]:
    """Return the widths of the dark rim and the pale ring, in the finer pixels."""
    return max(size * 0.03, 1.0) * OVERSAMPLE, max(size * 0.045, 1.0) * OVERSAMPLE


def _round(pen: ImageDraw.ImageDraw, big: int, inset: float, fill: Colour) -> None:
    pen.ellipse((inset, inset, big - 1 - inset, big - 1 - inset), fill=fill)


def _shade(image: Image.Image, colour: int, edge: float) -> None:
    """Lay the seat's pattern over a disc."""
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).ellipse((edge, edge, image.width - 1 - edge, image.height - 1 - edge), fill=255)
    laid = Image.new("L", image.size)
    laid.paste(pattern(colour, image.size), (0, 0), mask)
    image.paste(theme.mixed(theme.seat_colour(colour), theme.INK, SHADE), (0, 0), laid)


def _thorns(size: int) -> Image.Image:
    """Draw a base that belongs to no seat: thorns all round."""
    big = size * OVERSAMPLE
    image = Image.new("RGBA", (big, big))
    pen, middle = ImageDraw.Draw(image), big / 2
    for reach, fill in ((0.5, theme.INK), (0.455, theme.PAPER), (0.42, theme.ZONES["danger"])):
        long = polygon_corners(middle, middle, big * reach, THORNS, -90)
        short = polygon_corners(middle, middle, big * (reach - 0.09), THORNS, -90 + 180 / THORNS)
        pen.polygon([corner for pair in zip(long, short, strict=True) for corner in pair], fill=fill)
    return image.reduce(OVERSAMPLE)


def _shadow(shape: Image.Image, side: int, around: int) -> Image.Image:
    """Return the mask of the shadow that a shape casts to the lower right."""
    mask = Image.new("L", (side, side))
    shift = max(round(around * 0.35), 1)
    mask.paste(shape.point([tone * SHADOW // 255 for tone in range(256)]), (around + shift, around + shift))
    return mask.filter(ImageFilter.GaussianBlur(around * 0.4))


def _stamp(image: Image.Image, glyph: str, size: int, ink: Colour) -> None:
    """Lay a silhouette over the middle of a picture; nothing of a glyph without one."""
    mask = icon(glyph, size)
    if mask is not None:
        image.paste(ink, ((image.width - size) // 2, (image.height - size) // 2), mask)


def hull_image(hull: HullToken) -> Image.Image:
    """Draw a rectangular base in the middle of a square: edges, pattern, and a wedge at its front."""
    around = margin(max(hull.length, hull.width))
    side = max(hull.length, hull.width) + 2 * around
    image = Image.new("RGBA", (side, side))
    body = _body(hull)
    left, top = (side - hull.length) // 2, (side - hull.width) // 2
    lifted = around * 0.5 if hull.is_airborne else 0
    mask = Image.new("L", (side, side))
    mask.paste(body.getchannel("A").point([tone * SHADOW // 255 for tone in range(256)]), (left, top))
    image.paste((0, 0, 0, 255), (0, 0), mask.filter(ImageFilter.GaussianBlur(around * 0.35 + lifted)))
    image.alpha_composite(body, (left, top))
    if hull.is_airborne:
        image.alpha_composite(_rotor(side))
    return image


def _body(hull: HullToken) -> Image.Image:
    length, width = hull.length * OVERSAMPLE, hull.width * OVERSAMPLE
    image = Image.new("RGBA", (length, width))
    pen, tone = ImageDraw.Draw(image), theme.seat_colour(hull.colour)
    rim, ring = _widths(min(hull.length, hull.width))
    inset = 0.0
    for step, fill in ((rim, theme.INK), (ring, theme.PAPER), (OVERSAMPLE * 0.6, theme.INK), (0.0, tone)):
        box = (inset, inset, length - 1 - inset, width - 1 - inset)
        pen.rounded_rectangle(box, max(width * 0.14 - inset / 2, 1), fill=fill)
        inset += step
    laid = Image.new("L", image.size)
    ends = Image.new("L", image.size, 255)
    ImageDraw.Draw(ends).rectangle((length * 0.22, 0, length * 0.78, width), fill=0)
    inside = Image.new("L", image.size)
    ImageDraw.Draw(inside).rectangle((inset, inset, length - 1 - inset, width - 1 - inset), fill=255)
    ends.paste(0, (0, 0), inside.point([255 - tone for tone in range(256)]))
    laid.paste(pattern(hull.colour, image.size), (0, 0), ends)
    image.paste(theme.mixed(tone, theme.INK, SHADE), (0, 0), laid)
    tip, back = length - inset - rim, length - inset - width * 0.3
    ink = theme.readable_on(tone)
    pen.polygon([(back, inset + width * 0.16), (tip, width / 2), (back, width - inset - width * 0.16)], fill=ink)
    return image.reduce(OVERSAMPLE)


def _rotor(side: int) -> Image.Image:
    big = side * OVERSAMPLE
    image = Image.new("RGBA", (big, big))
    pen, middle, reach = ImageDraw.Draw(image), big / 2, big * 0.44
    pen.ellipse((middle - reach, middle - reach, middle + reach, middle + reach), fill=theme.faded(theme.PAPER, 30))
    pen.ellipse(
        (middle - reach, middle - reach, middle + reach, middle + reach),
        outline=theme.faded(theme.PAPER, 230),
        width=OVERSAMPLE,
    )
    for turn in (35, 125):
        dx, dy = reach * math.cos(math.radians(turn)), reach * math.sin(math.radians(turn))
        ends = (middle - dx, middle - dy, middle + dx, middle + dy)
        pen.line(ends, fill=theme.faded(theme.PAPER, 230), width=OVERSAMPLE * 2)
    return image.reduce(OVERSAMPLE)


_CORNERS: Final = {"leader": (1, -1), "trouble": (-1, -1), "wounds": (1, 1), "aboard": (-1, 1)}
"""Corner of each badge: right is 1, down is 1."""


def _badges(image: Image.Image, badges: tuple[Badge, ...], size: int) -> None:
    if not badges:
        return
    fills = {"leader": theme.LEADS, "trouble": theme.MARK_WARN, "wounds": theme.MARK_BAD, "aboard": theme.PAPER}
    radius = max(size * 0.17, 3.0)
    reach = size / 2 * 0.76
    drawn = Image.new("RGBA", (image.width * OVERSAMPLE, image.height * OVERSAMPLE))
    pen, middle = ImageDraw.Draw(drawn), drawn.width / 2
    for badge in badges:
        across, down = _CORNERS[badge.kind]
        x, y = middle + across * reach * OVERSAMPLE, middle + down * reach * OVERSAMPLE
        for r, fill in ((radius, theme.INK), (radius - 0.9, fills[badge.kind])):
            pen.ellipse((x - r * OVERSAMPLE, y - r * OVERSAMPLE, x + r * OVERSAMPLE, y + r * OVERSAMPLE), fill=fill)
        if size >= NUMBERS_FROM:
            _sign(pen, badge, x, y, radius * OVERSAMPLE)
    image.alpha_composite(drawn.reduce(OVERSAMPLE))


def _sign(pen: ImageDraw.ImageDraw, badge: Badge, x: float, y: float, radius: float) -> None:
    if badge.kind == "leader":
        star = shape_points("star", x, y, radius * 0.68)
        pen.polygon(star, fill=theme.INK)
        return
    words = "!" if badge.kind == "trouble" else str(min(badge.number, 99))
    pen.text((x, y), words, font=measure.font(max(int(radius * 1.45), 6), bold=True), fill=theme.INK, anchor="mm")
