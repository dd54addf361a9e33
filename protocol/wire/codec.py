"""Codec of frames. Whatever a frame holds, decoding gives a message or raises BadFrame, nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from protocol.canonical import check_plain
from protocol.errors import BadFrame
from protocol.limits import Limits
from protocol.scene.nodes import Cue
from protocol.text import Text, text
from protocol.version import VERSION
from protocol.wire.frame_diagnosis import REQUESTS, read, refuse
from protocol.wire.from_client import FromClient, Hello, Message, Resume, cleaned
from protocol.wire.from_server import Catalogue, Delta, FromServer, Snapshot
from protocol.wire.server_message import ServerMessage

M = TypeVar("M", bound=Message | Resume)

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final[msgspec.msgpack.Decoder[FromServer]] = msgspec.msgpack.Decoder(FromServer)
_PATH: Final = re.compile(r"at `\$([A-Za-z0-9_.\[\]]{0,80})`$")


encode: Final[Callable[[ServerMessage], bytes]] = _ENCODER.encode
"""The frame of a server's message."""
encode_request: Final[Callable[[Message], bytes]] = _ENCODER.encode
"""The frame of a client's message; fields at their default are left out."""


def checked(message: M) -> M:
    """Return a client's message (or part of one) as a server would read it. Raises ValueError where none would take
    it."""
    try:
        return cleaned(msgspec.msgpack.decode(_ENCODER.encode(message), type=type(message)))
    except (msgspec.MsgspecError, TypeError, UnicodeError, OverflowError) as problem:
        raise ValueError(f"no {type(message).__name__} that can be sent: {problem}") from None


def decode_request(data: bytes, limits: Limits) -> FromClient:
    """Return the message in a client's frame. Raises BadFrame; bounded by `limits` before anything is built of it."""
    if len(data) > limits.inbound_bytes:
        raise BadFrame("frame/too-large", text("frame.too_large", most=limits.inbound_bytes), fatal=True)
    try:
        message = REQUESTS.decode(data)
        found = cleaned(message)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, a reader that knows more says so
        refuse(data, limits)
    # What is written anew in the same number of bytes has every key once and every number in its shortest form; nothing
    # in a short frame is too long. All else is looked at again, by a reader that is slower and knows more.
    if len(data) > limits.string or len(_ENCODER.encode(message)) != len(data):
        read(data, limits)
    if type(message) is Hello and message.version != VERSION:
        raise BadFrame("frame/wrong-version", text("frame.wrong_version", wanted=VERSION), fatal=True)
    return found


def decode_message(data: bytes, limits: Limits) -> FromServer:
    """Return the message in a server's frame. Raises BadFrame, always fatal: a server that cannot be read is left.

    Fields that are not known are passed over (a newer server may have them); nodes are plain values, typed later.
    """
    if len(data) > limits.message_bytes:
        raise BadFrame("frame/too-large", text("frame.too_large", most=limits.message_bytes), fatal=True)
    try:
        message = _DECODER.decode(data)
    except msgspec.ValidationError as problem:
        raise _bad_message(str(problem)) from None
    except RecursionError:
        raise BadFrame("frame/too-deep", text("frame.too_deep"), fatal=True) from None
    except Exception:  # noqa: BLE001 - a hostile frame: wrong UTF-8 and huge numbers raise errors of their own
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None
    if isinstance(message, Snapshot | Delta | Catalogue):
        _check_plain(message, limits.message_depth)
    return message


def _check_plain(message: Snapshot | Delta | Catalogue, depth: int) -> None:
    try:
        if isinstance(message, Delta):
            check_plain(message.patch, depth - 1, nulls=True)
            for told in message.told:
                if not isinstance(told, Cue):
                    check_plain(told, depth - 2)
        elif isinstance(message, Catalogue):
            for form in message.forms:
                check_plain(form.cues, depth)
        else:
            check_plain(message.nodes, depth - 1)
    except TypeError as problem:
        if "deeply" in str(problem):
            raise BadFrame("frame/too-deep", text("frame.too_deep"), fatal=True) from None
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None


def _bad_message(problem: str) -> BadFrame:
    found = _PATH.search(problem)
    path = found[1].lstrip(".") if found else ""
    if path == "t" or "`t`" in problem:
        return BadFrame("frame/unknown-type", Text("frame.unknown_type"), fatal=True)
    return BadFrame("frame/bad-field", text("frame.bad_field", field=path or "?"), fatal=True)
