"""Distances of colours: CIEDE2000 (Sharma, Wu and Dalal 2005), and colours as the colour-blind see them (Machado,
Oliveira and Fernandes 2009, severity 1). Red, green and blue are shares of sRGB, 0 to 255."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

Lab = tuple[float, float, float]

DEFICIENCIES: Final = {
    "protanomaly": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranomaly": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanomaly": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Matrices of Machado's simulation over linear shares of red, green and blue."""
_TO_XYZ: Final = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.072175), (0.0193339, 0.119192, 0.9503041))
_WHITE: Final = (0.95047, 1.0, 1.08883)
_FAR: Final = 25.0**7


def as_seen(colour: Sequence[int], deficiency: str = "") -> Lab:
    """Return a colour in CIELAB (D65), as people with this deficiency see it, "" without one."""
    linear = [_linear(part / 255) for part in colour[:3]]
    if deficiency:
        linear = [min(max(part, 0.0), 1.0) for part in _times(DEFICIENCIES[deficiency], linear)]
    x, y, z = (_cube_root(part / white) for part, white in zip(_times(_TO_XYZ, linear), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _times(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix]


def _cube_root(part: float) -> float:
    return part ** (1 / 3) if part > 216 / 24389 else part * 841 / 108 + 4 / 29


def ciede2000(one: Lab, other: Lab) -> float:
    """Return the distance of two colours in CIELAB; about 1 is the least that is seen."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    grey = 0.5 * (1 - _share((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2))
    (c1, h1), (c2, h2) = (_polar(a * (1 + grey), b) for a, b in ((a1, b1), (a2, b2)))
    turn = _turn(h1, h2) if c1 * c2 else 0.0
    lightness, chroma, hue = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(turn / 2)
    light, strong = (l1 + l2) / 2, (c1 + c2) / 2
    middle = _middle(h1, h2) if c1 * c2 else h1 + h2
    weight = 1 + sum(share * math.cos(times * middle - math.radians(shift)) for share, times, shift in _HUES)
    by_light = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    by_chroma, by_hue = 1 + 0.045 * strong, 1 + 0.015 * strong * weight
    blue = math.radians(60 * math.exp(-(((math.degrees(middle) - 275) / 25) ** 2)))
    turned = -2 * _share(strong) * math.sin(blue)
    parts = lightness / by_light, chroma / by_chroma, hue / by_hue
    return math.sqrt(sum(part * part for part in parts) + turned * parts[1] * parts[2])


_HUES: Final = ((-0.17, 1, 30), (0.24, 2, 0), (0.32, 3, -6), (-0.2, 4, 63))


def _share(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + _FAR))


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.atan2(b, a) % (2 * math.pi) if a or b else 0.0


def _turn(start: float, end: float) -> float:
    """Return the shorter way from one hue to another."""
    turn = end - start
    return turn - 2 * math.pi if turn > math.pi else turn + 2 * math.pi if turn < -math.pi else turn


def _middle(one: float, other: float) -> float:
    total = one + other
    if abs(one - other) <= math.pi:
        return total / 2
    return (total + 2 * math.pi) / 2 if total < 2 * math.pi else (total - 2 * math.pi) / 2
