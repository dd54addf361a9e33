"""Printed forms of records without the secrets in them, for tracebacks, logs and failed tests."""

from __future__ import annotations

from collections.abc import Collection

import msgspec


def redacted_repr(record: msgspec.Struct, hidden: Collection[str]) -> str:
    """Return the repr of a record without its `hidden` fields."""
    fields = [f"{name}={getattr(record, name)!r}" for name in record.__struct_fields__ if name not in hidden]
    return f"{type(record).__name__}({', '.join(fields)})"
