"""Replay files: whole or refused, whatever is done to their bytes."""

from __future__ import annotations

import tracemalloc
from hashlib import sha256

import msgpack
import msgspec
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from protocol.english import ENGLISH
from protocol.errors import BadReplay
from protocol.fairness.replay import Header, Replay, SeatHeader, read, read_log, write
from protocol.fairness.replay_sections import MAGIC, signed_bytes
from protocol.ids import BEGINNING, MatchId, NodeId, Seq
from protocol.limits import Limits
from protocol.scene.delta import nodes_hash
from protocol.scene.nodes import Condition, Result, SeatResult
from protocol.text import text
from protocol.wire.codec import encode
from protocol.wire.from_server import Catalogue, Delta, Snapshot
from tests.support.fairness.signing import HOST

LIMITS = Limits()
SMALL = Limits(replay_bytes=4096, replay_records=20)
RESULT = Result(text("end.turns"), (SeatResult(0, True, 3, (Condition(text("hill"), text("hold"), True),)),))
HEADER = Header(
    "sample",
    "hill",
    MatchId("m1"),
    "here",
    "0.1",
    (SeatHeader("Ada", "m", text("faction.m")), SeatHeader("", "r", bot="level1")),
)
NAMELESS = replace(HEADER, table="", seats=tuple(replace(seat, name="") for seat in HEADER.seats))
STREAMS = {
    "public": (
        Snapshot("public", "s", BEGINNING, {}, 0),
        Delta(n=Seq(1), patch={NodeId("x"): {"k": "row"}}, hash=nodes_hash({NodeId("x"): {"k": "row"}})),
    ),
    "seat/0": (Snapshot("private", "s", BEGINNING, {}, 0),),
}
REPLAY = Replay(
    HEADER,
    b"c" * 32,
    b"S" * 32,
    (b"step one", b"", b"step two"),
    STREAMS,
    (Catalogue("sample", "en", "c1", {"a": "b"}),),
)
GOOD = write(REPLAY, HOST)


def refusal(data: bytes, limits: Limits = LIMITS) -> str:
    with pytest.raises(BadReplay) as caught:
        read(data, limits)
    assert caught.value.text.k in ENGLISH
    assert caught.value.code.startswith("replay/")
    return caught.value.code


def sections(data: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], len(MAGIC) + 4
    while place < len(data):
        end = place + 8 + int.from_bytes(data[place + 4 : place + 8], "big")
        found.append((data[place : place + 4], data[place + 8 : end]))
        place = end
    return found


def sealed(parts: list[tuple[bytes, bytes]], version: int = 2) -> bytes:
    """Return a file of these sections with the right hash at its end: what a careful forger makes."""
    body = MAGIC + version.to_bytes(4, "big")
    body += b"".join([name + len(content).to_bytes(4, "big") + content for name, content in parts])
    return body + b"hash" + (32).to_bytes(4, "big") + sha256(body).digest()


def test_a_replay_comes_back_whole() -> None:
    assert read(GOOD, LIMITS) == REPLAY._replace(key=HOST.public)
    bare = Replay(HEADER, b"c" * 32, b"", (), {}, ())
    assert read(write(bare, HOST), LIMITS) == bare._replace(key=HOST.public)
    assert sealed(sections(GOOD)[:-1]) == GOOD


def test_the_log_is_read_without_the_pictures() -> None:
    streams = {"public": STREAMS["public"][:1] + 500 * STREAMS["public"][1:]}
    data = write(REPLAY._replace(streams=streams), HOST)
    tracemalloc.start()
    try:
        assert read_log(data, LIMITS) == (REPLAY.header, REPLAY.log)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(data)
        with pytest.raises(BadReplay):
            read_log(data[:-40] + bytes(40), LIMITS)
    finally:
        tracemalloc.stop()


def test_every_truncation_is_refused() -> None:
    for length in range(len(GOOD)):
        assert refusal(GOOD[:length]) == ("replay/not-a-replay" if length == 0 else "replay/truncated")


