"""The messages between a server and a process in which bots think: length-prefixed msgpack over pipes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from protocol.ids import MatchId
from protocol.scene.nodes import Reply

LENGTH: Final = 4
"""Bytes of a frame's length, the highest first."""


class Open(msgspec.Struct, frozen=True, array_like=True, tag="open"):
    """The order to make a copy of a match. `system`: MODULE:NAME of its rule system, or of the class that it is made
    of; `secret`: that of its dice."""

    copy: int
    match: MatchId
    system: str
    secret: bytes

    def __repr__(self) -> str:
        return f"Open({self.copy}, {self.match!r})"


class Steps(msgspec.Struct, frozen=True, array_like=True, tag="steps"):
    """The next steps of a match, as they are stored."""

    copy: int
    steps: tuple[bytes, ...]


class Sit(msgspec.Struct, frozen=True, array_like=True, tag="sit"):
    """The order to let a new bot play this seat."""

    copy: int
    seat: int
    kind: str
    seed: int


class Think(msgspec.Struct, frozen=True, array_like=True, tag="think"):
    """The order that the bot of this seat decide within so many seconds; a Thought answers it."""

    copy: int
    seat: int
    thought: int
    seconds: float


class GiveUp(msgspec.Struct, frozen=True, array_like=True, tag="give_up"):
    """The order to think no longer about this; it is answered all the same."""

    thought: int


class DecisionRefused(msgspec.Struct, frozen=True, array_like=True, tag="refused"):
    """The last decision of this seat's bot was refused with this code."""

    copy: int
    seat: int
    code: str


class Close(msgspec.Struct, frozen=True, array_like=True, tag="close"):
    """The order to drop a copy."""

    copy: int


Order = Open | Steps | Sit | Think | GiveUp | DecisionRefused | Close


class Thought(msgspec.Struct, frozen=True, array_like=True):
    """A decision; without a reply the bot has failed, and `fault` tells how."""

    thought: int
    reply: Reply | None
    fault: str = ""


_ENCODER: Final = msgspec.msgpack.Encoder()
order_of: Final[Callable[[bytes], Order]] = msgspec.msgpack.Decoder(Order).decode
"""Decode an order. Raises msgspec.MsgspecError."""
thought_of: Final = msgspec.msgpack.Decoder(Thought).decode
"""Decode a thought. Raises msgspec.MsgspecError."""


def framed(message: Order | Thought) -> bytes:
    """Return the message with its length before it."""
    packed = _ENCODER.encode(message)
    return len(packed).to_bytes(LENGTH, "big") + packed


class Frames:
    """A buffer that cuts what comes in pieces into frames."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def take(self, data: bytes) -> Iterator[bytes]:
        """Yield the frames that are whole with this piece, without their lengths. Ask for all of them."""
        self._rest += data
        while len(self._rest) >= LENGTH:
            end = LENGTH + int.from_bytes(self._rest[:LENGTH], "big")
            if len(self._rest) < end:
                return
            frame = bytes(self._rest[LENGTH:end])
            del self._rest[:end]
            yield frame
