"""The plain values that travel, their canonical bytes, and the error for frames that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import GenericAlias
from typing import Any, Final

import msgspec

from protocol.plain.text import Text

DEEPEST: Final = 16
"""Maps and lists inside one another, at most, in a scene's wire form."""

_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")
_STRUCTS: Final = msgspec.msgpack.Encoder(order="sorted")


@cache
def plain_decoder(depth: int) -> msgspec.msgpack.Decoder[Any]:
    """Decodes words, whole numbers, yes, no and nulls, nested at most `depth` deep.

    Made once for every depth: msgspec then checks at the speed of decoding, and stops at the first thing that is
    too deep. Its size doubles with every level: for what people send, which is shallow.
    """
    scalar: Any = str | int | bool | None
    found = scalar
    for _ in range(depth):
        found = scalar | GenericAlias(list, (found,)) | GenericAlias(dict, (str, found))
    return msgspec.msgpack.Decoder(found)


class BadFrame(Exception):
    """A frame that cannot be taken. `code` is stable, `text` names the place and never echoes what was sent.

    `fatal`: the connection must be closed after saying so. `intent` and `detail` are the ids of the intent or detail
    request in the frame where they could be read, so that the answer reaches it.
    """

    def __init__(
        self, code: str, text: Text, *, fatal: bool, intent: bytes | None = None, detail: int | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.text = text
        self.fatal = fatal
        self.intent = intent
        self.detail = detail


packed: Final[Callable[[object], bytes]] = _ENCODER.encode
"""msgpack with keys sorted by bytes and the shortest form of every integer, whatever it holds."""


packed_struct: Final[Callable[[msgspec.Struct | tuple[msgspec.Struct, ...]], bytes]] = _STRUCTS.encode
"""The same for a typed node, or a list in one: what `packed` gives for its wire form."""


def canonical(value: object) -> bytes:
    """The one msgpack form of a value: keys sorted by bytes, shortest integers.

    Raises TypeError for floats, nulls, bytes and keys that are no strings, and for nesting beyond DEEPEST.
    """
    try:
        check_plain(value, DEEPEST)
        return _ENCODER.encode(value)
    except (TypeError, OverflowError, UnicodeError) as problem:
        raise TypeError(f"no canonical form: {problem}") from None


def check_plain(value: object, depth: int, *, nulls: bool = False) -> None:
    """Raises TypeError unless `value` is made of words, whole numbers, lists and maps nested at most `depth` deep
    (and nulls, where a patch may hold them)."""
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
