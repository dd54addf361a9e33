"""Receipts: the signatures and facts that a host gave for one match, kept in the profile's folder.

A file is msgpack objects, one after another, so that it can only grow; one that a crash has cut off is good up to
there, and is continued from there. The first is a map {"receipts": 1, "match", "key": the host's, "seat": -1 for a
spectator}, the others are, as in protocol/proof/signed_texts.py,

    ["head", version, head, signature]
    ["ack2", seat, id, said, question, version, head, signature, place, path]   a receipt of layout 2
    ["expired", seat, question, version, head, signature]                       time ran out for this seat
    ["ack", id, said, question, version, head, signature, place, path]          a receipt of layout 1, read for ever
    ["fact", number, fact]                                                      as the wire has it, not signed

Each record but a fact stands by itself: order, repetition and what is missing mean nothing. Records of other names, or
of another shape, are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgpack

from client.errors import BadReceipts
from client.storage.oldest_files import oldest_beyond
from protocol.ids import MatchId

MOST_FILES: Final = 100
MOST_BYTES: Final = 4 * 1024 * 1024
SUFFIX: Final = ".receipts"
PUT_ASIDE: Final = ".old"
Record = list[Any]


class Receipts(NamedTuple):
    """Content of a file of receipts, in the order it was written. `size`: bytes up to the end of its last whole
    object."""

    match: MatchId
    key: bytes
    seat: int
    records: list[Record]
    size: int = 0


class ReceiptBook:
    """File in which the receipts of one match are written. What cannot be written is not kept, and `problem` says
    why."""

    def __init__(self, folder: Path, match: MatchId, key: bytes, seat: int) -> None:
        self.problem = ""
        self._path = folder / f"{_plain(match)}-{'watching' if seat < 0 else seat}{SUFFIX}"
        self._facts: dict[int, bytes] = {}
        self._size = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for oldest in oldest_beyond(folder, SUFFIX, MOST_FILES):
                oldest.unlink()
            if not self._goes_on(match, key):
                self._path.write_bytes(msgpack.packb({"receipts": 1, "match": match, "key": key, "seat": seat}))
            self._size = self._path.stat().st_size
        except OSError as problem:
            self.problem = problem.strerror or str(problem)

    def _goes_on(self, match: MatchId, key: bytes) -> bool:
        """Return True where the file is one of this match and host already; its facts are known again."""
        if not self._path.exists():
            return False
        with suppress(BadReceipts):
            known = read(self._path.read_bytes())
            if (known.match, known.key) == (match, key):
                self._facts = {r[1]: msgpack.packb(r[2]) for r in known.records if r[0] == "fact"}
                # what followed a record that was cut off would be taken for the rest of it
                os.truncate(self._path, known.size)
                return True
        self._path.replace(self._path.with_suffix(PUT_ASIDE))
        return False

    def keep(self, kind: str, *values: int | bytes) -> None:
        """Keep what the host has signed: a head by itself, a receipt for an own act, or that one's time ran out. The
        values are those of `_SHAPES`."""
        self._write([kind, *values])

    def keep_fact(self, number: int, fact: bytes) -> bool:
        """Keep a fact as msgpack; False where another one was told under this number before."""
        known = self._facts.get(number)
        if known is None:
            self._facts[number] = fact
        if known != fact:
            self._write(["fact", number, msgpack.unpackb(fact)])
        return known in (None, fact)

    def _write(self, record: Record) -> None:
        data = msgpack.packb(record)
        if self.problem or self._size + len(data) > MOST_BYTES:
            return
        before = -1
        try:
            with self._path.open("ab") as file:
                before = file.tell()
                file.write(data)
            self._size = before + len(data)
        except OSError as problem:
            self.problem = problem.strerror or str(problem)
            if before >= 0:
                with suppress(OSError):
                    os.truncate(self._path, before)


def read(data: bytes) -> Receipts:
    """Return the receipts in a file; a record that was cut off at its end is left out. Raises BadReceipts."""
    found = list(_objects(data[:MOST_BYTES]))
    first = found[0][0] if found else None
    if not isinstance(first, dict) or first.get("receipts") != 1:
        raise BadReceipts("This is not a file of receipts.")
    match, key, seat = first.get("match"), first.get("key"), first.get("seat")
    if not (isinstance(match, str) and isinstance(key, bytes) and isinstance(seat, int)):
        raise BadReceipts("This file of receipts lacks its head.")
    records = [record for record, _ in found[1:] if isinstance(record, list) and _is_record(record)]
    return Receipts(MatchId(match), key, seat, records, found[-1][1])


_SHAPES: Final[dict[str, tuple[type, ...]]] = {
    "head": (int, bytes, bytes),
    "ack": (bytes, bytes, int, int, bytes, bytes, int, bytes),
    "ack2": (int, bytes, bytes, int, int, bytes, bytes, int, bytes),
    "expired": (int, int, int, bytes, bytes),
    "fact": (int, dict),
}


def _is_record(record: Record) -> bool:
    if not record or not isinstance(record[0], str):
        return False
    shape = _SHAPES.get(record[0], (type(None),))
    return len(record) == len(shape) + 1 and all(map(isinstance, record[1:], shape))


def _objects(data: bytes) -> Iterator[tuple[object, int]]:
    """Yield the whole objects at the beginning of a file, each with the place of its end."""
    unpacker = msgpack.Unpacker(max_buffer_size=MOST_BYTES, strict_map_key=False)
    unpacker.feed(data)
    try:
        for one in unpacker:
            yield one, unpacker.tell()
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever else bytes make the decoder raise, what came before stands
        return


def receipt_files(match: MatchId, folder: Path, suffix: str = SUFFIX) -> list[bytes]:
    """Return the files of all profiles with folders in this one that may be of a match; what cannot be read counts as
    none. With PUT_ASIDE as `suffix`, those under a key that the host had before."""
    found = []
    for path in sorted(folder.glob(f"*/{_plain(match)}-*{suffix}")):
        with suppress(OSError), path.open("rb") as file:
            found.append(file.read(MOST_BYTES))
    return found


def _plain(match: MatchId) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", match)[:64] or "match"
