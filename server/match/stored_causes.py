"""The causes of stored steps, read from their bytes: the rules may not be able to read all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from engine.core.match.causes import Cause

_PARTS: Final = msgspec.msgpack.Decoder(list[msgspec.Raw])


def causes_in(steps: Iterable[bytes], kind: type[Cause]) -> Iterator[Mapping[str, Any]]:
    """Yield the causes of one kind in the steps of a log, as maps of their fields."""
    tag = str(kind.__struct_config__.tag)
    for step in steps:
        if tag.encode() in step:
            cause: dict[str, Any] = msgspec.msgpack.decode(_PARTS.decode(step)[1])
            if cause["c"] == tag:
                yield cause
