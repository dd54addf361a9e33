"""Parts of sounds: tones and noise, filters, envelopes, mixtures. Samples are shares of full scale."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence
from random import Random
from typing import Final

RATE: Final = 22_050
"""Samples a second."""
LOWEST: Final = 25.0
"""Hertz below which nothing is kept: no loudspeaker plays it."""
EDGE: Final = 0.004
"""Seconds in which a sound begins and ends, so that it does not click."""
SILENT: Final = 0.004
"""Share of the peak below which the end of a sound is cut off."""
LOUDEST: Final = 32_767
Samples = list[float]
Layer = tuple[float, float, Samples]
"""Seconds after which a part of a mixture begins, its strength, the part."""


def tone(seconds: float, start: float, end: float = 0.0, overtones: Sequence[float] = (1.0,)) -> Samples:
    """Return a tone that glides from one frequency in hertz to another. `overtones`: strengths, the first that of the
    tone itself."""
    count = round(seconds * RATE)
    step, ratio = math.tau * start / RATE, ((end or start) / start) ** (1 / count)
    parts = [(strength, number) for number, strength in enumerate(overtones, 1) if strength]
    found, phase = [], 0.0
    for _ in range(count):
        found.append(sum([strength * math.sin(phase * number) for strength, number in parts]))
        phase += step
        step *= ratio
    return found


def noise(seconds: float, dice: Random) -> Samples:
    """Return white noise."""
    chance = dice.random
    return [2 * chance() - 1 for _ in range(round(seconds * RATE))]


def low(samples: Samples, hertz: float, end: float = 0.0) -> Samples:
    """Take away what is higher, twice over; the border glides to `end`."""
    share, last = (1 - math.exp(-math.tau * border / RATE) for border in (hertz, end or hertz))
    change = (last - share) / max(len(samples), 1)
    found, first, second = [], 0.0, 0.0
    for sample in samples:
        first += share * (sample - first)
        second += share * (first - second)
        found.append(second)
        share += change
    return found


def high(samples: Samples, hertz: float) -> Samples:
    """Take away what is lower."""
    share, held, found = 1 - math.exp(-math.tau * hertz / RATE), 0.0, []
    for sample in samples:
        held += share * (sample - held)
        found.append(sample - held)
    return found


def rung(samples: Samples, hertz: float, half_life: float) -> Samples:
    """Let something ring at a frequency that the samples strike; half of its swing is left after `half_life`."""
    shrink = 0.5 ** (1 / (half_life * RATE))
    turn, square = 2 * shrink * math.cos(math.tau * hertz / RATE), shrink * shrink
    found, one, two = [], 0.0, 0.0
    for sample in samples:
        one, two = sample + turn * one - square * two, one
        found.append(one)
    return level(found, 1.0)


def fading(samples: Samples, half_life: float) -> Samples:
    """Halve the strength every `half_life` seconds."""
    shrink, strength, found = 0.5 ** (1 / (half_life * RATE)), 1.0, []
    for sample in samples:
        found.append(sample * strength)
        strength *= shrink
    return found


def swelling(samples: Samples, rise: float, fall: float) -> Samples:
    """Let the strength rise at the beginning and fall at the end, for so many seconds."""
    begin, end, count = max(rise * RATE, 1), max(fall * RATE, 1), len(samples)
    return [sample * min(place / begin, (count - place) / end, 1.0) for place, sample in enumerate(samples)]


def beating(samples: Samples, hertz: float, depth: float) -> Samples:
    """Let the strength go up and down so often a second; with depth 1 down to nothing."""
    step = math.tau * hertz / RATE
    return [sample * (1 - depth * (0.5 - 0.5 * math.cos(step * place))) for place, sample in enumerate(samples)]


def driven(samples: Samples, strength: float) -> Samples:
    """Press loud samples together, as something does that is too loud for its loudspeaker."""
    return [math.tanh(strength * sample) for sample in samples]


def mixed(*layers: Layer) -> Samples:
    """Return all layers together."""
    starts = [(round(after * RATE), strength, samples) for after, strength, samples in layers]
    found = [0.0] * max(start + len(samples) for start, _, samples in starts)
    for start, strength, samples in starts:
        for place, sample in enumerate(samples, start):
            found[place] += strength * sample
    return found


def roomy(samples: Samples, share: float) -> Samples:
    """Return the samples as in a room: with a few duller echoes."""
    dull = low(samples, 2_500)
    return mixed(
        (0, 1, samples), *((after, share * 0.6**n, dull) for n, after in enumerate((0.023, 0.037, 0.061, 0.097)))
    )


def level(samples: Samples, peak: float) -> Samples:
    """Return the samples with this greatest swing."""
    most = max(map(abs, samples), default=0.0) or 1.0
    return [sample * peak / most for sample in samples]


def pcm(samples: Samples, peak: float) -> bytes:
    """Return the samples as numbers of 16 bits, the least byte first, with this greatest swing."""
    heard = level(high(samples, LOWEST), 1.0)
    last = max((place for place, sample in enumerate(heard) if abs(sample) > SILENT), default=0)
    heard = level(swelling(heard[: last + 1], EDGE / 4, EDGE), peak)
    numbers = array("h", [round(sample * LOUDEST) for sample in heard])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
