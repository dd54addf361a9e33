"""Army lists whose reading or drawing waits in the queue of questions: the table goes on meanwhile, and may change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from server.net.rule_queries import RuleQueries
from server.runtime.bounds import Asker
from tests.support.clients.wire import Client, running
from tests.support.systems.army_book import book
from tests.support.systems.mustered import NAME, mustered, system

LARGE = system.lists.build(book(), "sable_order", 6000, 1)


class Queue:
    """Gate before all questions; `begun` is set once one waits."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.begun = asyncio.Event()

    def before(self, answer: Callable[..., Any]) -> Callable[..., Any]:
        async def waiting(questions: RuleQueries, asker: Asker, work: Callable[[], object]) -> object:
            self.begun.set()
            await self.opened.wait()
            return await answer(questions, asker, work)

        return waiting


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Queue:
    queue = Queue()
    monkeypatch.setattr(RuleQueries, "answer", queue.before(RuleQueries.answer))
    return queue


@asynccontextmanager
async def sat(folder: Path, scenario: str, queue: Queue) -> AsyncIterator[tuple[Client, Client]]:
    """Two people at a table to which lists are brought; the first is its owner. At the end nothing waits."""
    async with running(folder, systems=mustered()) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ann.say(say.CreateTable(system=NAME, scenario=scenario, name="Muster"))
        await ann.arrived()
        await ben.join(seen(ann).code)
        try:
            yield ann, ben
        finally:
            queue.opened.set()


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def test_others_do_what_they_want_at_the_table_while_a_list_waits(tmp_path: Path, queue: Queue) -> None:
    async with sat(tmp_path, "two", queue) as (ann, ben):
        await ben.say(say.BringList())
        await queue.begun.wait()
        await ann.say(say.ChooseFaction(faction="sable_order"))
        await ben.until(lambda: seen(ben).seats[0].faction == "sable_order")
        assert seen(ben).seats[1].brings is None
        queue.opened.set()
        await ben.until(lambda: seen(ben).seats[1].brings is not None)
        assert seen(ben).seats[0].faction == "sable_order"


async def test_a_list_is_drawn_anew_where_the_scenario_has_changed_meanwhile(tmp_path: Path, queue: Queue) -> None:
    async with sat(tmp_path, "uneven", queue) as (ann, ben):
        await ben.say(say.BringList())
        await queue.begun.wait()
        await ann.change(scenario="two")
        queue.opened.set()
        await ben.until(lambda: seen(ben).seats[1].brings is not None)
        brought = seen(ben).seats[1].brings
        assert brought is not None
        assert isinstance(brought.a["points"], int)
        assert brought.a["points"] <= 3000


@pytest.mark.parametrize(("scenario", "code"), [("two", "list/points"), ("plain", "list/none-here")])
async def test_a_written_list_must_fit_the_table_as_it_is_then(
    tmp_path: Path, queue: Queue, scenario: str, code: str
) -> None:
    async with sat(tmp_path, "uneven", queue) as (ann, ben):
        await ben.say(say.BringList(list=LARGE))
        await queue.begun.wait()
        await ann.change(scenario=scenario)
        queue.opened.set()
        assert await ben.problem() == code
        await ben.pinged()
        assert seen(ben).seats[1].brings is None


async def test_whoever_has_lost_their_seat_meanwhile_brings_no_list(tmp_path: Path, queue: Queue) -> None:
    async with sat(tmp_path, "two", queue) as (ann, ben):
        await ben.say(say.BringList())
        await queue.begun.wait()
        await ann.say(say.RemoveSeat(seat=1))
        await ann.until(lambda: not seen(ann).seats[1].who)
        queue.opened.set()
        assert await ben.problem() == "table/no-seat"
        assert seen(ann).seats[1].brings is None
