"""People of whom something cannot be deleted now: the others are forgotten all the same."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from server.accounts.account_expiry import SWEEP_SECONDS
from server.accounts.identities import ACCOUNTS
from server.lobby.table.table_record import TABLES
from server.people.contact_book import CONTACTS
from server.store.port import StoredRecord, StoreUnavailable
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, rest_to_the_end, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of

DAY = 24 * 3600


class StubbornStore(MemoryStore):
    """A store that neither changes nor deletes one record."""

    def __init__(self) -> None:
        super().__init__()
        self.stays = "", ""

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        batch = list(records)
        for record in batch:
            self._check(record.kind, record.key)
        return await super().put_records(batch)

    async def delete_record(self, kind: str, key: str, schema: int = 1) -> None:
        self._check(kind, key)
        await super().delete_record(kind, key, schema)

    def _check(self, kind: str, key: str) -> None:
        if (kind, key) == self.stays:
            raise StoreUnavailable("It stays.")


@pytest.mark.parametrize("kind", [ACCOUNTS, CONTACTS, TABLES])
async def test_one_record_that_cannot_be_written_keeps_only_its_people(tmp_path: Path, kind: str) -> None:
    store = StubbornStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        await rest_to_the_end(ann, ben)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        cid = await run.client("Cid")
        store.stays = kind, table if kind == TABLES else ann.talk.you
        # a finished table has the names of both who played there
        left = (ann, ben) if kind == TABLES else (ann,)
        for client in (ann, ben, cid):
            await client.close()
        await until(lambda: not run.server.lobby.sessions(), 10)

        async def are_left(*people: Client) -> bool:
            run.clock.advance(SWEEP_SECONDS)
            return set(await records_of(store, ACCOUNTS)) == {client.talk.you for client in people}

        run.clock.advance(91 * DAY)
        await until(lambda: are_left(*left), 10)
        store.stays = "", ""
        await until(are_left, 10)
