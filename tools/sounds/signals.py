"""Sounds of the window: bells that call a person, and what answers a click."""

from __future__ import annotations

from random import Random

from tools.sounds.instruments import clack, struck
from tools.sounds.waves import Samples, fading, mixed, roomy, swelling, tone


def my_turn(dice: Random) -> Samples:
    """Two strokes of a bell: one's turn has come."""
    return roomy(mixed((0, 0.8, struck(880.0, 0.16)), (0.17, 0.8, struck(1_174.7, 0.2))), 0.15)


def question(dice: Random) -> Samples:
    """One stroke of a higher bell: something is asked."""
    return roomy(struck(1_318.5, 0.14), 0.15)


def clock(dice: Random) -> Samples:
    """A clock that ticks aloud: time runs out."""
    ticks = [(0.24 * n, 0.8, clack(dice, 1_900 if n % 2 else 1_400, 0.009)) for n in range(4)]
    calls = [(0.48 * n, 0.4, struck(987.8, 0.06)) for n in range(2)]
    return roomy(mixed(*ticks, *calls), 0.15)


def invitation(dice: Random) -> Samples:
    """Three bells that go up: somebody asks one to come."""
    notes = [(0.12 * n, 0.7, struck(hertz, 0.15)) for n, hertz in enumerate((784.0, 987.8, 1_174.7))]
    return roomy(mixed(*notes), 0.15)


def click(dice: Random) -> Samples:
    """A button that goes down."""
    return mixed((0, 0.8, clack(dice, 1_700, 0.0025)), (0, 0.3, fading(tone(0.02, 420), 0.004)))


def refused(dice: Random) -> Samples:
    """Two low notes: no."""
    notes = [(0.11 * n, 0.8, swelling(tone(0.12, hertz, overtones=(1.0, 0.45, 0.2)), 0.01, 0.06))
             for n, hertz in enumerate((207.7, 164.8))]  # fmt: skip
    return mixed(*notes)


def chat(dice: Random) -> Samples:
    """Two drops: somebody says something."""
    drops = [(0.085 * n, 0.8, fading(tone(0.13, hertz, hertz * 1.3), 0.022)) for n, hertz in enumerate((620.0, 830.0))]
    return mixed(*drops)
