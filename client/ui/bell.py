"""The bell that warns a player whose time runs out; silent where there is no sound."""

from __future__ import annotations

from typing import Final

from pyglet.media import synthesis
from pyglet.media.exceptions import MediaException

TONES: Final = (880, 1175)
SECONDS: Final = 0.35


def ring() -> None:
    """Play two soft tones, one after the other. Returns at once."""
    try:
        for tone in TONES:
            fade = synthesis.ADSREnvelope(0.02, 0.1, 0.2, sustain_amplitude=0.3)
            synthesis.Sine(SECONDS, frequency=tone, envelope=fade).play()
    except (MediaException, OSError, ImportError):
        # no sound on this machine: only the frame around the board warns
        return
