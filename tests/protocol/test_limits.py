"""Limits of a frame, to the last element, and refusals that never say again what was said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgpack
import msgspec
import pytest
from msgspec.structs import replace

from protocol.errors import BadFrame
from protocol.limits import Limits
from protocol.version import VERSION
from protocol.wire.codec import checked, decode_request, encode_request
from protocol.wire.from_client import FromClient, Message
from protocol.wire.server_conversation import ServerConversation
from tests.support.examples.messages import FROM_CLIENT

LIMITS = Limits()
NO_WORD = "qZx9secretwordqZx9"


def nested(levels: int) -> object:
    """Make a list in a list, so many of them."""
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def code_of(value: object) -> str:
    try:
        decode_request(msgpack.packb(value), LIMITS)
    except BadFrame as problem:
        return problem.code
    return ""


READ = "frame/unknown-field"
"""What the reader lets pass, the messages refuse."""


@pytest.mark.parametrize(
    ("value", "most", "beyond", "code"),
    [
        (lambda n: nested(n), 7, 8, "frame/too-deep"),
        (lambda n: [1] * n, 256, 257, "frame/unreadable"),
        (lambda n: {f"k{i}": 1 for i in range(n)}, 500, 501, "frame/unreadable"),
        (lambda n: "x" * n, 2048, 2049, "frame/unreadable"),
        (lambda n: bytes(n), 2048, 2049, "frame/unreadable"),
    ],
    ids=["depth", "array", "map", "str", "bin"],
)
def test_the_reader_takes_so_much_and_not_one_more(value: Any, most: int, beyond: int, code: str) -> None:
    assert code_of({"t": "list", "extra": value(most)}) == READ
    assert code_of({"t": "list", "extra": value(beyond)}) == code


@pytest.mark.parametrize("size", [16 * 1024, 16 * 1024 + 1])
def test_a_frame_has_16_kib(size: int) -> None:
    frame = msgpack.packb({"t": "list", "extra": ["x" * 2000] * 8})
    frame = frame[:-1] + b"x" * (size - len(frame)) + frame[-1:]
    with pytest.raises(BadFrame) as caught:
        decode_request(frame, LIMITS)
    assert (caught.value.code == "frame/too-large") is (size > 16 * 1024)


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Yield all parts of a JSON schema."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from schemas(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from schemas(inner)


def unbounded(part: dict[str, Any]) -> bool:
    """Tell whether a schema is a number, word, list or map without an upper bound (or a number without a lower one)."""
    if "const" in part or "enum" in part:
        return False
    match part.get("type"):
        case "integer":
            return not {"minimum", "maximum"} <= part.keys()
        case "string":
            return "maxLength" not in part and part.get("pattern") != r"^[a-z]{2}\Z"
        case "array":
            return "maxItems" not in part
        case "object" if "properties" not in part:
            return "maxProperties" not in part
        case "number":
            return True
    return False


def test_every_number_word_list_and_map_of_every_message_is_bounded() -> None:
    parts = list(schemas(msgspec.json.schema(FromClient)))
    assert len(parts) > 100
    assert [part for part in parts if unbounded(part)] == []


OTHERS: tuple[object, ...] = (1, True, "1", b"1", 1.0, None, [], {})


@pytest.mark.parametrize("message", FROM_CLIENT, ids=lambda message: type(message).__name__)
def test_every_message_is_strict_closed_and_immutable(message: Message) -> None:
    config = message.__struct_config__
    assert config.frozen
    assert config.forbid_unknown_fields
    assert config.tag_field == "t"
    for name in message.__struct_fields__:
        for other in OTHERS:
            try:
                taken = checked(replace(message, **{name: other}))
            except ValueError:
                continue
            assert repr(getattr(taken, name)) == repr(other), "it was converted"


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places in a message where something stands."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*way, key)
        yield from places(each, (*way, key))


def spoilt(value: Any, way: tuple[Any, ...], what: object) -> Any:
    """Return a copy with something else at that place, or beside it where what stands there is a key."""
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = what if len(way) == 1 else spoilt(copy[way[0]], way[1:], what)
    return copy


def problem_of(frame: bytes) -> BadFrame | None:
    try:
        decode_request(frame, LIMITS)
    except BadFrame as problem:
        return problem
    return None


SPOILERS: tuple[object, ...] = (NO_WORD, [NO_WORD], {NO_WORD: NO_WORD}, NO_WORD.encode(), NO_WORD * 90)


@pytest.mark.parametrize("message", FROM_CLIENT, ids=lambda message: type(message).__name__)
def test_a_refusal_never_repeats_a_value(message: Message) -> None:
    plain = msgpack.unpackb(encode_request(message))
    for way in places(plain):
        for what in SPOILERS:
            problem = problem_of(msgpack.packb(spoilt(plain, way, what)))
            if problem is not None:
                assert NO_WORD not in repr((problem.code, problem.text))
                assert problem.__cause__ is None
                assert problem.__suppress_context__


def test_what_a_library_says_never_leaves_the_server() -> None:
    conversation = ServerConversation(LIMITS, 0.0)
    conversation.receive(msgpack.packb({"t": "hello", "version": VERSION, "name": "Ann"}), 0.0)
    for value in (NO_WORD, 7, [NO_WORD], {"k": NO_WORD}):
        conversation.receive(msgpack.packb({"t": "ready", "ready": value}), 0.0)
    said = b"".join(conversation.take())
    assert b"frame/bad-field" in said
    for word in (NO_WORD.encode(), b"msgspec", b"pydantic", b"Expected", b"got `", b"alidation"):
        assert word not in said
