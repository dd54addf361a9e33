"""Rule code by name, as a host gives it to a match, and the table events that name another one in mid-match."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.core.match.causes import AnyCause, TableEvent
from engine.core.rules.errors import LogDamaged
from engine.core.rules.record import Record

SAME: Final = "rules_same"
"""Kind of a table event: under this code all steps so far come out the same."""
CHANGED: Final = "rules_changed"
"""Kind of a table event: the match is played on under this code, though steps before this one come out otherwise."""


class RuleCode(msgspec.Struct, frozen=True):
    """Rule code by name: the version of its package, and a digest of its bytes. Both are empty where the host names
    none: in tests, and in matches begun before hosts did."""

    version: str = ""
    digest: bytes = b""


UNNAMED: Final = RuleCode()


def code_event(kind: str, code: RuleCode) -> TableEvent:
    """Make the table event of this kind (SAME, CHANGED) that names the code."""
    return TableEvent(kind, detail=f"{code.digest.hex()} {code.version}")


def named_by(cause: AnyCause) -> RuleCode | None:
    """Return the code that a cause names, None where it names none. Raises LogDamaged."""
    if not isinstance(cause, TableEvent) or cause.kind not in (SAME, CHANGED):
        return None
    digest, _, version = cause.detail.partition(" ")
    try:
        return RuleCode(version, bytes.fromhex(digest))
    except ValueError as problem:
        raise LogDamaged(f"a step names no rule code: {cause.detail!r}") from problem


def with_code(record: Record, cause: AnyCause) -> Record:
    """Return the record after this cause: under the code that it names, if it names one. Raises LogDamaged."""
    code = named_by(cause)
    return record if code is None else msgspec.structs.replace(record, code=code.digest)
