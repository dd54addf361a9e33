"""What is printed of a record (in a traceback, a log, a failed test) without the secrets in it."""

from __future__ import annotations

from collections.abc import Collection

import msgspec


def shown(record: msgspec.Struct, hidden: Collection[str]) -> str:
    """The repr of a record without its `hidden` fields."""
    fields = [f"{name}={getattr(record, name)!r}" for name in record.__struct_fields__ if name not in hidden]
    return f"{type(record).__name__}({', '.join(fields)})"
