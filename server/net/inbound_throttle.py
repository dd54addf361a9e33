"""Throttle of the data that one connection sends: frames are counted before parsing and parsed at the loop's pace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from protocol.token_buckets import TokenBucket
from server.net.raw_frames import CONTROL, FIN, FrameBuffer, RequestEnd, is_pong, message_in

if TYPE_CHECKING:
    from protocol.limits import Limits
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
    its bytes. One frame goes to the parser at once. What comes with it, or before the last message has been handled,
    waits for one of the `jobs`, which all connections share. A connection that has sent much lately waits for the
    `slow_jobs`.

    `parse` is given bytes in the order in which they came. `flooded` is called once, as a job, when too much has come;
    nothing is read any more then.
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
        self.take_message: Callable[[bytes], bool] = _take_none
        """Offered each message that comes whole in one frame; where it returns False the frame goes to the parser."""
        self._clock = clock
        self._jobs = jobs
        self._slow_jobs = slow_jobs
        self._transport = transport
        self._parse = parse
        self._most = limits.inbound_bytes * PARSED
        self._request: RequestEnd | None = RequestEnd()
        self._raw = FrameBuffer(self._most)
        self._pace = TokenBucket(limits.arrivals, clock.now())
        self._calm = round(limits.arrivals.burst * CALM)
        self._unhandled = 0
        self._is_calm = True
        self._is_in_turn = False
        self._is_paused = False
        self._is_through = False
        self._is_over = False
        self._is_amid = False
        """True while the parser has fragments of a message and not the last one."""

    def receive(self, data: bytes) -> None:
        """Count and forward bytes that have been read."""
        self.last_data_at = now = self._clock.now()
        self.reads += 1
        if self._request is not None:
            data = self._after_request(self._request, data)
        if not data or self._is_over:
            return
        if self._is_through:
            self._parse(data)
            return
        is_alive = is_pong(data) and not self._raw.is_amid
        is_next = not is_alive and self._raw.is_next(data)
        if not self._pace.take(now, 1 if is_alive or is_next else self._raw.put(data)):
            self.discard()
            self._slow_jobs.add(self.flooded)
        elif is_alive:
            # behind messages that are not handled yet it would come too late, and the connection be taken for dead
            self._parse(data)
        elif is_next and not self._unhandled and not self._is_in_turn and self._pace.tokens >= self._calm:
            self._is_calm = True
            self._pass_on(data)
        else:
            if is_next:
                self._raw.put(data)
            self._take_in()

    def _take_in(self) -> None:
        self._is_calm = self._pace.tokens >= self._calm
        if self._is_calm and self._is_next():
            self._pass_on(self._raw.next())
        self._go_on()
        if self._raw and self._raw.held > self._most:
            self._pause()

    def message_parsed(self) -> None:
        """Count a message that the parser has made, and that waits to be handled."""
        self._unhandled += 1

    def message_handled(self) -> None:
        """Count a message as handled: the next one may be parsed."""
        self._unhandled -= 1
        self._go_on()

    def pass_all(self) -> None:
        """Give all bytes, those that wait and those to come, to the parser at once: the connection ends."""
        self._is_through = True
        if self._raw.held:
            self._parse(self._raw.rest())
        self._resume()

    def discard(self) -> None:
        """Stop reading and drop the bytes that wait: parsing what comes after the close would cost as much as before
        it."""
        self._is_over = True
        self._raw.clear()
        self._pause()

    def _after_request(self, request: RequestEnd, data: bytes) -> bytes:
        """Parse the part of `data` that belongs to the request of the handshake, and return the rest."""
        cut = request.within(data)
        if cut < 0:
            self._parse(data)
            return b""
        self._request = None
        self._parse(data[:cut])
        return data[cut:]

    def _is_next(self) -> bool:
        return bool(self._raw) and not self._unhandled and not self._is_in_turn

    def _go_on(self) -> None:
        if self._is_next():
            self._is_in_turn = True
            (self._jobs if self._is_calm else self._slow_jobs).add(self._take_turn)

    def _take_turn(self) -> None:
        self._is_in_turn = False
        if not self._is_next():
            return
        self._pass_on(self._raw.next())
        if self._raw.held <= self._most:
            self._resume()
        self._go_on()

    def _pass_on(self, frame: bytes) -> None:
        message = None if self._is_amid else message_in(frame)
        if message is None or not self.take_message(message):
            if not frame[0] & CONTROL:
                self._is_amid = not frame[0] & FIN
            self._parse(frame)

    def _pause(self) -> None:
        if not self._is_paused and not self._transport.is_closing():
            self._is_paused = True
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._is_paused and not self._is_over and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()


def _take_none(message: bytes) -> bool:
    """Take no message: the connection has no reader yet."""
    return False
