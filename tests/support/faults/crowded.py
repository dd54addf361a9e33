"""A data folder with very many finished matches, made without playing them, and a writer beside them."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import msgspec

from protocol.ids import MatchId, TableId
from server.lobby.table.table_record import FINISHED, SeatRecord, TableRecord
from server.store.port import Appended
from server.store.sqlite.data_file import DataFile
from server.store.sqlite.store import SqliteStore

STEPS = 120
STEP_BYTES = 320
REPLAY_BYTES = 60_000


def crowd(data: Path, matches: int) -> None:
    """Write that many matches of 120 steps of 320 bytes, each with a table and a replay of 60 kB, of random bytes."""
    (data / "replays").mkdir(parents=True)
    noise = secrets.token_bytes(1 << 20)
    file = DataFile(data / "eschaton.db")
    db = file.writer
    db.execute("BEGIN")
    seats = tuple(SeatRecord(f"u{seat}", f"Name {seat}") for seat in range(4))
    for number in range(matches):
        id = TableId(f"{number:016x}")
        table = TableRecord(id, id[-10:], "Friday", "duel", "two", "u0", seats, 1, 2, state=FINISHED, sealed=noise[:60])
        db.execute("INSERT INTO records (kind, key, data) VALUES ('table', ?, ?)", (id, msgspec.msgpack.encode(table)))
        row = db.execute("INSERT INTO matches (name, fence) VALUES (?, 1)", (id,)).lastrowid
        places = [(number * 7919 + step * 331) % (len(noise) - REPLAY_BYTES) for step in range(STEPS)]
        steps = [(row, n, n.to_bytes(16, "big"), noise[at : at + STEP_BYTES]) for n, at in enumerate(places, start=1)]
        db.executemany("INSERT INTO steps (match, version, cause, step) VALUES (?, ?, ?, ?)", steps)
        (data / "replays" / f"{id}.replay").write_bytes(noise[places[0] : places[0] + REPLAY_BYTES])
    db.execute("COMMIT")
    file.close()


class Writer:
    """Writer that appends to one match as fast as the store acknowledges."""

    def __init__(self, store: SqliteStore) -> None:
        self.acknowledged = 0
        self._store = store

    async def write(self) -> None:
        """Write for ever."""
        fence = await self._store.open_match(MatchId("busy"))
        while True:
            outcome = await self._store.append(
                MatchId("busy"), fence, secrets.token_bytes(16), self.acknowledged, b"step"
            )
            assert isinstance(outcome, Appended)
            self.acknowledged = outcome.version
            await asyncio.sleep(0)
