"""`eschaton-server export`: the data that a host keeps, as JSON lines that people and programs can read.

A line is an object with `kind`: "table", "account", "report", "sanction", "audit", or of a match "step" and "answer"
(sealed, not in the log yet). Bytes are written in hex; an intent inside a cause is decoded. Tokens, passwords' hashes,
secrets of matches and marks of addresses are left out. Lines of a live match hold what its players may not know yet.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import msgspec

from engine.core.match.causes import Answered
from protocol.errors import BadReplay
from protocol.fairness.replay import read
from protocol.ids import MatchId, TableId, match_of
from protocol.limits import Limits
from server.accounts.identities import ACCOUNTS, read_account
from server.cli.data import replay_export
from server.cli.data.command_inputs import open_reader
from server.cli.new_file import making
from server.lobby.table.table_record import TABLES, TableRecord
from server.order.audit import AUDIT, read_entry
from server.order.sanctions import SANCTIONS, read_sanction
from server.runtime.errors import CommandError
from server.store.paging import each_record
from server.store.port import StoreError
from server.store.sqlite.reader import ReadableStore
from server.talk.reports import REPORTS, read_report

Line = dict[str, Any]


async def exported(store: ReadableStore, replays: Path, match: MatchId | None = None) -> AsyncIterator[Line]:
    """Yield all that is kept, or what belongs to one match. The log of a finished match may be in its replay alone."""
    tables: set[MatchId] = set()
    async for record in each_record(store, TABLES):
        id = match_of(TableId(record.key))
        tables.add(id)
        if match in (None, id):
            table = _opened(msgspec.msgpack.decode(record.data, type=TableRecord))
            yield {"kind": "table", **{name: value for name, value in table.items() if name != "sealed"}}
    if not match:
        async for record in each_record(store, ACCOUNTS):
            account = read_account(record.data)
            yield {"kind": "account", "id": account.id, "name": account.name, "seen": account.seen}
        async for record in each_record(store, REPORTS):
            yield {"kind": "report", **_opened(read_report(record.data))}
        async for record in each_record(store, SANCTIONS):
            sanction = _opened(read_sanction(record.data))
            yield {"kind": "sanction", **{name: value for name, value in sanction.items() if name != "marks"}}
        async for record in each_record(store, AUDIT):
            yield {"kind": "audit", **_opened(read_entry(record.data))}
    stored_ones = await store.matches()
    for id in [match] if match else sorted({*tables, *stored_ones}):
        steps = [stored.step for stored in await store.read(id)] if id in stored_ones else archived(replays, id)
        for step in steps:
            yield step_line(id, step)
        for answer in await store.sealed(id):
            reply = _opened(msgspec.msgpack.decode(answer.answer, type=Answered))
            yield {"kind": "answer", "match": id, "question": answer.question, "seat": answer.seat, "answer": reply}


def archived(replays: Path, match: MatchId) -> Sequence[bytes]:
    """Return the log of a match as its replay has it; nothing where there is none. Raises BadReplay."""
    try:
        data = (replays / f"{match}.replay").read_bytes()
    except OSError:
        return ()
    return read(data, Limits(replay_bytes=max(len(data), 1))).log


def step_line(match: MatchId, step: bytes) -> Line:
    """Return the line of a stored step, readable without its rules."""
    version, cause, entries, asked, hidden = msgspec.msgpack.decode(step)
    if isinstance(cause.get("intent"), bytes):
        cause["intent"] = msgspec.msgpack.decode(cause["intent"])
    said = {"cause": cause, "entries": entries, "asked": asked, "hidden": hidden}
    return {"kind": "step", "match": match, "version": version, **_plain(said)}


def _opened(record: msgspec.Struct) -> Line:
    found: Line = _plain(msgspec.to_builtins(record, builtin_types=(bytes,)))
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


async def _write_all(data: Path, place: str, match: MatchId | None, into: TextIO) -> int:
    opened = await open_reader(data, place)
    count = 0
    try:
        async for line in exported(opened, data / "replays", match):
            into.write(json.dumps(line) + "\n")
            count += 1
    except (StoreError, BadReplay, msgspec.MsgspecError) as problem:
        raise CommandError(f"The store cannot be read: {problem}. `eschaton-server fsck` says more.", 1) from problem
    finally:
        await opened.close()
    if match and not count:
        raise CommandError(f"There is no match {match!r} here.", 1)
    return count


def run(data: Path, place: str, match: MatchId | None, out: Path | None) -> int:
    """Run the command. Raises CommandError."""
    if out is not None and out.suffix == ".replay":
        if not match:
            raise CommandError("A .replay file is of one match: name it with --match.")
        return replay_export.run(data, place, match, out)
    if out is None:
        asyncio.run(_write_all(data, place, match, sys.stdout))
        return 0
    with making(out), out.open("x", encoding="utf-8") as file:
        lines = asyncio.run(_write_all(data, place, match, file))
    print(json.dumps({"event": "exported", "into": str(out), "lines": lines}))
    return 0
