"""Records, lines and due times of a store in Redis: commands to send, and the reading of their answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from server.store.port import (
    DueTime,
    KeptRecord,
    Line,
    RecordChange,
    RecordConflict,
    RecordTooNew,
    StoredRecord,
    Trimmed,
)
from server.store.redis import keys
from server.store.redis.connection import Word

CHANGING = (keys.ASKED, keys.ANSWERS, keys.ENDS, keys.NUMBERS)
"""Keys of a script that changes records."""


def put_arguments(batch: Sequence[StoredRecord]) -> tuple[Word, ...]:
    """Return the arguments of PUT for these records."""
    return tuple(word for record in batch for word in _put_words(record))


def _put_words(record: StoredRecord) -> tuple[Word, ...]:
    milliseconds = 0 if record.seconds is None else math.ceil(record.seconds * 1000)
    expected = -1 if record.expected is None else record.expected
    return keys.quoted(record.kind), record.key.encode(), record.data, expected, record.schema, milliseconds


def read_put(batch: Sequence[StoredRecord], answer: Any) -> list[int]:
    """Return the versions in the answer of PUT. Raises RecordConflict, RecordTooNew."""
    outcome, *numbers = answer
    if outcome == b"put":
        return [int(version) for version in numbers]
    number, found = numbers
    record = batch[number]
    if outcome == b"newer":
        raise RecordTooNew(record.kind, record.key, found, record.schema)
    raise RecordConflict(record.kind, record.key, record.expected or 0, found)


def read_record(key: str, answer: Any) -> KeptRecord | None:
    """Return the record in the answer of FIND."""
    return None if answer is None else KeptRecord(key, bytes(answer[0]), int(answer[1]), int(answer[2]))


def read_page(answer: Any) -> list[KeptRecord] | None:
    """Return the records in the answer of LIST; None where their kind has no order."""
    if answer == 0:
        return None
    parts = (answer[first::4] for first in range(4))
    return [KeptRecord(key.decode(), data, version, schema) for key, data, version, schema in zip(*parts, strict=True)]


def former_page(answer: Any, after: str | None, limit: int) -> list[KeptRecord]:
    """Return a page of a whole kind of layout 1."""
    pairs = zip(answer[::2], answer[1::2], strict=True)
    found = sorted((key.decode(), data) for key, data in pairs)
    return [KeptRecord(key, data, 1, 1) for key, data in found if after is None or key > after][:limit]


def read_changes(answer: Any) -> list[RecordChange] | Trimmed:
    """Return the changes in the answer of CHANGES."""
    last, *found = answer
    if not found:
        return Trimmed(last)
    return [RecordChange(number_of(id), fields[1].decode()) for id, fields in found[0]]


def read_lines(answer: Any) -> list[Line]:
    """Return the lines in an answer that has the newest first."""
    return [Line(number_of(id), fields[1]) for id, fields in reversed(answer)]


def due_arguments(times: Mapping[str, int]) -> tuple[Word, ...]:
    """Return the arguments of DUE for these times."""
    return tuple(word for key, at in times.items() for word in (at, key.encode()))


def read_due(answer: Any) -> list[DueTime]:
    """Return the keys and times in the answer of TAKE."""
    return [DueTime(key.decode(), int(float(at))) for key, at in zip(answer[::2], answer[1::2], strict=True)]


def number_of(id: bytes) -> int:
    """Return the number of an entry in a stream, which is N-0."""
    return int(id.partition(b"-")[0])