def test_every_flipped_bit_is_refused() -> None:
    for place in range(len(GOOD) * 8):
        data = bytearray(GOOD)
        data[place // 8] ^= 1 << place % 8
        refusal(bytes(data))


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_refused(data: bytes, has_magic: bool) -> None:
    refusal(MAGIC + data if has_magic else data)


def test_what_is_appended_is_refused() -> None:
    assert refusal(GOOD + b"\0") == "replay/damaged"


def test_sizes_and_numbers_are_bounded() -> None:
    assert refusal(bytes(8 * 1024 * 1024 + 1)) == "replay/too-large"
    assert refusal(GOOD + bytes(4096), SMALL) == "replay/too-large"
    many = write(REPLAY._replace(log=(b"",) * 21), HOST)
    assert refusal(many, SMALL) == "replay/too-many"
    parts = [(b"strm", b"")] * 300
    assert refusal(sealed([*sections(GOOD)[:3], *parts])) == "replay/too-many"


def test_an_unknown_version_is_named() -> None:
    assert refusal(sealed(sections(GOOD)[:-1], version=3)) == "replay/wrong-version"


@pytest.mark.parametrize(
    ("place", "content"),
    [
        (0, b"\xc1"),
        (0, msgpack.packb({"system": 1})),
        (0, b"\x91" * 100_000),
        (1, b"short"),
        (2, b"\0\0\0\x09short"),
        (2, b"\0\0"),
        (3, b""),
        (3, b"\0\0\0\x01\xff"),
        (3, b"\0\0\0\x06public"),
        (3, b"\0\0\0\x06public\0\0\0\x01\xc1"),
        (4, b"\0\0\0\x06public" + (lambda f: len(f).to_bytes(4, "big") + f)(encode(STREAMS["public"][0]))),
        (5, b"\0\0\0\x02\x01\x02"),
        (5, (lambda f: len(f).to_bytes(4, "big") + f)(encode(STREAMS["public"][0]))),
    ],
)
def test_sections_that_cannot_be_read_are_named(place: int, content: bytes) -> None:
    parts = sections(GOOD)[:-1]
    parts[place] = (parts[place][0], content)
    assert refusal(sealed(parts)) == "replay/bad-section"


def test_sections_in_another_order_missing_or_unknown_are_refused() -> None:
    parts = sections(GOOD)[:-1]
    assert refusal(sealed([parts[1], parts[0], *parts[2:]])) == "replay/damaged"
    assert refusal(sealed([parts[0], *parts])) == "replay/damaged"
    assert refusal(sealed([(b"evil", b""), *parts])) == "replay/damaged"
    assert refusal(sealed([*parts[:2], *parts[3:]])) == "replay/bad-section"


def test_a_file_that_is_not_signed_is_refused() -> None:
    parts = sections(GOOD)[:-2]
    assert refusal(sealed(parts[:-1])) == "replay/bad-section"
    assert refusal(sealed([*parts[:-1], (b"sign", bytes(95))])) == "replay/bad-section"


def test_names_stand_beside_what_is_signed() -> None:
    bare = write(REPLAY._replace(header=NAMELESS), HOST)
    assert b"Ada" not in bare
    assert [name for name, _ in sections(bare)][-2:] == [b"sign", b"hash"]
    assert read(bare, LIMITS).header == NAMELESS
    assert b"Ada" not in signed_bytes(GOOD)
    assert signed_bytes(bare) == signed_bytes(GOOD)


def test_names_are_read_from_beside_alone_and_one_for_each_seat() -> None:
    parts = sections(GOOD)[:-1]
    head = msgpack.packb({**msgpack.unpackb(parts[0][1]), "table": "Signed"})
    assert read(sealed([(b"head", head), *parts[1:]]), LIMITS).header == HEADER
    assert read(sealed([(b"head", head), *parts[1:-1]]), LIMITS).header == NAMELESS
    for seats in (["Ada"], ["Ada", "Bea", "Cyd"], ["Ada", 1], "Ada"):
        assert refusal(sealed([*parts[:-1], (b"name", msgpack.packb({"seats": seats}))])) == "replay/bad-section"
    assert refusal(sealed([*parts, parts[-1]])) == "replay/damaged"
    assert refusal(sealed([*parts[:-2], parts[-1], parts[-2]])) == "replay/damaged"


def test_a_file_of_the_first_version_has_its_names_in_its_head() -> None:
    parts = sections(GOOD)[:-2]
    head = msgpack.packb(msgspec.to_builtins(HEADER))
    assert read(sealed([(b"head", head), *parts[1:]], version=1), LIMITS).header == HEADER
    assert refusal(sealed(sections(GOOD)[:-1], version=1)) == "replay/damaged"


def test_a_secret_of_another_size_is_not_written() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        write(REPLAY._replace(secret=b"short"), HOST)
