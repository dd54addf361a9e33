"""Whatever bytes come in, decoding gives a message or a BadFrame that names the place and echoes nothing."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given, strategies as st

from protocol.canonical import canonical
from protocol.english import ENGLISH
from protocol.errors import BadFrame
from protocol.ids import BEGINNING, NodeId, PromptId
from protocol.limits import Limits
from protocol.version import VERSION
from protocol.wire.codec import checked, decode_message, decode_request, encode, encode_request
from protocol.wire.from_client import Hello, Intent, Ping
from protocol.wire.from_server import Snapshot
from tests.support.clients.wire_nodes import VALUES
from tests.support.examples.messages import FROM_CLIENT, FROM_SERVER

A = NodeId("a")

LIMITS = Limits()
INTENT: dict[str, Any] = {"t": "intent", "id": bytes(16), "prompt": "p", "choice": "go", "fields": {}}


def refusal(data: bytes) -> BadFrame:
    with pytest.raises(BadFrame) as caught:
        decode_request(data, LIMITS)
    assert caught.value.text.k in ENGLISH
    return caught.value


def refused(value: object) -> BadFrame:
    return refusal(msgpack.packb(value))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "frame/unreadable"),
        (b"\xc1", "frame/unreadable"),
        (msgpack.packb({"t": "list"}) + b"\x00", "frame/unreadable"),
        (msgpack.packb([1, 2]), "frame/unreadable"),
        (msgpack.packb("hello"), "frame/unreadable"),
        (msgpack.packb({"t": "ping", "n": 1.0}), "frame/unreadable"),
        (msgpack.packb({"t": "ping", "n": float("nan")}), "frame/unreadable"),
        (msgpack.packb({"t": "ping", "n": msgpack.ExtType(5, b"x")}), "frame/unreadable"),
        (msgpack.packb({"t": "ping", "n": msgpack.Timestamp(1)}), "frame/unreadable"),
        (b"\x82\xa1t\xa4ping\xc7\x00\x05\x01", "frame/unreadable"),  # an extension of no bytes as a key
        (b"\x82\xa1t\xa4list\xa1t\xa4list", "frame/unreadable"),  # the same key twice
        (b"\x82\xa1t\xa4list\xc4\x01t\xa4list", "frame/unreadable"),  # and once as bytes
        (msgpack.packb(INTENT)[:-1] + b"\x82\xa1a\x01\xa1a\x01", "frame/unreadable"),  # twice further in
        (msgpack.packb(INTENT)[:-1] + b"\x81\xa1a\x82\xa1a\xa1b\xa1a\xa1b", "frame/unreadable"),
        (msgpack.packb({"t": "chat", "text": "ä"})[:-2] + b"\xe4", "frame/unreadable"),
        (msgpack.packb(INTENT | {"fields": {"a": "é" * 1025}}), "frame/unreadable"),  # more bytes than a word may have
        (b"\x82\xa1t\xa4list\x01\x01", "frame/unreadable"),
        (b"\x82\xa1t\xa4chat\xa4text\xa2\xc3\x28", "frame/unreadable"),  # no UTF-8
        (b"\xdd\xff\xff\xff\xff", "frame/unreadable"),
        (b"\xdf\xff\xff\xff\xff", "frame/unreadable"),
        (b"\xdb\xff\xff\xff\xff", "frame/unreadable"),
        (b"\x81\xa1t" + b"\x91" * 900 + b"\x90", "frame/too-deep"),
        (b"\x81\xa1t" + b"\x91" * 7 + b"\x90", "frame/too-deep"),
        (b"\x81\xa1t" + b"\x81\xa1t" * 8 + b"\x01", "frame/too-deep"),
        (b"\x91" * 9 + b"\x90", "frame/unreadable"),
        (b"\x91" * 16_000, "frame/unreadable"),
        (b"\x90" * 16_000, "frame/unreadable"),
        (bytes(16 * 1024 + 1), "frame/too-large"),
    ],
)
def test_unreadable_frames_end_the_conversation(data: bytes, code: str) -> None:
    problem = refusal(data)
    assert (problem.code, problem.fatal) == (code, True)


@pytest.mark.parametrize(
    ("value", "code", "field"),
    [
        ({}, "frame/unknown-type", None),
        ({"t": "dance"}, "frame/unknown-type", None),
        ({"t": 5}, "frame/unknown-type", None),
        ({"t": ["list"]}, "frame/unknown-type", None),
        ({"t": "list", "more": 1}, "frame/unknown-field", "more"),
        ({"t": "list", "\x1b[2J": 1}, "frame/unknown-field", "?"),
        ({"t": "chat"}, "frame/bad-field", "text"),
        ({"t": "chat", "text": ""}, "frame/bad-field", "text"),
        ({"t": "chat", "text": 7}, "frame/bad-field", "text"),
        ({"t": "chat", "text": b"hm"}, "frame/bad-field", "text"),
        ({"t": "ready", "ready": 1}, "frame/bad-field", "ready"),
        ({"t": "ping", "n": True}, "frame/bad-field", "n"),
        ({"t": "ping", "n": -1}, "frame/bad-field", "n"),
        ({"t": "ping", "n": None}, "frame/bad-field", "n"),
        (
            {"t": "hello", "version": VERSION, "name": "A", "catalogues": ["a", "b c"]},
            "frame/bad-field",
            "catalogues.1",
        ),
        ({"t": "hello", "version": VERSION, "name": "A", "resume": {"table": "t"}}, "frame/bad-field", "resume.stream"),
        (INTENT | {"id": bytes(15)}, "frame/bad-field", "id"),
        (INTENT | {"fields": {"to": [1, [2]]}}, "frame/bad-field", "fields.to"),
        (INTENT | {"fields": {"to": {"a": [1, 2, 3]}}}, "frame/bad-field", "fields.to"),
        (INTENT | {"fields": {f"f{i}": 1 for i in range(17)}}, "frame/bad-field", "fields"),
        (
            INTENT | {"fields": {f"f{i}": {f"p{j}": [1] for j in range(64)} for i in range(9)}},
            "frame/bad-field",
            "fields.f0.p0",
        ),
        (INTENT | {"fields": {"a": 1, "b": {"p1": [1, 2], "p2": [1, 2**40]}}}, "frame/bad-field", "fields.b.p2.1"),
        (INTENT | {"fields": {"a": 1, "b c": 2}}, "frame/bad-field", "fields.?"),
        (INTENT | {"fields": {"a": {"x": "v", "y": [1, 2], "z": "w\n"}}}, "frame/bad-field", "fields.a.z"),
        (INTENT | {"fields": {"a": {"x": [1, 2], "y z": "v"}}}, "frame/bad-field", "fields.a.?"),
        (INTENT | {"more": 1, "choice": "no no"}, "frame/bad-field", "choice"),
        (INTENT | {"more` - at `$.choice": 1}, "frame/unknown-field", "?"),
        ({"t": "hello", "version": VERSION, "name": "A", "resume": {"more": 1}}, "frame/bad-field", "resume.table"),
    ],
)
def test_a_wrong_message_is_refused_by_field(value: object, code: str, field: str | None) -> None:
    problem = refused(value)
    assert (problem.code, problem.fatal) == (code, False)
    if field is not None:
        found = problem.text.a["field"]
        assert isinstance(found, str)
        assert found == field or found.startswith(field + ".")


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_another_version_is_said_before_its_fields_are_read(version: int) -> None:
    problem = refused({"t": "hello", "version": version, "novel": 1})
    assert (problem.code, problem.fatal) == ("frame/wrong-version", True)


def test_a_refusal_finds_its_intent_or_request() -> None:
    assert refused(INTENT | {"more": 1}).intent == bytes(16)
    assert refused(INTENT | {"id": "x" * 16}).intent is None
    assert refused({"t": "detail", "id": 9, "prompt": "", "choice": ""}).detail == 9
    assert refused({"t": "chat", "id": 9}).detail is None


def test_the_largest_values_of_fields_fit_into_a_frame() -> None:
    """Places of 500 figures, slots of 128 items, a way of 8 corners; and one place more is refused."""
    places = {f"piece/{n:08x}": [n * 10, -n] for n in range(500)}
    slots = {f"group/{n:08x}": "fire-at-the-end-of-the-way" for n in range(128)}
    for fields in ({"places": places}, {"each": slots, "way": list(range(-8, 8))}):
        data = msgpack.packb(INTENT | {"fields": fields})
        assert len(data) <= LIMITS.inbound_bytes
        message = decode_request(data, LIMITS)
        assert isinstance(message, Intent)
        assert message.fields == fields
    assert refused(INTENT | {"fields": {"places": places | {"piece/x": [0, 0]}}}).code == "frame/unreadable"


def test_absent_and_null_fields_are_their_default() -> None:
    value = {"t": "hello", "version": VERSION, "name": "Ada", "token": None}
    assert decode_request(msgpack.packb(value), LIMITS) == Hello(version=VERSION, name="Ada")
    assert encode_request(Ping(n=0)) == msgpack.packb({"t": "ping", "n": 0})


def test_numbers_and_defaults_may_be_spelt_out() -> None:
    """Whatever form of msgpack a program writes, as long as it says one thing."""
    frame = msgpack.packb({"t": "hello", "version": 0, "name": "Ada", "token": None, "catalogues": []})
    frame = frame.replace(b"version\x00", b"version\xcf" + VERSION.to_bytes(8)).replace(b"\xa3Ada", b"\xda\x00\x03Ada")
    assert decode_request(frame, LIMITS) == Hello(version=VERSION, name="Ada")


def test_words_are_safe_to_show_when_they_are_read() -> None:
    intent = decode_request(msgpack.packb(INTENT | {"fields": {"say": " a\u202e  b\x1b", "n": 1}}), LIMITS)
    assert isinstance(intent, Intent)
    assert intent.fields == {"say": "a b", "n": 1}
    assert checked(Intent(bytes(16), PromptId("p"), "go", {"say": "a\tb"})).fields == {"say": "a b"}
    with pytest.raises(ValueError, match="Intent"):
        checked(Intent(bytes(15), PromptId("p"), "go"))


@pytest.mark.parametrize(
    "bomb",
    [
        b"\x91" * 100_000,
        b"\xdd\xff\xff\xff\xff" * 3000,
        b"\xdc\x3f\xfd" + b"\x90" * 16_381,
        (b"\xdc\x01\x00" + b"\x90" * 256) * 60,
        b"\x9f" * 8 + b"\x90" * 16_000,
    ],
)
def test_bombs_stay_small(bomb: bytes) -> None:
    tracemalloc.start()
    try:
        refusal(bomb)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.integers(-9, 9), inner, max_size=4)
    ),
    max_leaves=10,
)


def decode_both(data: bytes) -> None:
    for decode in (decode_request, decode_message):
        try:
            decode(data, LIMITS)
        except BadFrame as problem:
            text = problem.text
        else:
            continue
        assert text.k in ENGLISH


@given(st.binary(max_size=200))
def test_random_bytes_raise_nothing_else(data: bytes) -> None:
    decode_both(data)


@given(st.data())
def test_wrong_shapes_raise_nothing_else(data: st.DataObject) -> None:
    """A real message with one value, somewhere, that may be anything; or with bytes changed."""
    example = data.draw(st.sampled_from([*map(encode_request, FROM_CLIENT), *map(encode, FROM_SERVER)]))
    message = msgpack.unpackb(example)
    target, key = message, data.draw(st.sampled_from(list(message)))
    while isinstance(target[key], dict | list) and target[key] and data.draw(st.booleans()):
        target = target[key]
        key = data.draw(st.sampled_from(list(target) if isinstance(target, dict) else range(len(target))))
    if data.draw(st.booleans()) and isinstance(target, dict):
        key = data.draw(st.text(max_size=5))
    target[key] = data.draw(PLAIN)
    decode_both(msgpack.packb(message))
    broken = bytearray(example)
    for _ in range(data.draw(st.integers(1, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    decode_both(bytes(broken[: data.draw(st.integers(0, len(broken)))]))


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"", "frame/unreadable"),
        (b"\x91" * 100_000, "frame/bad-field"),
        (msgpack.packb({"t": "dance"}), "frame/unknown-type"),
        (msgpack.packb({"t": "pong", "n": "1"}), "frame/bad-field"),
        (msgpack.packb({"t": "lobby", "tables": [{"id": 1}]}), "frame/bad-field"),
        (encode(Snapshot("public", "s", BEGINNING, {A: {"x": 1.5}}, 0)), "frame/unreadable"),
        (encode(Snapshot("public", "s", BEGINNING, {A: {"x": b"1"}}, 0)), "frame/unreadable"),
        (encode(Snapshot("public", "s", BEGINNING, {A: {"x": None}}, 0)), "frame/unreadable"),
        (encode(Snapshot("public", "s", BEGINNING, {A: {"x": {1: 2}}}, 0)), "frame/unreadable"),
        (bytes(1024 * 1024 + 1), "frame/too-large"),
    ],
)
def test_a_hostile_server_is_refused(frame: bytes, code: str) -> None:
    with pytest.raises(BadFrame) as caught:
        decode_message(frame, LIMITS)
    assert (caught.value.code, caught.value.fatal) == (code, True)


def test_deep_nodes_are_refused() -> None:
    node: Any = 1
    for _ in range(20):
        node = [node]
    with pytest.raises(BadFrame, match="frame/too-deep"):
        decode_message(encode(Snapshot("public", "s", BEGINNING, {A: {"x": node}}, 0)), LIMITS)
    with pytest.raises(BadFrame):
        decode_message(msgpack.packb({"t": "snapshot", "nodes": {"a": "b"}})[:-2] + b"\x91" * 5000 + b"\x90", LIMITS)


@given(VALUES)
def test_canonical_bytes_do_not_depend_on_order(value: object) -> None:
    def turned(item: object) -> object:
        if isinstance(item, dict):
            return {key: turned(item[key]) for key in reversed(item)}
        return [turned(each) for each in item] if isinstance(item, list) else item

    def in_order(item: object) -> object:
        if isinstance(item, dict):
            return {key: in_order(item[key]) for key in sorted(item, key=str.encode)}
        return [in_order(each) for each in item] if isinstance(item, list) else item

    assert canonical(value) == canonical(turned(value)) == msgpack.packb(in_order(value))


@pytest.mark.parametrize("value", [1.0, None, b"x", {"a": None}, [[2.5]], {1: 2}, float("nan"), 2**64, "\ud800"])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="canonical"):
        canonical(value)


def test_twenty_thousand_broken_frames_raise_nothing_else() -> None:
    """Real frames with bytes changed, cut out or repeated, from a fixed seed."""
    chance = random.Random(20_261_121)
    examples = [*map(encode_request, FROM_CLIENT), *map(encode, FROM_SERVER)]
    for _ in range(20_000):
        frame = bytearray(chance.choice(examples))
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(frame) or 1)
            match chance.randrange(3):
                case 0:
                    frame[place : place + 1] = bytes([chance.randrange(256)])
                case 1:
                    del frame[place : place + chance.randint(1, 9)]
                case _:
                    frame[place:place] = frame[place : place + chance.randint(1, 9)] * chance.randint(1, 50)
        decode_both(bytes(frame))
