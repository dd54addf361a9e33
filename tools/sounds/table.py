"""Sounds of the table: dice, cards, ways, what is won."""

from __future__ import annotations

from random import Random
from typing import Final

from tools.sounds.instruments import clack, drum, struck, thud, tune
from tools.sounds.waves import Samples, beating, driven, fading, high, level, low, mixed, noise, roomy, swelling, tone

ENGINE: Final = (1.0, 0.8, 0.55, 0.5, 0.3, 0.3, 0.2)


def dice_roll(dice: Random) -> Samples:
    """Dice that roll over wood."""
    knocks, after = [], 0.0
    while after < 0.52:
        knocks.append((after, dice.uniform(0.4, 1.0) * (1.1 - after), clack(dice, dice.uniform(1_300, 2_500))))
        after += dice.uniform(0.018, 0.05)
    return roomy(mixed((0, 0.15, swelling(low(noise(0.55, dice), 500), 0.05, 0.3)), *knocks), 0.18)


def dice_settle(dice: Random) -> Samples:
    """Dice that come to rest."""
    knocks = [
        (
            after,
            strength,
            mixed((0, 0.8, clack(dice, dice.uniform(1_000, 1_600), 0.008)), (0, 0.4, thud(dice, 170, 0.01))),
        )
        for after, strength in ((0.0, 1.0), (0.085, 0.7), (0.15, 0.45), (0.195, 0.28), (0.225, 0.16))
    ]
    return roomy(mixed(*knocks), 0.18)


def card_deal(dice: Random) -> Samples:
    """A card that slides on to the table."""
    slide = swelling(level(low(high(noise(0.17, dice), 1_400), 5_500, 2_500), 1), 0.09, 0.06)
    return mixed((0, 0.7, slide), (0.14, 0.8, thud(dice, 240, 0.009)), (0.14, 0.4, clack(dice, 1_100, 0.004)))


def card_turn(dice: Random) -> Samples:
    """A card that is turned over."""
    bend = swelling(level(high(noise(0.07, dice), 2_200), 1), 0.05, 0.015)
    snap = mixed((0, 0.8, clack(dice, 1_900, 0.004)), (0, 0.5, thud(dice, 320, 0.007)))
    return mixed((0, 0.35, bend), (0.075, 1.0, snap))


def step(dice: Random) -> Samples:
    """People who walk over gravel."""
    falls = []
    for number in range(4):
        gravel = fading(level(low(high(noise(0.09, dice), 900), 4_500), 1), 0.016)
        foot = mixed((0, 0.7, thud(dice, 150 if number % 2 else 172, 0.013)), (0.012, 0.5, gravel))
        falls.append((0.17 * number + dice.uniform(0, 0.012), 1.0 if number % 2 else 0.85, foot))
    return mixed(*falls)


def vehicle(dice: Random) -> Samples:
    """An engine that drives by."""
    engine = mixed(
        (0, 0.6, level(high(beating(tone(0.95, 74, 96, ENGINE), 23.0, 0.45), 140), 1)),
        (0, 0.5, level(low(high(noise(0.95, dice), 150), 900), 1)),
    )
    return swelling(driven(low(engine, 1_600), 1.5), 0.16, 0.4)


def flight(dice: Random) -> Samples:
    """Blades that beat the air."""
    air = level(low(high(noise(0.95, dice), 90), 700), 1)
    return swelling(mixed((0, 1.0, beating(air, 13.0, 0.95)), (0, 0.2, tone(0.95, 105, 118, ENGINE))), 0.2, 0.45)


def door(dice: Random) -> Samples:
    """A hatch that opens and shuts."""
    hinge = swelling(beating(tone(0.2, 210, 290, (1.0, 0.6, 0.5, 0.3)), 43.0, 0.9), 0.05, 0.08)
    return roomy(
        mixed((0, 0.7, clack(dice, 640, 0.01)), (0.05, 0.14, hinge), (0.27, 0.8, thud(dice, 140, 0.026)),
              (0.27, 0.8, clack(dice, 520, 0.014))), 0.25
    )  # fmt: skip


def mend(dice: Random) -> Samples:
    """A spanner at work."""
    turns = [(0.045 * n, 0.45, clack(dice, 2_600, 0.003)) for n in range(5)]
    return roomy(mixed(*turns, (0.31, 1.0, struck(1_180, 0.045)), (0.31, 0.5, clack(dice, 2_100))), 0.2)


def arrive(dice: Random) -> Samples:
    """A horn: somebody comes on to the table."""
    return tune((0, 196.0, 0.2), (0.2, 293.7, 0.4), brightness=1_900)


def objective(dice: Random) -> Samples:
    """A flag is raised: something is won."""
    notes = [(0.085 * n, 0.6, struck(hertz, 0.13)) for n, hertz in enumerate((523.3, 659.3, 784.0))]
    return roomy(mixed(*notes), 0.2)


def round_begins(dice: Random) -> Samples:
    """Two drums and a gong: a round begins."""
    gong = struck(196.0, 0.22, ((1.0, 1.0), (1.52, 0.5), (2.41, 0.4), (3.3, 0.22)), 1.0)
    return roomy(mixed((0, 0.7, drum(dice, 116)), (0.17, 1.0, drum(dice, 116)), (0.17, 0.7, gong)), 0.2)


def victory(dice: Random) -> Samples:
    """A fanfare."""
    return tune(
        (0, 523.3, 0.11), (0.13, 523.3, 0.11), (0.26, 523.3, 0.11), (0.39, 659.3, 0.18), (0.58, 587.3, 0.12),
        (0.71, 784.0, 0.7), (0.71, 523.3, 0.7), (0.71, 659.3, 0.7),
    )  # fmt: skip


def defeat(dice: Random) -> Samples:
    """Notes that sink, with a drum under the last one."""
    notes = tune(
        (0, 293.7, 0.24), (0.26, 277.2, 0.24), (0.52, 246.9, 0.24), (0.78, 220.0, 0.7), (0.78, 174.6, 0.7),
        brightness=1_100,
    )  # fmt: skip
    return mixed((0, 1.0, notes), (0.78, 0.8, drum(dice, 98)))


def over(dice: Random) -> Samples:
    """A chord without joy or grief: it is over."""
    chord = tune((0, 261.6, 0.8), (0, 392.0, 0.8), (0, 523.3, 0.8), brightness=1_600)
    return mixed((0, 1.0, chord), (0, 0.9, drum(dice, 104)))


def undo(dice: Random) -> Samples:
    """Something that goes back."""
    back = swelling(tone(0.2, 760, 380, (1.0, 0.2)), 0.02, 0.12)
    return mixed((0, 0.7, back), (0.0, 0.2, swelling(high(noise(0.18, dice), 2_000), 0.15, 0.02)))
