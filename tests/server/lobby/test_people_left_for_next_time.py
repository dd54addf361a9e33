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
from tests.support.clients.wire import Client, running
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
async def test_one_record_that_cannot_be_written_keeps_only_its_person(tmp_path: Path, kind: str) -> None:
    store = StubbornStore()
    async with running(tmp_path, store=store) as run:
        people = sorted([await run.client("Ann"), await run.client("Ben")], key=lambda client: client.talk.you)
        for client in people:
            await client.create("two")
        first, _ = people
        store.stays = kind, await key_of(store, kind, first)
        for client in people:
            await client.close()
        await until(lambda: not run.server.lobby.sessions(), 10)

        async def are_left(*left: Client) -> bool:
            run.clock.advance(SWEEP_SECONDS)
            return set(await records_of(store, ACCOUNTS)) == {client.talk.you for client in left}

        run.clock.advance(91 * DAY)
        await until(lambda: are_left(first), 10)
        store.stays = "", ""
        await until(are_left, 10)


async def key_of(store: StubbornStore, kind: str, person: Client) -> str:
    """Return the key of the record of this kind that is a person's."""
    if kind != TABLES:
        return person.talk.you
    assert person.talk.table is not None
    return person.talk.table.id
