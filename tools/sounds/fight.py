"""Sounds of a fight: weapons, what they do, and how people take it."""

from __future__ import annotations

from random import Random

from tools.sounds.instruments import METAL, clack, shot, struck, thud, tune
from tools.sounds.waves import (
    Samples,
    beating,
    driven,
    fading,
    high,
    level,
    low,
    mixed,
    noise,
    roomy,
    swelling,
    tone,
)


def rifle(dice: Random) -> Samples:
    """A single shot of a rifle."""
    return roomy(shot(dice, 0.34, 5_200, 420, 0.028), 0.3)


def burst(dice: Random) -> Samples:
    """Five shots of a machine gun."""
    shots = [(0.082 * n + dice.uniform(0, 0.008), 0.9, shot(dice, 0.16, 4_200, 500, 0.02)) for n in range(5)]
    return roomy(mixed(*shots), 0.28)


def heavy(dice: Random) -> Samples:
    """A shot of a heavy weapon."""
    bang = shot(dice, 0.7, 2_600, 140, 0.09)
    blow = fading(tone(0.6, 130, 44), 0.11)
    return roomy(driven(mixed((0, 0.8, bang), (0, 0.9, blow)), 1.4), 0.3)


def beam(dice: Random) -> Samples:
    """A shot of a weapon of light."""
    rays = mixed(
        (0, 0.6, tone(0.36, 1_900, 300, (1.0, 0.4, 0.22))),
        (0, 0.5, tone(0.36, 1_925, 306, (1.0, 0.3))),
        (0, 0.12, high(noise(0.06, dice), 3_000)),
    )
    return roomy(swelling(low(fading(rays, 0.1), 5_000), 0.001, 0.2), 0.25)


def flame(dice: Random) -> Samples:
    """A weapon that throws fire."""
    roar = level(high(low(noise(0.85, dice), 1_900, 700), 160), 1)
    tongues = level(low(noise(0.85, dice), 9), 1)
    return swelling([a * (0.65 + 0.35 * b) for a, b in zip(roar, tongues, strict=True)], 0.07, 0.5)


def explosion(dice: Random) -> Samples:
    """Something blows up, and pieces of it come down."""
    cloud = fading(level(low(noise(1.25, dice), 2_000, 70), 1), 0.17)
    blow = fading(tone(0.9, 88, 30), 0.17)
    pieces = [
        (dice.uniform(0.3, 1.0), dice.uniform(0.02, 0.07), clack(dice, dice.uniform(500, 1_600))) for _ in range(9)
    ]
    return driven(mixed((0, 1.0, cloud), (0, 0.9, blow), *pieces), 1.8)


def melee(dice: Random) -> Samples:
    """Blades that meet twice."""
    strokes = [
        (after, strength, mixed((0, 0.8, struck(hertz, 0.075, METAL)), (0, 0.5, clack(dice, hertz * 3))))
        for after, strength, hertz in ((0.0, 1.0, 640), (0.19, 0.75, 760))
    ]
    return roomy(mixed(*strokes), 0.2)


def hit(dice: Random) -> Samples:
    """Something hits armour."""
    return roomy(
        mixed((0, 0.7, thud(dice, 150, 0.02)), (0, 0.5, struck(880, 0.05, METAL)), (0, 0.5, clack(dice, 1_500))), 0.2
    )


def casualty(dice: Random) -> Samples:
    """Somebody falls."""
    return mixed(
        (0, 1.0, thud(dice, 138, 0.032)),
        (0.13, 0.55, thud(dice, 175, 0.024)),
        (0.0, 0.25, fading(level(low(high(noise(0.2, dice), 700), 4_000), 1), 0.03)),
    )


def pinned(dice: Random) -> Samples:
    """Shots that whistle past, and heads that go down."""
    past = [
        (after, strength, swelling(fading(tone(0.34, start, end, (1.0, 0.25)), 0.1), 0.02, 0.1))
        for after, strength, start, end in ((0.03, 0.6, 2_700, 1_250), (0.2, 0.42, 2_250, 900))
    ]
    return roomy(mixed((0, 0.5, clack(dice, 2_100)), (0.17, 0.4, clack(dice, 1_700)), *past), 0.2)


def rally(dice: Random) -> Samples:
    """A bugle that calls people together."""
    return tune((0, 392.0, 0.12), (0.12, 523.3, 0.12), (0.24, 659.3, 0.34))


def morale_lost(dice: Random) -> Samples:
    """Three notes that go down: people run."""
    return tune((0, 329.6, 0.17), (0.17, 277.2, 0.17), (0.34, 220.0, 0.42), brightness=1_500)


def fire(dice: Random) -> Samples:
    """Something that burns and crackles."""
    snaps = [(dice.uniform(0, 0.9), dice.uniform(0.2, 1.0), clack(dice, dice.uniform(1_200, 4_000), 0.002))
             for _ in range(34)]  # fmt: skip
    glow = swelling(level(low(noise(1.0, dice), 420), 0.4), 0.15, 0.4)
    return swelling(mixed((0, 1.0, glow), *snaps), 0.05, 0.3)


def smoke(dice: Random) -> Samples:
    """A pot of smoke that hisses."""
    hiss = level(low(high(noise(0.9, dice), 1_700), 5_200, 2_400), 1)
    return mixed((0, 0.8, swelling(hiss, 0.06, 0.7)), (0, 0.5, clack(dice, 900)))


def collapse(dice: Random) -> Samples:
    """Walls that come down."""
    stones = [
        (dice.uniform(0, 0.75), dice.uniform(0.25, 0.8), thud(dice, dice.uniform(60, 190), 0.03)) for _ in range(16)
    ]
    dust = swelling(level(low(noise(1.1, dice), 900, 180), 0.8), 0.05, 0.7)
    return driven(mixed((0, 1.0, dust), *stones), 1.3)


def power(dice: Random) -> Samples:
    """A power of the mind that works."""
    chord = [(0.05 * n, 0.5, beating(tone(0.85, hertz, hertz * 1.01, (1.0, 0.3)), 6.0, 0.4))
             for n, hertz in enumerate((220.0, 277.2, 329.6, 440.0))]  # fmt: skip
    spark = [(0.3 + 0.07 * n, 0.16, struck(hertz, 0.06)) for n, hertz in enumerate((1_318.5, 1_760.0, 2_217.5))]
    return roomy(mixed((0, 1.0, swelling(mixed(*chord), 0.18, 0.5)), *spark), 0.25)


def fizzle(dice: Random) -> Samples:
    """A power that comes to nothing."""
    sinking = beating(tone(0.46, 480, 170, (1.0, 0.4, 0.2)), 17.0, 0.8)
    hiss = fading(high(noise(0.3, dice), 2_500), 0.05)
    return swelling(mixed((0, 0.8, fading(sinking, 0.15)), (0, 0.25, hiss)), 0.01, 0.15)
