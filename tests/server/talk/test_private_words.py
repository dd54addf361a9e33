"""Words between two in the store, through both adapters: sealed, of these two alone, and gone with match or account."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.wire.from_server import ChatLine
from server.cli.data.fsck import Host, examine
from server.runtime.sealing import SealingKey
from server.store.port import Store, StoreDamaged
from server.talk.private_words import HAD, KEPT_WORDS, WORDS, PrivateWords
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of

pytestmark = pytest.mark.waits

ONE, OTHER = TableId("t1"), TableId("t2")
KEY = SealingKey(b"k" * 32)


def line(who: str, text: str, at: int = 1) -> ChatLine:
    return ChatLine(who, who.title(), "player", text, at, 1, to_name="Ben")


async def texts(words: PrivateWords, who: str, table: TableId = ONE) -> list[str]:
    return [line.text for lines in await words.of(table, who) for line in lines]


async def test_each_reads_what_passed_between_them_and_others_and_no_more(store: Store) -> None:
    words = PrivateWords(store, KEY)
    await words.add(ONE, "ben", line("ann", "to Ben"))
    await words.add(ONE, "ann", line("ben", "to Ann"))
    await words.add(ONE, "cid", line("ben", "to Cid"))
    await words.add(OTHER, "ann", line("ben", "elsewhere"))
    after = PrivateWords(store, KEY)
    assert await texts(after, "ann") == ["to Ben", "to Ann"]
    assert sorted(await texts(after, "ben")) == ["to Ann", "to Ben", "to Cid"]
    assert await texts(after, "cid") == ["to Cid"]
    assert await texts(after, "be") == await texts(after, "eve") == []
    assert await texts(after, "ann", OTHER) == ["elsewhere"]


async def test_nothing_of_the_words_can_be_read_in_the_store_without_the_key(store: Store) -> None:
    words = PrivateWords(store, KEY)
    await words.add(ONE, "ben", line("ann", "the bridge at dusk"))
    kept = await records_of(store, WORDS)
    assert not any(b"bridge" in data for data in kept.values())
    with pytest.raises(StoreDamaged, match="The words t1 ann ben cannot be read"):
        await PrivateWords(store, SealingKey(b"x" * 32)).of(ONE, "ann")


async def test_of_two_who_write_at_once_no_line_is_lost_and_the_newest_stay(store: Store) -> None:
    words = PrivateWords(store, KEY)
    await asyncio.gather(words.add(ONE, "ben", line("ann", "mine")), words.add(ONE, "ann", line("ben", "yours")))
    assert sorted(await texts(words, "ann")) == ["mine", "yours"]
    for number in range(KEPT_WORDS):
        await words.add(ONE, "ben", line("ann", str(number)))
    assert await texts(words, "ben") == [str(number) for number in range(KEPT_WORDS)]


@pytest.mark.parametrize("what", ["delete", "forget", "sweep"])
async def test_words_go_with_their_match_or_their_people_and_others_stay(store: Store, what: str) -> None:
    words = PrivateWords(store, KEY)
    for table in (ONE, OTHER):
        await words.add(table, "ben", line("ann", "gone"))
        await words.add(table, "cid", line("ben", "stays?"))
    if what == "delete":
        await words.delete(ONE)
    elif what == "sweep":
        await words.sweep(lambda table: table == ONE)
    else:
        await words.forget("ann")
    kept = {"ben cid"} if what == "forget" else {"ann ben", "ben cid"}
    tables = (ONE, OTHER) if what == "forget" else (OTHER,)
    left = {f"{table} {pair}" for table in tables for pair in kept}
    assert set(await records_of(store, WORDS)) == left
    assert set(await records_of(store, HAD)) == {f"{who} {key}" for key in left for who in key.split()[1:]}


async def test_damaged_words_are_named_by_fsck_and_not_shown(tmp_path: Path) -> None:
    store = MemoryStore()
    words = PrivateWords(store, KEY)
    await words.add(ONE, "ben", line("ann", "whole"))
    host = Host({}, KEY, None, tmp_path)
    assert [finding async for finding in examine(store, host)] == []
    [(key, data)] = (await records_of(store, WORDS)).items()
    await store.put_record(WORDS, key, data[:-1])
    [finding] = [finding async for finding in examine(store, host)]
    assert (finding.place, "t1 ann ben" in finding.what) == (WORDS, True)
