"""Benchmark of the lobby with many tables and viewers: the cost of a change in the index, and its delay to all
viewers."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
import uvloop
from msgspec.structs import replace

from bench import scenes
from bench.figures import Figure, figure
from bench.players import Player, guests
from bench.processes import Process, cores, started
from protocol.ids import TableId
from server.lobby.directory import MemoryTableDirectory
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.store.sqlite.data_file import DataFile

TABLES: Final = 20_000
CHANGES: Final = 5_000
LOOKERS: Final = 1_000
TIMES: Final = 10
TURNS: Final = 5
HOME: Final = 50
"""Tables of the server's bound that are left to those who open some."""


def table(number: int) -> TableRecord:
    """Make an open table by mail, for which no person need be connected."""
    id = TableId(f"{number:012x}")
    seats = (SeatRecord(f"u{number}", f"Name {number}"), *[SeatRecord()] * (scenes.SEATS - 1))
    name = f"Table {number}"
    return TableRecord(
        id, id[-10:], name, scenes.SYSTEM, scenes.SCENARIO, f"u{number}", seats, 1, 1 + number, mail=True
    )


def fill(folder: Path, count: int) -> None:
    """Put so many open tables into the data folder of a server that has not been started yet."""
    file = DataFile(folder / "eschaton.db")
    records = [(t.id, msgspec.msgpack.encode(t)) for t in map(table, range(count))]
    file.writer.execute("BEGIN")
    file.writer.executemany("INSERT INTO records (kind, key, data) VALUES ('table', ?, ?)", records)
    file.writer.execute("COMMIT")
    file.close()


def index_figures() -> list[Figure]:
    """Measure the change of one of 20,000 tables."""
    directory, records = MemoryTableDirectory(lambda table: None), [table(number) for number in range(TABLES)]
    for record in records:
        directory.put(record)
    changing = [replace(records[n * 7919 % TABLES], changed=TABLES + n) for n in range(CHANGES)]
    began = perf_counter()
    for record in changing:
        directory.put(record)
    return [figure("index_change", (perf_counter() - began) / CHANGES * 1e6)]


def looker_figures() -> list[Figure]:
    """Measure a server with about 20,000 tables and 1,000 viewers of its lobby."""
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        folder = Path(name)
        fill(folder, TABLES - HOME)
        with started("bench.server", cores()[0], name, log=folder / "log") as process:
            return uvloop.run(_looked_at(process))


async def _looked_at(process: Process) -> list[Figure]:
    lookers = await guests(process.port, LOOKERS)
    [owner] = await guests(process.port, 1)
    await _all_have(lookers, lookers[0].said["lobby"]["tables"][0]["name"])
    waits = [await _told(owner, lookers, number) for number in range(TIMES)]
    # watching each turn keeps the core busy, and on a busy machine the server gets less of it: so not before
    process.ask("turns")
    for number in range(TURNS):
        await _told(owner, lookers, TIMES + number)
    longest = process.ask("turns")["longest"]
    for player in (*lookers, owner):
        player.close()
    return [figure("lookers_told", max(waits) * 1e3), figure("lookers_turn", longest * 1e3)]


async def _told(owner: Player, lookers: list[Player], number: int) -> float:
    """Open a table, and return the seconds until all viewers have it."""
    name = f"New {number}"
    began = perf_counter()
    owner.say("create", system=scenes.SYSTEM, scenario=scenes.SCENARIO, name=name)
    await _all_have(lookers, name)
    return perf_counter() - began


async def _all_have(lookers: list[Player], name: str) -> None:
    """Wait until all viewers see this table among the newest: two may be of the same second."""

    def has(player: Player) -> bool:
        return any(row["name"] == name for row in player.said["lobby"]["tables"][: TIMES + TURNS])

    await asyncio.gather(*[looker.until(has) for looker in lookers])


def lobby_figures() -> list[Figure]:
    """Measure the index and the viewers."""
    return [*index_figures(), *looker_figures()]
