"""Ear in the place of a loudspeaker: what a window was asked to play."""

from __future__ import annotations

from client.app.window import App


class Ear:
    """Listener to a window's sounds, whose clock stands unless `time` is moved on by hand: `names` in their order,
    `shares` how loud each was."""

    def __init__(self, app: App) -> None:
        self.time = 1_000.0
        self.names: list[str] = []
        self.shares: list[float] = []
        app.sounds.output = self._hear
        app.sounds.clock = lambda: self.time

    def _hear(self, name: str, share: float) -> None:
        self.names.append(name)
        self.shares.append(share)
        # the next one is no repetition
        self.time += 10.0
