"""The copy of one match in another process, made when it is first needed: bots think there, forecasts are sampled."""

from __future__ import annotations

from collections.abc import Callable

from server.match.bots.workers.pool import BotWorkers, RemoteCopy
from server.match.step import Stepper


class MatchMirror:
    """Holder of the copy. `secret`: that of the dice. `on_new`: called with each copy that is made."""

    def __init__(self, stepper: Stepper, workers: BotWorkers, secret: bytes) -> None:
        self.copy: RemoteCopy | None = None
        self.on_new: Callable[[RemoteCopy], object] = _nobody
        self._stepper = stepper
        self._workers = workers
        self._secret = secret
        self._is_stopped = False

    async def make(self) -> RemoteCopy | None:
        """Return the copy, which is made where there is none; None once this was stopped. Nothing else may be done with
        the match meanwhile. Raises StoreError, NoProcess."""
        if self.copy is not None and not self.copy.is_lost:
            return self.copy
        match = self._stepper.match
        steps = await self._stepper.journal.stored.steps()
        copy = await self._workers.copy(match.system, match.id, self._secret, steps)
        self.close()
        if self._is_stopped:
            copy.close()
            return None
        self.copy = copy
        self.on_new(copy)
        return copy

    def step(self, data: bytes) -> None:
        """Hand a durable step on to the copy."""
        if self.copy is not None:
            self.copy.step(data)

    def close(self) -> None:
        """Drop the copy, if there is one."""
        if self.copy is not None:
            self.copy.close()
            self.copy = None

    def stop(self) -> None:
        """Drop the copy, and make no other."""
        self._is_stopped = True
        self.on_new = _nobody
        self.close()


def _nobody(copy: RemoteCopy) -> None:
    """Tell nobody of a copy."""
