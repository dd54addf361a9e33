"""Lines of the lobby in the store, through both adapters: in order, by page, bounded, and gone with their speakers."""

from __future__ import annotations

import asyncio

import pytest

from server.cli.data.fsck import Finding, Host, examine
from server.store.port import Store, StoreDamaged, StoreUnavailable
from server.talk.lobby_lines import KEPT_SECONDS, LINES, SAID, LobbyLines
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of
from tests.support.doubles.stores import FailingStore

pytestmark = pytest.mark.waits


def lines_of(store: Store, most: int = 100) -> LobbyLines:
    return LobbyLines(store, lambda: 5, most)


async def texts(lines: LobbyLines, before: int | None = None, most: int = 50) -> list[str]:
    return [one.line.text for one in await lines.page(before, most)]


async def test_lines_are_read_by_page_the_newest_first_and_by_the_server_that_follows(store: Store) -> None:
    lines = lines_of(store)
    for number in range(1, 13):
        said = await lines.add("ann" if number % 2 else "ben", f"line {number}")
        assert (said.number, said.line.at) == (number, 5)
    after = lines_of(store)
    assert await texts(after, most=3) == ["line 12", "line 11", "line 10"]
    assert await texts(after, before=10, most=3) == ["line 9", "line 8", "line 7"]
    assert await texts(after, before=1) == []
    assert (await after.add("ann", "more")).number == 13


async def test_of_two_servers_that_store_lines_at_once_no_line_is_lost(store: Store) -> None:
    both = lines_of(store), lines_of(store)
    await asyncio.gather(*[both[number % 2].add("ann", f"{number}") for number in range(12)])
    kept = await both[0].page(None, 50)
    assert [line.number for line in kept] == list(range(12, 0, -1))
    assert {one.line.text for one in kept} == {str(number) for number in range(12)}


async def test_the_newest_lines_stay_and_nothing_else_of_the_others(store: Store) -> None:
    lines = lines_of(store, most=4)
    for number in range(1, 8):
        await lines.add("ann", f"line {number}")
    assert await texts(lines) == [f"line {number}" for number in (7, 6, 5, 4)]
    assert [len(await records_of(store, kind)) for kind in (LINES, SAID)] == [4, 4]


async def test_all_lines_of_a_person_go_and_those_of_others_stay(store: Store) -> None:
    lines = lines_of(store)
    for number in range(3):
        await lines.add("ann", f"of Ann {number}")
        await lines.add("anna", f"of Anna {number}")
    await lines.forget("ann")
    assert await texts(lines) == ["of Anna 2", "of Anna 1", "of Anna 0"]
    assert all(key.startswith("anna ") for key in await records_of(store, SAID))


async def test_lines_of_a_month_ago_are_read_no_more() -> None:
    now = [1_000]
    lines = LobbyLines(MemoryStore(), lambda: now[0])
    await lines.add("ann", "long ago")
    now[0] += KEPT_SECONDS
    await lines.add("ann", "now")
    assert await texts(lines) == ["now"]


async def test_a_line_that_cannot_be_stored_has_not_been_said() -> None:
    store = FailingStore()
    lines = lines_of(store)
    await lines.add("ann", "first")
    store.failing = True
    with pytest.raises(StoreUnavailable):
        await lines.add("ann", "lost")
    store.failing = False
    assert (await lines.add("ann", "second")).number == 2
    assert await texts(lines) == ["second", "first"]


async def test_a_damaged_line_is_named() -> None:
    store = MemoryStore()
    lines = lines_of(store)
    await lines.add("ann", "whole")
    [key] = await records_of(store, LINES)
    await store.put_record(LINES, key, b"\xc1")
    with pytest.raises(StoreDamaged, match=f"The line {key} of the lobby"):
        await lines.page(None, 50)
    found = [finding async for finding in examine(store, Host({}, None, None, None))]  # type: ignore[arg-type]  # no replay is looked at
    assert [finding.place for finding in found] == [LINES]
    assert isinstance(found[0], Finding)
