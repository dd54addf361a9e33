"""Plain values (words, whole numbers, booleans, lists, maps) and their one canonical msgpack form."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import GenericAlias
from typing import Any, Final

import msgspec

DEEPEST: Final = 16
"""Maps and lists inside one another, at most, in a scene's wire form."""

_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")
_STRUCTS: Final = msgspec.msgpack.Encoder(order="sorted")


@cache
def plain_decoder(depth: int) -> msgspec.msgpack.Decoder[Any]:
    """Return a decoder of words, whole numbers, booleans and nulls, in lists and maps at most `depth` deep.

    Made once for every depth: msgspec then checks at the speed of decoding, and stops at the first thing that is
    too deep. Its size doubles with every level: for what people send, which is shallow.
    """
    scalar: Any = str | int | bool | None
    found = scalar
    for _ in range(depth):
        found = scalar | GenericAlias(list, (found,)) | GenericAlias(dict, (str, found))
    return msgspec.msgpack.Decoder(found)


packed: Final[Callable[[object], bytes]] = _ENCODER.encode
"""msgpack with keys sorted by bytes and the shortest form of every integer, whatever it holds."""


packed_struct: Final[Callable[[msgspec.Struct | tuple[msgspec.Struct, ...]], bytes]] = _STRUCTS.encode
"""`packed` for a typed node, or a list in one: the bytes of its wire form."""


def canonical(value: object) -> bytes:
    """Return the one msgpack form of a value: keys sorted by bytes, shortest integers.

    Raises TypeError for floats, nulls, bytes and keys that are no strings, and for nesting beyond DEEPEST.
    """
    try:
        check_plain(value, DEEPEST)
        return _ENCODER.encode(value)
    except (TypeError, OverflowError, UnicodeError) as problem:
        raise TypeError(f"no canonical form: {problem}") from None


def check_plain(value: object, depth: int, *, nulls: bool = False) -> None:
    """Raise TypeError unless `value` is words, whole numbers, lists and maps nested at most `depth` deep (and nulls,
    where a patch may hold them)."""
    if isinstance(value, str | int) or (nulls and value is None):
        return
    if not isinstance(value, list | tuple | dict):
        raise TypeError(f"no plain value: {type(value).__name__}")
    if not depth:
        raise TypeError("nested too deeply")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("keys must be strings")
        value = list(value.values())
    for inner in value:
        check_plain(inner, depth - 1, nulls=nulls)
