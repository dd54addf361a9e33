"""Count of WebSocket frames in the bytes of a connection, by their heads, before parsing (RFC 6455, section 5.2)."""

from __future__ import annotations

from typing import Final

HEAD: Final = 2
MASK: Final = 4
FIN: Final = 0x80
CONTROL: Final = 0x08
IS_MASKED: Final = 0x80
LENGTH: Final = 0x7F
WIDTHS: Final = {126: 2, 127: 8}
"""Bytes of an extended length, by the value in the first length byte."""
END_OF_REQUEST: Final = b"\r\n\r\n"


class FrameCounter:
    """Counter of the frames of one connection. What comes before the end of the handshake's request is none."""

    def __init__(self) -> None:
        self.frames = 0
        """Number of frames so far whose heads have come."""
        self.messages = 0
        """Number of messages so far that have come whole."""
        self.is_one = False
        """True where the bytes counted last are one frame that ends a message, from its first byte to its last."""
        self._is_request = True
        self._partial = b""
        """The beginning of a head, or of what may be the end of the request."""
        self._missing = 0
        """Bytes of the last frame that have not come."""
        self._is_message = False
        """True where the last frame ends a message: it is neither a control frame nor a fragment with more to come."""

    def count(self, data: bytes) -> None:
        """Count the frames whose heads these bytes complete, and the messages that they end."""
        before = self.frames
        begins = not (self._missing or self._partial or self._is_request)
        self.is_one = False
        if self._partial:
            data = self._partial + data
            self._partial = b""
        at, end = self._missing, len(data)
        if at:
            self.messages += self._is_message and at <= end
        elif self._is_request:
            found = data.find(END_OF_REQUEST)
            if found < 0:
                self._partial = data[1 - len(END_OF_REQUEST) :]
                return
            self._is_request = False
            at = found + len(END_OF_REQUEST)
        while at + HEAD <= end:
            first, second = data[at], data[at + 1]
            size = second & LENGTH
            start = at + HEAD
            if size in WIDTHS:
                start += WIDTHS[size]
                if start > end:
                    break
                size = int.from_bytes(data[at + HEAD : start], "big")
            self.frames += 1
            self._is_message = first & (FIN | CONTROL) == FIN
            at = start + size + (MASK if second & IS_MASKED else 0)
            self.messages += self._is_message and at <= end
        self._partial = data[at:]
        self._missing = max(0, at - end)
        self.is_one = begins and at == end and self._is_message and self.frames - before == 1
