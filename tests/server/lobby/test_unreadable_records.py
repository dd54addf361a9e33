"""Records that cannot be read: whoever asks for a copy of their data gets the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from server.lobby.personal_data import CHAT, personal_data
from server.lobby.seat_codes import SEAT_CODES
from server.lobby.table.table_chat import list_of
from server.lobby.table.table_record import TABLES
from server.order.audit import AUDIT
from server.order.sanctions import SANCTIONS
from server.runtime.sealing import SealingKey
from server.talk.reports import REPORTS
from tests.support.clients.wire import running
from tests.support.doubles.memory_store import MemoryStore

DAMAGED = b"\xc1"


@pytest.mark.parametrize("kind", [TABLES, SEAT_CODES, REPORTS, SANCTIONS, AUDIT, CHAT])
async def test_the_copy_of_ones_data_leaves_out_what_cannot_be_read(tmp_path: Path, kind: str) -> None:
    store = MemoryStore()
    async with running(tmp_path, store=store) as run:
        ann = await run.client("Ann")
        await ann.create("two")
        await ann.say(say.Chat(text="Words of Ann"))
        await ann.pinged()
        assert ann.talk.table is not None
        if kind == CHAT:
            await store.append_line(list_of(ann.talk.table.id), DAMAGED, 10)
        else:
            await store.put_record(kind, "0", DAMAGED)
        copy = json.loads(await personal_data(store, SealingKey(bytes(32)), ann.talk.you, 1))
    assert [table["id"] for table in copy[TABLES]] == [ann.talk.table.id]
    assert [line["text"] for lines in copy[CHAT].values() for line in lines] == ["Words of Ann"]
