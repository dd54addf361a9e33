"""Frames to messages and back. Whatever a frame holds, decoding gives a message or raises BadFrame, nothing else."""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

import msgpack  # type: ignore[import-untyped]
import msgspec
from pydantic import ValidationError

from protocol.from_client import FROM_CLIENT, FromClient, Message
from protocol.from_server import Delta, FromServer, ServerMessage, Snapshot
from protocol.limits import VERSION, Limits
from protocol.text import Text, text
from protocol.wire import BadFrame, canonical, check_plain, plain_decoder

__all__ = ["BadFrame", "canonical", "decode_message", "decode_request", "encode", "encode_request"]

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final[msgspec.msgpack.Decoder[FromServer]] = msgspec.msgpack.Decoder(FromServer)
_FIELDS: Final[msgspec.msgpack.Decoder[dict[str, msgspec.Raw]]] = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_BYTES_MARKS: Final = b"\xc4\xc5\xc6"
MOST_LISTED: Final = 64
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_./:-]{1,64}")
_TOO_DEEP: Final = re.compile(r"got `(array|object)`(?! - at `key`)")
_PATH: Final = re.compile(r"at `(?:key in )?\$([A-Za-z0-9_.\[\]]{0,80})`$")


def encode(message: ServerMessage) -> bytes:
    """The frame of a server's message."""
    return _ENCODER.encode(message)


def encode_request(message: Message) -> bytes:
    """The frame of a client's message; fields at their default are left out."""
    return _ENCODER.encode(message.model_dump(exclude_defaults=True))


def decode_request(data: bytes, limits: Limits) -> FromClient:
    """The message in a client's frame. Raises BadFrame; bounded by `limits` before anything is built of it."""
    if len(data) > limits.inbound_bytes:
        raise BadFrame("frame/too-large", text("frame.too_large", most=limits.inbound_bytes), fatal=True)
    _check_request(data, limits.depth)
    value = _unpacked(data, limits)
    if value.get("t") == "hello" and type(value.get("version")) is int and value["version"] != VERSION:
        raise BadFrame("frame/wrong-version", text("frame.wrong_version", wanted=VERSION), fatal=True)
    try:
        return FROM_CLIENT.validate_python(value)
    except ValidationError as problem:
        _refuse(value, problem)
    except Exception:
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None


def _unpacked(data: bytes, limits: Limits) -> Any:
    try:
        return msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            object_pairs_hook=_unique,
            ext_hook=_no_extension,
            max_array_len=limits.array,
            max_map_len=limits.map,
            max_str_len=limits.string,
            max_bin_len=limits.string,
            max_ext_len=0,
        )
    # Not ValueError alone: the decoder is known to raise others (OverflowError, StackError, MemoryError).
    except Exception:
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None


def _unique(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs) or not all(type(key) is str for key in found):
        raise ValueError("keys must be different strings")
    return found


def _no_extension(code: int, data: bytes) -> NoReturn:
    raise ValueError("extension types are not spoken here")


def _check_request(data: bytes, depth: int) -> None:
    """Raise BadFrame unless the frame is a map of plain values (or bytes) nested at most `depth` deep with it.

    Nothing is built of what goes too deep, and nothing twice the frame's size of the rest.
    """
    try:
        fields = _FIELDS.decode(data)
    except Exception:
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None
    for value in fields.values():
        content = bytes(value)
        if content[0] not in _BYTES_MARKS:
            _check_field(content, depth - 1)


def _check_field(data: bytes, depth: int) -> None:
    try:
        plain_decoder(depth).decode(data)
    except msgspec.ValidationError as problem:
        if _TOO_DEEP.search(str(problem)):
            raise BadFrame("frame/too-deep", text("frame.too_deep"), fatal=True) from None
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None
    except Exception:
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None


def _refuse(value: dict[str, Any], problem: ValidationError) -> NoReturn:
    few = problem.error_count() <= MOST_LISTED
    # listing thousands of errors costs more than finding them, and one is enough
    listed = problem.errors(include_url=False, include_context=False, include_input=False) if few else []
    kind, places = (listed[0]["type"], listed[0]["loc"][1:]) if listed else ("many", ())
    id, tag = value.get("id"), value.get("t")
    intent = id if tag == "intent" and type(id) is bytes and len(id) == 16 else None
    detail = id if tag == "detail" and type(id) is int and 0 <= id <= 2**53 else None
    if kind.startswith("union_tag"):
        code, words = "frame/unknown-type", text("frame.unknown_type")
    else:
        path = _path(value, places, missing=kind == "missing")
        known = kind != "extra_forbidden"
        code = "frame/bad-field" if known else "frame/unknown-field"
        words = text("frame.bad_field" if known else "frame.unknown_field", field=path)
    raise BadFrame(code, words, fatal=False, intent=intent, detail=detail) from None


def _path(value: object, places: tuple[int | str, ...], *, missing: bool) -> str:
    """The part of pydantic's location that leads into the message: names of union members are left out."""
    found: list[str] = []
    for place in places:
        inside = isinstance(value, dict) and place in value
        inside = inside or (isinstance(value, list) and isinstance(place, int) and place < len(value))
        if not inside and not (missing and isinstance(value, dict)):
            continue
        found.append(str(place) if isinstance(place, int) or _PLAIN_NAME.fullmatch(place) else "?")
        value = value[place] if inside else None  # type: ignore[index]
    return ".".join(found) or "?"


def decode_message(data: bytes, limits: Limits) -> FromServer:
    """The message in a server's frame. Raises BadFrame, always fatal: a server that cannot be read is left.

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
    except Exception:
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None
    if isinstance(message, Snapshot | Delta):
        _check_nodes(message, limits.message_depth)
    return message


def _check_nodes(message: Snapshot | Delta, depth: int) -> None:
    try:
        if isinstance(message, Delta):
            check_plain(message.patch, depth - 1, nulls=True)
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
