"""Mixer: how loud a sound is by the person's settings, and which ones are left out where many come at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from client.art.sound_files import seconds_of
from client.model.sound.catalogue import CATEGORY
from client.storage.profile import UserProfile

AT_ONCE: Final = 3
"""Sounds of acts that are heard at once at normal speed, at most; where acts are shown faster there are fewer."""
APART: Final = 0.12
"""Seconds between two beginnings of the same sound, at least."""
ALL: Final = "all"
"""Name of the volume of all sounds, beside those of the categories."""
FULL: Final = 100
STEP: Final = 20
"""Percent by which a volume is changed."""


class SoundMixer:
    """Mixer of a window. `output` plays a sound by its name, so loud: a share of what it is recorded at; `profile` has
    the volumes; `clock` gives seconds."""

    def __init__(
        self,
        profile: UserProfile | None = None,
        output: Callable[[str, float], object] = lambda name, share: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.profile = profile or UserProfile()
        self.output = output
        self.clock = clock
        self._until: list[float] = []
        """Ends of the sounds of acts that are being heard."""
        self._begun: dict[str, float] = {}

    def volume(self, of: str) -> int:
        """Return a volume in percent: of a category, or of all."""
        return self.profile.volumes.get(of, FULL)

    def turn(self, of: str) -> None:
        """Turn a volume down by a step, from nothing to full."""
        volume = self.volume(of)
        self.profile.volumes[of] = max(volume - STEP, 0) if volume else FULL

    def share(self, name: str) -> float:
        """Return how loud a sound is, 0 to 1: half the volume is heard as half as loud."""
        if not self.profile.sound or name not in CATEGORY:
            return 0.0
        return (self.volume(ALL) * self.volume(CATEGORY[name]) / FULL**2) ** 2

    def play(self, name: str) -> None:
        """Play a sound, whatever else is heard."""
        now, share = self.clock(), self.share(name)
        if share and now - self._begun.get(name, -APART) >= APART:
            self._begun[name] = now
            self.output(name, share)

    def play_act(self, name: str, rate: float = 1.0) -> None:
        """Play a sound of an act that is shown `rate` times as fast as at normal speed, unless enough are heard."""
        now = self.clock()
        self._until = [end for end in self._until if end > now]
        if self.share(name) and len(self._until) < max(round(AT_ONCE / max(rate, 1.0)), 1):
            self._until.append(now + seconds_of(name))
            self.play(name)
