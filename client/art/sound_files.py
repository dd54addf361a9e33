"""The client's sounds: files of one channel with 16 bits a sample."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

RATE: Final = 22_050
"""Samples a second."""
HEAD: Final = 44
"""Bytes of a file before its samples."""


def sound_file(name: str) -> Path:
    """Return the file of a sound."""
    return Path(str(files(f"{__package__}.sounds"))) / f"{name}.wav"


@cache
def seconds_of(name: str) -> float:
    """Return how long a sound lasts."""
    return (sound_file(name).stat().st_size - HEAD) / (2 * RATE)
