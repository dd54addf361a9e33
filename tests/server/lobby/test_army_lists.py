"""Army lists at a table: built in a form, brought by each seat, drawn by bots, refused with every fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from protocol.text_format import format_text
from protocol.wire import from_client as say
from protocol.wire.from_server import ListShown, Problem, TableView
from protocol.wire.list_form import Change
from server.cli.simulation.simulate import play
from server.cli.wire_bot import WirePlayer
from server.runtime.clock import RealClock
from tests.support.clients.wire import Client, Running, running
from tests.support.systems.army_book import book
from tests.support.systems.mustered import NAME, SETTLED, mustered, system

CODE = system.lists.build(book(), "iron_marches", 3000, 7)


@asynccontextmanager
async def tables(folder: Path) -> AsyncIterator[Running]:
    SETTLED.clear()
    async with running(folder, systems=mustered()) as run:
        yield run


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def sat(run: Running, scenario: str = "two") -> tuple[Client, Client]:
    """Two people at a table to which lists are brought."""
    ann, ben = await run.client("Ann"), await run.client("Ben")
    await ann.say(say.CreateTable(system=NAME, scenario=scenario, name="Muster"))
    await ann.until(lambda: ann.talk.table is not None)
    await ben.join(seen(ann).code)
    return ann, ben


async def refused(client: Client) -> str:
    problem = await client.hear(Problem)
    return format_text(problem.text, mustered()[NAME].catalogue("en").entries)


async def test_each_brings_a_list_and_the_match_begins_with_both(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, ben = await sat(run)
        await ann.say(say.BringList(list=CODE))
        await ann.until(lambda: seen(ann).seats[0].brings is not None)
        assert seen(ann).seats[0].faction == "iron_marches"
        await ben.ready()
        await ann.say(say.StartMatch())
        assert await ann.problem() == "list/missing"
        file = system.lists.write(book(), system.lists.build(book(), "iron_marches", 3000, 8))
        await ben.say(say.BringList(lines=file.splitlines()))
        await ben.until(lambda: seen(ben).seats[1].brings is not None)
        assert seen(ann).seats[1].faction == "iron_marches", "two may bring the same army"
        assert not seen(ben).seats[1].ready, "with another army the table is another one"
        await ben.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.until(lambda: seen(ann).state == "live")
        assert len(SETTLED[-1]) == 2
        assert all(points > 2800 for points in SETTLED[-1])


async def test_a_bad_list_is_refused_with_every_fault_and_changes_nothing(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, _ = await sat(run)
        await ann.say(say.BringList(list=CODE))
        await ann.until(lambda: seen(ann).seats[0].brings is not None)
        before = seen(ann)
        empty = system.lists.empty(book(), "sable_order", 3000)
        wrong = system.lists.form(book(), empty, Change("take/SO-11", 8))
        wrong = system.lists.form(book(), wrong.draft, Change("take/SO-01", 4))
        wrong = system.lists.form(book(), wrong.draft, Change("take/SO-09", 1))
        await ann.say(say.BringList(list=wrong.draft))
        words = await refused(ann)
        assert "3325 points are 325 more" in words
        assert "4 Heroes" in words
        assert "9 Monsters" in words
        await ann.say(say.BringList(lines=["[list]", "army = 3"]))
        words = await refused(ann)
        assert "list:2: list.army: Input should be a valid string" in words
        assert "list.version: this key is missing" in words
        await ann.say(say.BringList(list=CODE[:-1] + "0"))
        assert "damaged" in await refused(ann)
        await ann.say(say.BringList(list=system.lists.build(book(), "sable_order", 6000, 1)))
        assert "this table plays with 3000 at most" in await refused(ann)
        assert seen(ann) == before


async def test_seats_of_different_points_bring_lists_of_their_own_size(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, ben = await sat(run, "uneven")
        large = system.lists.build(book(), "sable_order", 6000, 1)
        await ann.say(say.BringList(list=large))
        assert "this table plays with 3000 at most" in await refused(ann)
        await ann.say(say.BringList())
        await ben.say(say.BringList(list=large))
        await ben.until(lambda: all(seat.brings is not None for seat in seen(ben).seats))
        for client, limit in ((ann, 3000), (ben, 6000)):
            await client.say(say.BuildList(draft=system.lists.empty(book(), "sable_order", limit)))
            assert (await client.hear(ListShown)).form.total.a["limit"] == limit
            await client.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.until(lambda: seen(ann).state == "live")
        ours, theirs = SETTLED[-1]
        assert ours <= 3000 < theirs <= 6000


async def test_bots_of_uneven_seats_draw_lists_of_their_own_size(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system=NAME, scenario="uneven", name="Muster"))
        await ann.until(lambda: ann.talk.table is not None)
        await ann.say(say.BuildList())
        assert (await ann.hear(ListShown)).form.total.a["limit"] == 3000
        await ann.say(say.BringList())
        await ann.say(say.AddBot(kind="hard"))
        await ann.until(lambda: bool(seen(ann).seats[1].bot) and seen(ann).seats[0].brings is not None)
        await ann.say(say.StartMatch())
        await ann.until(lambda: seen(ann).state == "live")
        ours, theirs = SETTLED[-1]
        assert ours <= 3000 < theirs <= 6000


async def test_the_form_goes_to_and_fro_and_ends_in_a_list(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, ben = await sat(run)
        await ann.say(say.ChooseFaction(faction="sable_order"))
        await ann.say(say.BuildList())
        shown = await ann.hear(ListShown)
        assert (shown.seat, [fault.k for fault in shown.form.faults]) == (0, ["op.list.empty"])
        for row, value in (("take/SO-03", 2), ("up/0/1", 1), ("double/0", 1)):
            await ann.say(say.BuildList(draft=shown.form.draft, change=Change(row, value)))
            shown = await ann.hear(ListShown)
        assert shown.form.faults == ()
        await ann.say(say.BringList(list=shown.form.draft))
        await ben.until(lambda: seen(ben).seats[0].brings is not None)
        assert seen(ben).seats[0].brings.a["points"] == 650  # type: ignore[union-attr]
        await ann.say(say.BuildList())
        assert (await ann.hear(ListShown)).form.draft == shown.form.draft, "it goes on from what the seat has"
        await ann.say(say.BuildList(draft="rubbish"))
        assert await ann.problem() == "list/refused"


async def test_bots_draw_theirs_or_are_given_one(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system=NAME, scenario="three", name="Muster"))
        await ann.until(lambda: ann.talk.table is not None)
        for _ in range(2):
            await ann.say(say.AddBot(kind="hard"))
        await ann.until(lambda: bool(seen(ann).seats[2].bot))
        await ann.say(say.BringList(list=CODE, seat=1))
        await ann.say(say.BringList(list=CODE))
        await ann.until(lambda: seen(ann).seats[1].brings is not None and seen(ann).seats[0].brings is not None)
        await ann.say(say.ChooseFaction(faction="lumen_choir", seat=2))
        await ann.say(say.StartMatch())
        await ann.until(lambda: seen(ann).state == "live")
        assert [seat.faction for seat in seen(ann).seats] == ["iron_marches", "iron_marches", "lumen_choir"]
        assert SETTLED[-1][0] == SETTLED[-1][1] < 3001 < SETTLED[-1][2]


async def test_a_bot_over_the_wire_brings_a_list_that_is_drawn_for_it(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system=NAME, scenario="two", name="Muster"))
        await ann.until(lambda: ann.talk.table is not None)
        url = f"ws://127.0.0.1:{run.port}/"
        player = WirePlayer(url, seen(ann).code, "random", "Bot", 0, {NAME: system}, RealClock())
        playing = asyncio.create_task(player.play())
        await ann.until(lambda: seen(ann).seats[1].ready)
        assert seen(ann).seats[1].brings is not None
        await ann.say(say.BringList())
        await ann.until(lambda: seen(ann).seats[0].brings is not None and seen(ann).seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.until(lambda: seen(ann).state == "live")
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_who_may_bring_what_where(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, ben = await sat(run)
        await ann.say(say.BringList(list=CODE, seat=1))
        assert await ann.problem() == "table/not-a-bot"
        await ben.say(say.BuildList(seat=0))
        assert await ben.problem() == "table/not-owner"
        await ann.say(say.BringList(list=CODE))
        await ann.until(lambda: seen(ann).seats[0].brings is not None)
        await ann.say(say.ChooseFaction(faction="lumen_choir"))
        await ann.until(lambda: seen(ann).seats[0].brings is None)
        await ann.say(say.BringList(list=CODE))
        await ann.say(say.ChangeTable(scenario="plain"))
        await ann.until(lambda: seen(ann).scenario == "plain")
        await ann.say(say.BringList(list=CODE))
        assert await ann.problem() == "list/none-here"


async def test_a_table_keeps_its_lists_over_a_restart(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, _ = await sat(run)
        await ann.say(say.BringList(list=CODE))
        await ann.until(lambda: seen(ann).seats[0].brings is not None)
        token, table = ann.talk.token, seen(ann).id
    async with tables(tmp_path) as run:
        ann = await run.client("Ann", token)
        await ann.say(say.OpenTable(table=table))
        await ann.until(lambda: ann.talk.table is not None)
        assert seen(ann).seats[0].brings is not None
        await ann.say(say.BuildList())
        assert (await ann.hear(ListShown)).form.draft == CODE


def test_simulated_matches_are_played_with_drawn_lists() -> None:
    installed = mustered()[NAME]
    SETTLED.clear()
    info = installed.scenarios["two"]
    first, again = (play(installed, info, ("hard", "hard"), 1, 5) for _ in range(2))
    assert first.finished
    assert SETTLED[0] == SETTLED[1]
    assert len(SETTLED[0]) == 2
    assert first.winners == again.winners


async def test_a_draft_with_numbers_that_no_list_has_is_refused_and_no_fault(tmp_path: Path) -> None:
    async with tables(tmp_path) as run:
        ann, _ = await sat(run)
        await ann.say(say.BuildList(draft="IM1-G2081040G2081001A4RAC"))
        assert "damaged" in await refused(ann)
        begun = system.lists.form(book(), system.lists.empty(book(), "iron_marches", 3000), Change("take/IM-04", 1))
        await ann.say(say.BuildList(draft=begun.draft, change=Change(f"up/0/{2**70}", 1)))
        assert (await ann.hear(ListShown)).form == begun
