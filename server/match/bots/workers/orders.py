"""The messages between a server and a process in which bots think: length-prefixed msgpack over pipes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from protocol.ids import MatchId, PromptId
from protocol.scene.advice import Forecast
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
    """The order to let a new bot play this seat, which tries `acts` first."""

    copy: int
    seat: int
    kind: str
    seed: int
    acts: tuple[Reply, ...] = ()


class Think(msgspec.Struct, frozen=True, array_like=True, tag="think"):
    """The order that the bot of this seat decide within so many seconds; a Thought answers it."""

    copy: int
    seat: int
    thought: int
    seconds: float


class Sample(msgspec.Struct, frozen=True, array_like=True, tag="sample"):
    """The order to sample what a choice of a seat's prompt comes to, within so many seconds of CPU; a Thought answers
    it."""

    copy: int
    seat: int
    thought: int
    prompt: PromptId
    choice: str
    fields: Mapping[str, object]
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


Order = Open | Steps | Sit | Think | Sample | GiveUp | DecisionRefused | Close


class SampledForecast(msgspec.Struct, frozen=True, array_like=True):
    """A forecast, None where nothing could be sampled: of which version of the match it is,
    and the seconds of CPU that it took. Where the rules have failed, `fault` tells how."""

    forecast: Forecast | None
    version: int
    seconds: float
    fault: str = ""


class Thought(msgspec.Struct, frozen=True, array_like=True):
    """A decision or a sampled forecast; without either the bot has failed, and `fault` tells how."""

    thought: int
    reply: Reply | None
    fault: str = ""
    sampled: SampledForecast | None = None


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
