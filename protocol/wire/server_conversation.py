"""Server's side of one connection: an object without socket and clock. Frames in, messages out, and back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from protocol.errors import BadFrame
from protocol.ids import BEGINNING, Seq
from protocol.limits import Limits
from protocol.text import text
from protocol.token_buckets import TokenBucket
from protocol.wire.codec import decode_request, encode
from protocol.wire.from_client import DetailRequest, FromClient, Hello, Intent, Ping, Propose, Survey
from protocol.wire.from_server import Detail, Pong, Problem, Reject, unanswered
from protocol.wire.pacing import Pace
from protocol.wire.server_message import ServerMessage

POLICY: Final = 1008
FLOOD: Final = "session/flood"
PROTOCOL_ERROR: Final = 1002
TOO_BIG: Final = 1009
TRY_LATER: Final = 1013


class ServerConversation:
    """Conversation with one client: it decodes, bounds and paces what they say, and queues what they are told.

    The host hands frames to `receive` and carries out what it returns, sends what `take` gives, and closes the socket
    with `closing` (code and reason) as soon as it is set and the queue is sent. `now` is seconds of any clock that
    does not go backwards.

    Where the queue would grow beyond its limits, the scene frames in it are dropped and `overflowed` is set; until the
    host sets it back, and then offers snapshots, further scene frames are dropped too. The host does so when the rest
    of the queue is sent. If it happens again before those snapshots are sent, the connection is closed as too slow,
    except where it `coalesces` (a spectator's): that one gets snapshots only, the newest each time, as long as it is
    behind. If what cannot be dropped is too much alone, the connection is closed in any case.

    `refused` is told the code of everything that the conversation itself refuses.
    """

    def __init__(self, limits: Limits, now: float, refused: Callable[[str], None] = lambda _: None) -> None:
        self._limits = limits
        self._refused = refused
        self._since = now
        self.pace = Pace(limits, now)
        """Pace of this connection, until the host puts the person's own in its place."""
        self._queue: deque[tuple[bytes, bool]] = deque()
        self.queued_bytes = 0
        """Number of bytes that wait to be taken."""
        self._is_behind = False
        self.greeted = False
        self.overflowed = False
        self.coalesces = False
        self.closing: tuple[int, str] | None = None

    def receive(self, frame: bytes, now: float) -> list[FromClient]:
        """Return the message in this frame as a list of one, or nothing: then the answer, if there is one, is queued
        already.

        The first message is a Hello, and no other is. A Ping is answered here. Never raises.
        """
        if self.closing is not None:
            return []
        try:
            message = decode_request(frame, self._limits)
        except BadFrame as problem:
            self.pace.rest.take(now)
            self._refuse_frame(problem)
            self._close_if_flooded(self.pace.rest)
            return []
        if (type(message) is Hello) == self.greeted:
            self._end(PROTOCOL_ERROR, "hello_once" if self.greeted else "hello_first")
            return []
        self.greeted = True
        bucket = self.pace.bucket(type(message))
        if not bucket.take(now):
            self._refuse_busy(message)
            self._close_if_flooded(bucket)
            return []
        if type(message) is Ping:
            self.say(Pong(message.n))
            return []
        return [message]

    def expire(self, now: float) -> None:
        """Close a connection that has not said Hello within `handshake_seconds`."""
        if not self.greeted and self.closing is None and now - self._since >= self._limits.handshake_seconds:
            self._end(POLICY, "late")

    def say(self, message: ServerMessage) -> None:
        """Queue a message for this client alone."""
        self.offer(encode(message))

    @property
    def is_flood(self) -> bool:
        """True where it is over because far too much was said."""
        return self.closing == (POLICY, FLOOD)

    def end_flood(self) -> None:
        """Close, since far more has come than can be taken."""
        if self.closing is None:
            self._end(POLICY, "flood")

    def take_over(self) -> None:
        """Close, since the same person has connected elsewhere; the client is told so."""
        if self.closing is None:
            self._end(POLICY, "taken_over")

    def offer(self, data: bytes, *, droppable: bool = False) -> None:
        """Queue an encoded message; `droppable` for scene frames, which a snapshot can make good."""
        if self.closing is not None or (droppable and self.overflowed):
            return
        if self._fits(data):
            self._put(data, droppable=droppable)
            return
        self._drop_scene()
        if (self._is_behind and not self.coalesces) or not (droppable or self._fits(data)):
            self.too_slow()
            return
        self.overflowed = self._is_behind = True
        if not droppable:
            self._put(data, droppable=False)

    @property
    def is_clear(self) -> bool:
        """True where nothing waits: what is said now may be sent at once, past the queue."""
        return not self._queue and not self.overflowed and self.closing is None

    def too_slow(self) -> None:
        """Close, since the client does not keep up."""
        if self.closing is None:
            self._end(TRY_LATER, "slow")

    def next(self) -> bytes | None:
        """Return the oldest message queued, which counts as sent from now; None where all is sent."""
        if not self._queue:
            self._is_behind = self.overflowed
            return None
        data, _ = self._queue.popleft()
        self.queued_bytes -= len(data)
        return data

    def take(self) -> list[bytes]:
        """Return all that is queued, in order; it counts as sent from now."""
        return list(iter(self.next, None))

    def _fits(self, data: bytes) -> bool:
        """Return True where a frame fits into the queue; a single one always does, so that a snapshot of any size can
        be sent."""
        if not self._queue:
            return True
        limits = self._limits
        return len(self._queue) < limits.outbound_messages and self.queued_bytes + len(data) <= limits.outbound_bytes

    def _put(self, data: bytes, *, droppable: bool) -> None:
        self._queue.append((data, droppable))
        self.queued_bytes += len(data)

    def _drop_scene(self) -> None:
        self._queue = deque(item for item in self._queue if not item[1])
        self.queued_bytes = sum(len(data) for data, _ in self._queue)

    def _end(self, code: int, reason: str) -> None:
        name = reason.replace("_", "-")
        self._refused(f"session/{name}")
        self._put(encode(Problem(f"session/{name}", text(f"session.{reason}"), fatal=True)), droppable=False)
        self.closing = (code, f"session/{name}")

    def _refuse_frame(self, problem: BadFrame) -> None:
        self._refused(problem.code)
        if problem.fatal or not self.greeted:
            self.say(Problem(problem.code, problem.text, fatal=True))
            if self.closing is None:
                self.closing = (TOO_BIG if problem.code == "frame/too-large" else PROTOCOL_ERROR, problem.code)
        elif problem.intent is not None:
            self.say(Reject(problem.intent, problem.code, problem.text))
        elif problem.detail is not None:
            self.say(Detail(problem.detail, code=problem.code, text=problem.text))
        else:
            self.say(Problem(problem.code, problem.text))

    def _refuse_busy(self, message: FromClient) -> None:
        self._refused("busy")
        busy = text("busy")
        if isinstance(message, Intent):
            self.say(Reject(message.id, "busy", busy))
        elif isinstance(message, DetailRequest | Survey | Propose):
            self.say(unanswered(message, "busy", busy))
        else:
            self.say(Problem("busy", busy))

    def _close_if_flooded(self, bucket: TokenBucket) -> None:
        if bucket.is_flooded:
            self.end_flood()


class RecentFrames:
    """Last encoded deltas of one audience by number, for clients that come back."""

    def __init__(self, most: int, n: Seq = BEGINNING) -> None:
        self._frames: deque[bytes] = deque(maxlen=most)
        self.n = n
        """The number of the last delta; those after `n` as given can be kept."""

    def add(self, n: Seq, data: bytes) -> None:
        """Keep delta `n`. Where it does not follow the last, what was kept is of no use and is dropped."""
        if n != self.n + 1:
            self._frames.clear()
        self._frames.append(data)
        self.n = n

    def since(self, n: Seq) -> list[bytes] | None:
        """Return all deltas after number `n`, or None where some are not known any more (or `n` has never been)."""
        missed = self.n - n
        if not 0 <= missed <= len(self._frames):
            return None
        return list(self._frames)[len(self._frames) - missed :]
