"""Things that sound: what is struck, bells, brass, drums, guns. Each returns samples."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from tools.sounds.waves import Samples, driven, fading, high, level, low, mixed, noise, roomy, rung, swelling, tone

BRASS: Final = (1.0, 0.62, 0.45, 0.28, 0.14, 0.08)
METAL: Final = ((1.0, 1.0), (2.76, 0.55), (5.4, 0.3), (8.93, 0.14))
"""Overtones of a struck bar, which are no whole ones, with their strengths."""
CHIME: Final = ((1.0, 1.0), (2.0, 0.36), (3.01, 0.2), (4.2, 0.08))


def clack(dice: Random, hertz: float, half_life: float = 0.006) -> Samples:
    """Knock on something small and hard."""
    knock = noise(0.002, dice) + [0.0] * round(half_life * 22_050 * 9)
    return mixed(
        (0, 0.6, rung(knock, hertz, half_life)),
        (0, 0.35, rung(knock, hertz * 1.7, half_life * 0.7)),
        (0, 0.2, rung(knock, hertz * 2.6, half_life * 0.5)),
    )


def thud(dice: Random, hertz: float, half_life: float = 0.03) -> Samples:
    """Let something heavy and soft come down."""
    seconds = half_life * 9
    body = fading(tone(seconds, hertz * 1.6, hertz * 0.8), half_life)
    dust = fading(level(low(noise(seconds, dice), hertz * 4), 1), half_life * 0.6)
    return mixed((0, 0.8, body), (0, 0.5, dust))


def struck(
    hertz: float, half_life: float, overtones: Sequence[tuple[float, float]] = CHIME, seconds: float = 0.0
) -> Samples:
    """Strike a bell or a bar; the higher a part of its sound, the sooner it is gone."""
    lasts = seconds or half_life * 7
    parts = [
        (0.0, strength, fading(tone(lasts, hertz * times), half_life / times**0.6))
        for times, strength in overtones
        if hertz * times < 10_000
    ]
    return swelling(mixed(*parts), 0.003, lasts * 0.25)


def blown(hertz: float, seconds: float, brightness: float = 3_000) -> Samples:
    """Blow a note on brass."""
    return swelling(low(tone(seconds, hertz * 0.985, hertz, BRASS), brightness), 0.025, min(0.09, seconds * 0.5))


def tune(*notes: tuple[float, float, float], brightness: float = 3_000) -> Samples:
    """Blow notes: seconds after which each begins, hertz, seconds."""
    return roomy(mixed(*((after, 1.0, blown(hertz, seconds, brightness)) for after, hertz, seconds in notes)), 0.22)


def drum(dice: Random, hertz: float, half_life: float = 0.09) -> Samples:
    """Beat a drum."""
    skin = fading(tone(half_life * 7, hertz * 1.7, hertz), half_life)
    stick = fading(low(noise(0.05, dice), 1_800), 0.006)
    return mixed((0, 1.0, skin), (0, 0.7, stick))


def shot(dice: Random, seconds: float, bright: float, dull: float, half_life: float) -> Samples:
    """Fire a gun: a crack that loses its brightness from one border in hertz to another."""
    crack = fading(level(low(noise(seconds, dice), bright, dull), 1), half_life)
    edge = fading(high(noise(0.03, dice), 1_500), 0.003)
    return driven(mixed((0, 1.0, crack), (0, 0.7, edge)), 2.2)
