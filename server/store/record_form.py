"""Records as structs: written back with the fields that this program does not know.

A field that is added to the top of a record keeps its schema number: programs of before carry it along. Whatever else
changes (a field inside another, the meaning of one) needs the next number, and programs of before only read it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, TypeVar

import msgspec

from server.store.port import StoreDamaged

T = TypeVar("T", bound=msgspec.Struct)

NOTHING_UNKNOWN: Final[Mapping[str, Any]] = {}


def unknown_fields(data: bytes, form: type[msgspec.Struct], former: Collection[str] = ()) -> Mapping[str, Any]:
    """Return the fields of a stored record that `form` does not have. `former`: names of its own of before, not kept.

    Raises MsgspecError.
    """
    fields = msgspec.msgpack.decode(data, type=dict[str, Any])
    unknown = fields.keys() - {*form.__struct_encode_fields__, *former}
    return {name: value for name, value in fields.items() if name in unknown} if unknown else NOTHING_UNKNOWN


def encode_record(record: msgspec.Struct, unknown: Mapping[str, Any]) -> bytes:
    """Return the bytes of a record with the unknown fields that it had."""
    data = msgspec.msgpack.encode(record)
    return msgspec.msgpack.encode(msgspec.msgpack.decode(data) | unknown) if unknown else data


def read_record(kind: str, key: str, data: bytes, form: type[T]) -> T:
    """Decode a stored record. Raises StoreDamaged, which names it."""
    try:
        return msgspec.msgpack.decode(data, type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise StoreDamaged(f"The {kind} {key} cannot be read: {problem}") from problem
