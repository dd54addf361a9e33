"""Tables and accounts of a newer program: their unknown fields stay, and records of a newer layout are only read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from protocol.wire import from_client as say
from server.accounts.identities import ACCOUNTS
from server.lobby.table.table_record import TABLES
from server.store.port import StoredRecord
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import running

NEW = {"hue": "red", "of": {"tone": 3}}


async def rewrite(path: Path, kind: str, schema: int) -> None:
    """Add fields to all records of a kind, as a newer program would."""
    store = SqliteStore(path)
    for record in await store.page(kind):
        data = msgspec.msgpack.encode(msgspec.msgpack.decode(record.data) | NEW)
        await store.put_records([StoredRecord(kind, record.key, data, record.version, schema)])
    await store.close()


async def test_fields_of_a_newer_program_are_kept_when_a_record_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "eschaton.db"
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.create()
    for kind in (ACCOUNTS, TABLES):
        await rewrite(path, kind, schema=1)
    async with running(tmp_path) as run:
        again = await run.client("Anna", ann.talk.token)
        assert again.talk.you == ann.talk.you
        [live] = run.server.lobby.tables()
        await again.join(live.record.code)
        await again.say(say.ChangeTable(name="Renamed"))
        await again.until(lambda: again.talk.table is not None and again.talk.table.name == "Renamed")
    store = SqliteStore(path)
    for kind, name in ((ACCOUNTS, "Anna"), (TABLES, "Renamed")):
        [record] = await store.page(kind)
        fields = msgspec.msgpack.decode(record.data)
        assert {key: fields[key] for key in ("name", *NEW)} == {"name": name, **NEW}
    await store.close()


async def test_records_of_a_newer_layout_are_only_read(tmp_path: Path) -> None:
    path = tmp_path / "eschaton.db"
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        code = await ann.create()
    await rewrite(path, TABLES, schema=2)
    async with running(tmp_path) as run:
        [line] = [line for line in run.lines if line["event"] == "newer-table"]
        again = await run.client("Ben", ben.talk.token)
        [live] = run.server.lobby.tables()
        assert line["table"] == live.record.id
        await again.say(say.JoinTable(code=code))
        assert await again.problem() == "store/unavailable"
        assert any("written by a newer Eschaton" in line.get("problem", "") for line in run.lines)
        assert live.record.people == (ann.talk.you,)
    await rewrite(path, ACCOUNTS, schema=2)
    async with running(tmp_path) as run:
        refused = await run.client("Ann", ann.talk.token)
        assert refused.closed == (1013, "store/unavailable")
