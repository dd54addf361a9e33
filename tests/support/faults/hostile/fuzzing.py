"""Hostile frames: randomly changed bytes, and well-formed msgpack of wrong shapes."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

import msgpack

from protocol.wire.codec import encode_request
from tests.support.examples.messages import FROM_CLIENT

GOOD: Final = tuple(encode_request(message) for message in FROM_CLIENT)
MARKS: Final = bytes([0xC0, 0xC1, 0xC4, 0xC7, 0xCA, 0xCF, 0xD3, 0xD4, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0x80, 0x90, 0xFF])
MOST: Final = 2_000
Frames = Callable[[random.Random], Iterator[bytes]]
T = TypeVar("T")


def raw_frames(chance: random.Random) -> Iterator[bytes]:
    """Yield good frames cut, changed, mixed and stretched, and random bytes, for ever."""
    bends = (_flip, _cut, _swap, _mark, _splice, _repeat, _number)
    while True:
        frame = chance.randbytes(chance.randrange(200)) if chance.random() < 0.1 else chance.choice(GOOD)
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            frame = chance.choice(bends)(chance, frame or b"\x80")
        yield frame[:MOST]


def _flip(chance: random.Random, frame: bytes) -> bytes:
    bent = bytearray(frame)
    bent[chance.randrange(len(bent))] ^= 1 << chance.randrange(8)
    return bytes(bent)


def _cut(chance: random.Random, frame: bytes) -> bytes:
    start, end = sorted((chance.randrange(len(frame) + 1), chance.randrange(len(frame) + 1)))
    return frame[:start] + frame[end:]


def _swap(chance: random.Random, frame: bytes) -> bytes:
    place = chance.randrange(len(frame))
    return frame[:place] + chance.randbytes(chance.randrange(1, 5)) + frame[place + 1 :]


def _mark(chance: random.Random, frame: bytes) -> bytes:
    place = chance.randrange(len(frame))
    return frame[:place] + bytes([chance.choice(MARKS)]) + frame[place + 1 :]


def _splice(chance: random.Random, frame: bytes) -> bytes:
    other = chance.choice(GOOD)
    return frame[: chance.randrange(len(frame) + 1)] + other[chance.randrange(len(other)) :]


def _repeat(chance: random.Random, frame: bytes) -> bytes:
    start = chance.randrange(len(frame))
    part = frame[start : start + chance.randrange(1, 12)]
    return frame[:start] + part * chance.randrange(2, 60) + frame[start:]


def _number(chance: random.Random, frame: bytes) -> bytes:
    place = chance.randrange(len(frame))
    size = chance.choice((0, 1, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1))
    return frame[:place] + bytes([chance.choice(MARKS)]) + struct.pack(">I", size) + frame[place + 1 :]


# Well-formed, of wrong shapes

NAMES: Final = ("t", *{name for message in FROM_CLIENT for name in message.__struct_fields__})
WORDS: Final[Sequence[Any]] = (
    "", "a", "rest", "core:undo", "core:settings", "strike", "piece/1", "../../etc/passwd", "x" * 70, "x" * 2_100,
    "\x00", "\x1b[2J", "\u202e", "\ud7ff", "\U0001f3b2" * 20, "t", "hello", "__class__", "%s%n", "' OR 1=1 --",
)  # fmt: skip
NUMBERS: Final = (0, 1, -1, 15, 16, 2**31, -(2**31) - 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1)


DEPTHS: Final = (0, 1, 2, 3, 5)
POOL: Final = 512
RENEWED: Final = 16_384
"""Frames after which all values are made anew: making one costs as much as refusing it."""


class Pools:
    """Values of each depth, made in advance."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._values: dict[int, list[Any]] = {}

    def renew(self) -> None:
        """Make other values from now on."""
        for depth in DEPTHS:
            self._values[depth] = [_value(self._chance, depth) for _ in range(POOL)]

    def value(self, depth: int) -> Any:
        """Return one of this depth."""
        return self._values[depth][int(self._chance.random() * POOL)]


def wrong_shapes(chance: random.Random) -> Iterator[bytes]:
    """Yield messages whose fields are missing, foreign, doubled in meaning, out of bounds or of another type, for
    ever."""
    good = [dict.fromkeys(each.__struct_fields__) | msgpack.unpackb(encode_request(each)) for each in FROM_CLIENT]
    pools = Pools(chance)
    while True:
        pools.renew()
        for _ in range(RENEWED):
            message = dict(_one_of(chance, good))
            for _ in range(_one_of(chance, (1, 1, 2, 3))):
                _spoil(chance, pools, message)
            yield msgpack.packb(message)


def _one_of(chance: random.Random, items: Sequence[T]) -> T:
    return items[int(chance.random() * len(items))]


def _spoil(chance: random.Random, pools: Pools, message: dict[str, Any]) -> None:
    name = _one_of(chance, list(message) or ["t"])
    match int(chance.random() * 6):
        case 0:
            message.pop(name, None)
        case 1:
            message[_one_of(chance, NAMES)] = pools.value(3)
        case 2:
            message[_one_of(chance, WORDS)] = pools.value(1)
        case 3 if isinstance(message.get("fields"), dict):
            message["fields"] = {**message["fields"], _one_of(chance, WORDS): pools.value(3)}
        case _:
            message[name] = pools.value(_one_of(chance, (0, 1, 2, 5)))


def _value(chance: random.Random, depth: int) -> Any:
    match chance.randrange(8 if depth else 5):
        case 0 | 1:
            return chance.choice(WORDS)
        case 2:
            return chance.choice(NUMBERS)
        case 3:
            return chance.choice((None, True, False, 0.5, float("nan"), float("inf")))
        case 4:
            return chance.randbytes(chance.choice((0, 15, 16, 17)))
        case 5:
            return [
                _value(chance, depth - 1)
                for _ in range(chance.choice((0, 1, 2, 2, 3) if depth > 1 else (0, 1, 2, 300)))
            ]
        case 6:
            return {
                chance.choice(WORDS): _value(chance, depth - 1)
                for _ in range(chance.choice((0, 1, 2) if depth > 1 else (1, 70)))
            }
        case _:
            return {chance.choice(NUMBERS): _value(chance, depth - 1)}
