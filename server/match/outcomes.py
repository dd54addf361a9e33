"""What became of intents: counted, timed, and told to the log."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.rules.audience import Seat
    from server.runtime.clock import Clock
    from server.runtime.logs import Log
    from server.runtime.metrics import Metrics, Outcome


class Outcomes:
    """Of the intents at one match. `received` and `durable` are times of the clock."""

    def __init__(self, metrics: Metrics, clock: Clock, log: Log) -> None:
        self._metrics = metrics
        self._clock = clock
        self._log = log
        self._is_told = log.is_enabled_for(logging.DEBUG)

    def done(self, seat: Seat, id: bytes, received: float, durable: float, *, repeated: bool) -> None:
        """A person's intent was acknowledged; `repeated`: it had been done before."""
        outcome: Outcome = "repeated" if repeated else "done"
        self._metrics.intents.add(outcome)
        if not repeated:
            self._metrics.durable_seconds.add(durable - received)
            self._metrics.told_seconds.add(self._clock.now() - durable)
        if self._is_told:
            self._tell(seat, id, received, outcome)

    def refused(self, seat: Seat, id: bytes, received: float, code: str) -> None:
        """A person's intent was refused."""
        self._metrics.intents.add(outcome_of(code))
        self._metrics.rejects.add(code)
        if self._is_told:
            self._tell(seat, id, received, outcome_of(code), code=code)

    def of_a_bot(self, refusals: Sequence[str]) -> None:
        """A bot's intent was carried out, or refused with a code."""
        self._metrics.bot_intents.add(outcome_of(refusals[0]) if refusals else "done")

    def _tell(self, seat: Seat, id: bytes, received: float, outcome: Outcome, **more: str) -> None:
        took = round((self._clock.now() - received) * 1000, 1)
        self._log.debug("intent", seat=seat, intent=id[:4].hex(), outcome=outcome, ms=took, **more)


def outcome_of(code: str) -> Outcome:
    """What became of an intent that was refused with this code."""
    if code == "store/unavailable":
        return "unstored"
    return "fault" if code == "rules/fault" else "refused"
