"""Frame boundaries of a WebSocket (RFC 6455, section 5.2), read from the frame heads alone, before parsing."""

from __future__ import annotations

from collections import deque
from typing import Final

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

HEAD: Final = 2
MASK: Final = 4
FIN: Final = 0x80
CONTROL: Final = 0x08
BINARY: Final = 0x82
PONG: Final = 0x8A
IS_MASKED: Final = 0x80
LENGTH: Final = 0x7F
LENGTH_OF_2: Final = 126
LENGTH_OF_8: Final = 127
WIDTHS: Final = {LENGTH_OF_2: 2, LENGTH_OF_8: 8}
"""Bytes of an extended length, by the value in the first length byte."""
END_OF_REQUEST: Final = b"\r\n\r\n"


def is_pong(data: bytes) -> bool:
    """Return True where this is one whole pong frame, with which a client shows that it is there."""
    return len(data) >= HEAD and data[0] == PONG and data[1] == IS_MASKED | (len(data) - HEAD - MASK)


def message_in(frame: bytes) -> bytes | None:
    """Return the message of a whole frame: binary, in one frame, masked as a client's must be. None for all else, an
    incomplete frame included."""
    if len(frame) < HEAD or frame[0] != BINARY or not frame[1] & IS_MASKED:
        return None
    length, mask = frame[1] & LENGTH, HEAD
    if length >= LENGTH_OF_2:
        mask += WIDTHS[length]
        length = int.from_bytes(frame[HEAD:mask], "big")
    start = mask + MASK
    return apply_mask(frame[start:], frame[mask:start]) if len(frame) == start + length else None


class RequestEnd:
    """A search for the end of the opening handshake's request, in bytes that come in pieces."""

    def __init__(self) -> None:
        self._last = b""

    def within(self, data: bytes) -> int:
        """Return how many of these bytes belong to the request; -1 where all do, and it goes on."""
        known = len(self._last)
        both = self._last + data
        found = both.find(END_OF_REQUEST)
        self._last = both[-len(END_OF_REQUEST) + 1 :]
        return found + len(END_OF_REQUEST) - known if found >= 0 else -1


class FrameBuffer:
    """Bytes that wait to be parsed, cut into frames.

    A frame of more than `most` bytes is not waited for: the parser refuses it by its head.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = bytearray()
        self._sizes: deque[int] = deque()
        self._cut = 0

    def __len__(self) -> int:
        """Return the number of complete frames."""
        return len(self._sizes)

    @property
    def is_amid(self) -> bool:
        """True where an incomplete frame has begun."""
        return len(self._bytes) > self._cut

    @property
    def held(self) -> int:
        """Number of bytes that wait."""
        return len(self._bytes)

    def is_next(self, data: bytes) -> bool:
        """Return True where this is one whole frame and nothing waits before it, as most often."""
        size = len(data)
        if size < HEAD + MASK or self._bytes or size > self._most:
            return False
        length, head = data[1] & LENGTH, HEAD + MASK if data[1] & IS_MASKED else HEAD
        if length < LENGTH_OF_2:
            return size == head + length
        return length == LENGTH_OF_2 and size == head + 2 + (data[2] << 8 | data[3])

    def put(self, data: bytes) -> int:
        """Add bytes, and return how many frames they have completed."""
        waiting, before = self._bytes, len(self._sizes)
        waiting += data
        at, end = self._cut, len(waiting)
        while end - at >= HEAD:
            size = self._size(at)
            if size > self._most:
                size = end - at
            if size > end - at:
                break
            self._sizes.append(size)
            at += size
        self._cut = at
        return len(self._sizes) - before

    def next(self) -> bytes:
        """Take out the oldest complete frame."""
        size = self._sizes.popleft()
        self._cut -= size
        frame = bytes(self._bytes[:size])
        del self._bytes[:size]
        return frame

    def rest(self) -> bytes:
        """Take out all that waits, complete or not."""
        rest = bytes(self._bytes)
        self.clear()
        return rest

    def clear(self) -> None:
        """Drop all that waits."""
        self._bytes.clear()
        self._sizes.clear()
        self._cut = 0

    def _size(self, at: int) -> int:
        """Return the size of the frame that begins here; while its length is incomplete, the size of what that
        needs."""
        second = self._bytes[at + 1]
        mask = MASK if second & IS_MASKED else 0
        length = second & LENGTH
        width = WIDTHS.get(length, 0)
        if width:
            start = at + HEAD
            length = int.from_bytes(self._bytes[start : start + width], "big")
            if len(self._bytes) < start + width:
                length = 0
        return HEAD + width + mask + length
