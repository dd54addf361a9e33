"""Matches of a store in Redis: arguments to send, and the reading of answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from server.store import port
from server.store.redis.record_words import number_of

OUTCOMES: Final[dict[bytes, Callable[[int], port.AppendResult]]] = {
    b"appended": port.Appended,
    b"duplicate": port.Duplicate,
    b"conflict": port.Conflict,
    b"fenced": port.Fenced,
}

_SEALED: Final = msgspec.msgpack.Decoder(tuple[bytes, bytes])


def read_appended(answer: Any) -> port.AppendResult:
    """Read the answer of APPEND."""
    outcome, number = answer
    return OUTCOMES[outcome](number)


def seal_arguments(question: str, seat: int, cause: bytes, answer: bytes) -> tuple[bytes, bytes]:
    """Return the arguments of SEAL for this answer, as `read_sealed` reads them."""
    return f"{seat}:{question}".encode(), msgspec.msgpack.encode((cause, answer))


def read_sealing(answer: Any) -> port.SealResult:
    """Read the answer of SEAL."""
    outcome, number = answer
    if outcome == b"fenced":
        return port.Fenced(number)
    return port.Sealed() if outcome == b"sealed" else port.AlreadySealed()


def read_sealed(answer: Any) -> list[port.SealedAnswer]:
    """Read the sealed answers of a match."""
    found = []
    for place, packed in zip(answer[::2], answer[1::2], strict=True):
        seat, _, question = place.decode().partition(":")
        found.append(port.SealedAnswer(question, int(seat), *_SEALED.decode(packed)))
    return sorted(found, key=lambda sealed: (sealed.question, sealed.seat))


def read_steps(answer: Any) -> list[port.LogEntry]:
    """Read a piece of a match's log."""
    return [port.LogEntry(number_of(id), fields[1], fields[3]) for id, fields in answer]


def read_snapshot(answer: Any) -> port.MatchSnapshot | None:
    """Read the snapshot of a match, None where there is none."""
    version, data = answer
    return None if version is None else port.MatchSnapshot(int(version), data)
