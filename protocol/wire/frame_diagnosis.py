"""Diagnosis of frames that hold no message: a slower reader says what is wrong, and where."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NoReturn, get_args

import msgpack
import msgspec

from protocol.canonical import plain_decoder
from protocol.errors import BadFrame
from protocol.limits import Limits
from protocol.text import text
from protocol.version import VERSION
from protocol.wire.from_client import FromClient, Message, Resume, cleaned

REQUESTS: Final[msgspec.msgpack.Decoder[FromClient]] = msgspec.msgpack.Decoder(FromClient)
_KINDS: Final[Mapping[str, type[Message]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(FromClient)}
_FIELDS: Final[msgspec.msgpack.Decoder[dict[str, msgspec.Raw]]] = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_BYTES_MARKS: Final = b"\xc4\xc5\xc6"
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_./:-]{1,64}")
_TOO_DEEP: Final = re.compile(r"got `(array|object)`(?! - at `key`)")
_PLACE: Final = re.compile(r" - at `(key` in `)?\$([A-Za-z0-9_.\[\]]{0,80})`$")
_STEPS: Final = re.compile(r"\.([A-Za-z0-9_]+)|\[(\d+)\]|(\[\.\.\.\])")
_MISSING: Final = re.compile(r"^Object missing required field `(\w+)`")
_ENCODER: Final = msgspec.msgpack.Encoder()


def read(data: bytes, limits: Limits) -> Any:
    """Return the content of a frame, a map whatever it means. Raises BadFrame, always fatal."""
    _check_request(data, limits.depth)
    return _unpacked(data, limits)


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
    except Exception:  # noqa: BLE001 - not ValueError alone: OverflowError, StackError and MemoryError are known
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
    except Exception:  # noqa: BLE001 - a hostile frame: the decoder raises more than its own errors
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
    except Exception:  # noqa: BLE001 - a hostile frame: the decoder raises more than its own errors
        raise BadFrame("frame/unreadable", text("frame.unreadable"), fatal=True) from None


def refuse(data: bytes, limits: Limits) -> NoReturn:
    """Raise the BadFrame that says why this is no message: the first thing that cannot be taken."""
    value = read(data, limits)
    id, tag = value.get("id"), value.get("t")
    if tag == "hello" and type(value.get("version")) is int and value["version"] != VERSION:
        raise BadFrame("frame/wrong-version", text("frame.wrong_version", wanted=VERSION), fatal=True) from None
    intent = id if tag == "intent" and type(id) is bytes and len(id) == 16 else None
    detail = id if tag == "detail" and type(id) is int and 0 <= id <= 2**53 else None
    kind = _KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        code, words = "frame/unknown-type", text("frame.unknown_type")
    else:
        code, place = _fault(value, kind)
        key = "frame.bad_field" if code == "frame/bad-field" else "frame.unknown_field"
        words = text(key, field=".".join(map(_printable, place)) or "?")
    raise BadFrame(code, words, fatal=False, intent=intent, detail=detail) from None


def _fault(value: dict[str, Any], kind: type[Message]) -> tuple[str, list[int | str]]:
    """Return the code of what is wrong and the way to its place. `value` is taken apart for it.

    Fields that nobody knows count only where all others are right. They are taken out first, so that what msgspec says
    of the rest quotes no names but ours.
    """
    unknown = _unknown(value, ("t", *kind.__struct_fields__), ())
    unknown += _unknown(value.get("resume"), Resume.__struct_fields__, ("resume",))
    problem = _problem(value)
    if problem is None:
        return "frame/unknown-field", unknown[0] if unknown else []
    place = _place(value, problem)
    missing = _MISSING.search(problem)
    return "frame/bad-field", [*place, missing[1]] if missing else place


def _unknown(part: object, known: Collection[str], way: tuple[str, ...]) -> list[list[int | str]]:
    """Take the fields without a known name out of this part of a message, to which `way` leads, and return the ways to
    them."""
    if not isinstance(part, dict):
        return []
    unknown = [name for name in part if name not in known]
    for name in unknown:
        del part[name]
    return [[*way, name] for name in unknown]


def _printable(key: int | str) -> str:
    return str(key) if isinstance(key, int) or _PLAIN_NAME.fullmatch(key) else "?"


def _problem(value: object) -> str | None:
    """Return the words of msgspec about a message, None where it takes it. It quotes what was sent: not for others'
    eyes."""
    try:
        cleaned(REQUESTS.decode(_ENCODER.encode(value)))
    except msgspec.ValidationError as problem:
        return str(problem)
    return None


def _place(value: dict[str, Any], problem: str) -> list[int | str]:
    """Return the way into a message to the place that msgspec names."""
    found = _PLACE.search(problem)
    way: list[int | str] = []
    for name, number, _ in _STEPS.findall(found[2]) if found else ():
        way.append(name or (int(number) if number else _entry(value, way, problem)))
    if found and found[1]:  # one of its keys
        way.append(_entry(value, way, problem))
    return way


def _entry(value: dict[str, Any], way: list[int | str], problem: str) -> str:
    """Return the entry of the map at `way` that msgspec means and does not name: the one of which it says the same when
    nothing else stands in the map. Nothing else does from now on."""
    place: Any = value
    for key in way:
        place = place[key]
    entries: dict[str, Any] = dict(place)
    for name, inner in entries.items():
        place.clear()
        place[name] = inner
        if _problem(value) == problem:
            break
    return name
