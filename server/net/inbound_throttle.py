"""Throttle of the data that one connection sends: frames are counted before parsing, messages handled in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from protocol.limits import Limits
from protocol.token_buckets import TokenBucket
from server.net.frame_counter import FrameCounter
from server.net.paced_jobs import PacedJobs
from server.runtime.clock import Clock

CALM: Final = 0.75
"""Part of the burst of arrivals: a connection that has less of it left has sent much lately, and is slowed."""
PARSED: Final = 4
"""Times the limit of a frame: somewhat larger ones are read, so that they can be refused by an answer."""


class PausableTransport(Protocol):
    """The part of a transport that the throttle uses."""

    def is_closing(self) -> bool: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class InboundThrottle:
    """The throttle of one connection.

    Frames are counted as they come, before anything is parsed, so that a flood costs little more than the reading of
    its bytes. A message that comes while another one waits to be handled takes its turn among the `jobs`, which all
    connections share. Those of a connection that has sent much lately are `slow_jobs`, and what it sends is held back
    while messages wait: parsing costs, too.

    `parse` is given all bytes in the order in which they came, until too much has come. Then `flooded` is called once,
    as a job, and nothing is parsed any more.
    """

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        jobs: PacedJobs,
        slow_jobs: PacedJobs,
        transport: PausableTransport,
        parse: Callable[[bytes], None],
        flooded: Callable[[], None],
    ) -> None:
        self.flooded = flooded
        self.last_data_at = clock.now()
        """Time of the last read, in the clock's seconds."""
        self.reads = 0
        """Number of reads."""
        self.is_one = False
        """True where the bytes that are parsed now are known to be one frame, which ends a message."""
        self._clock = clock
        self._jobs = jobs
        self._slow_jobs = slow_jobs
        self._transport = transport
        self._parse = parse
        self._most = limits.inbound_bytes * PARSED
        self._counter = FrameCounter()
        self._pace = TokenBucket(limits.arrivals, clock.now())
        self._calm = round(limits.arrivals.burst * CALM)
        self._held: deque[tuple[bytes, int]] = deque()
        """Bytes that are not parsed yet, and the number of messages that have come whole with them."""
        self._parsed = 0
        self._handled = 0
        self._waiting_bytes = 0
        """Bytes that have come since all messages were handled."""
        self._is_paused = False
        self._is_over = False

    def receive(self, data: bytes) -> None:
        """Count and parse bytes that have been read."""
        self.last_data_at = now = self._clock.now()
        self.reads += 1
        if self._is_over:
            return
        counter, before = self._counter, self._counter.frames
        counter.count(data)
        if counter.frames > before and not self._pace.take(now, counter.frames - before):
            self.discard()
            self._slow_jobs.add(self.flooded)
            return
        is_waiting = self._parsed > self._handled
        self._waiting_bytes += len(data)
        if self._waiting_bytes > self._most and (is_waiting or counter.messages > self._handled):
            self._pause()
        if self._held or (is_waiting and self._pace.tokens < self._calm):
            self._held.append((data, counter.messages))
        else:
            self._parsed, self.is_one = counter.messages, counter.is_one
            self._parse(data)

    @property
    def is_alone(self) -> bool:
        """Tell if the message that is parsed now may be handled at once: no other one waits, and few came lately."""
        return self._counter.messages - self._handled == 1 and self._pace.tokens >= self._calm

    def alone_handled(self) -> None:
        """Count a message that was alone as handled."""
        self._handled += 1
        self._waiting_bytes = 0
        self._resume()

    async def message_handled(self) -> None:
        """Count a message as handled, and return when the next one may be."""
        self._handled += 1
        is_next = self._handled < self._counter.messages
        if not is_next:
            self._waiting_bytes = 0
            self._resume()
        is_calm = self._pace.tokens >= self._calm
        if is_next or not is_calm:
            await (self._jobs if is_calm else self._slow_jobs).wait_turn()
        while self._held and self._parsed <= self._handled:
            self._parse_next()

    def parse_all(self) -> None:
        """Parse what is held back: the connection ends, or takes no more messages."""
        while self._held:
            self._parse_next()
        self._resume()

    def _resume(self) -> None:
        """Read on, unless what comes is discarded."""
        if self._is_paused and not self._is_over and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    def discard(self) -> None:
        """Stop reading and parsing: what comes after the close would cost as much as before it."""
        self._is_over = True
        self._held.clear()
        self._pause()

    def _parse_next(self) -> None:
        data, self._parsed = self._held.popleft()
        self.is_one = False
        self._parse(data)

    def _pause(self) -> None:
        if not self._is_paused and not self._transport.is_closing():
            self._is_paused = True
            self._transport.pause_reading()
