"""The delayed view of everything: there is one where every person seated at the start said yes with "ready"."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem, SeatCode, TableView
from protocol.wire.table_lists import TableRow
from server.lobby.table.table_record import LIVE, TABLES, TableRecord
from server.store.sqlite.store import SqliteStore
from tests.server.cli.test_wire_bot import bot
from tests.support.clients.wire import Client, Running, running
from tests.support.doubles.stored import records_of
from tests.support.servers.seats import seen

REFUSED = "Before the start, not every player agreed that spectators may see everything, late."


async def seated(run: Running, *names: str) -> tuple[Client, ...]:
    """People at a duel for two whose owner, the first, allows the delayed view."""
    people = [await run.client(name) for name in names]
    code = await people[0].create()
    await people[0].change(all_views=True, bank=0)
    for client in people[1:]:
        await client.join(code)
    for client in people:
        await client.until(lambda client=client: seen(client).all_views)  # type: ignore[misc]  # a default has no type
    return tuple(people)


async def agreed(client: Client, *agrees: bool) -> None:
    """Wait until the table shows to this client who has said yes, by seats."""
    await client.until(lambda: tuple(seat.delayed_view for seat in seen(client).seats) == agrees)


async def started(owner: Client) -> TableView:
    await owner.say(say.StartMatch())
    await owner.until(lambda: seen(owner).state == "live")
    return seen(owner)


async def watching(run: Running, owner: Client, name: str = "Eve") -> Client:
    eve = await run.client(name)
    await eve.say(say.WatchTable(table=seen(owner).id))
    await eve.arrived()
    return eve


async def refusal(eve: Client) -> tuple[str, str]:
    """Ask to see everything: code and words of the refusal, empty where there is none."""
    eve.heard.clear()
    await eve.say(say.LookAs(sees="all"))
    await eve.pinged()
    return next(((m.code, eve.talk.format(m.text)) for m in eve.heard if isinstance(m, Problem)), ("", ""))


async def back(run: Running, *clients: Client) -> None:
    """Connect to the server that came back, each where they sat."""
    run.clients += clients
    for client in clients:
        client.port = run.port
        client.heard.clear()
        await client.connect()
        await client.hear(TableView)


async def row(client: Client) -> TableRow:
    """The only table in the lobby."""
    client.talk.lobby = None
    await client.say(say.ListTables())
    await client.until(lambda: client.talk.lobby is not None)
    assert client.talk.lobby is not None
    (found,) = client.talk.lobby.tables
    return found


@pytest.mark.parametrize(("ann_agrees", "ben_agrees"), [(True, False), (False, True), (None, True), (False, False)])
async def test_without_the_yes_of_one_person_nobody_sees_everything(
    tmp_path: Path, ann_agrees: bool | None, ben_agrees: bool
) -> None:
    """None: the owner only starts, which stands for "ready" and for no yes."""
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        if ann_agrees is not None:
            await ann.ready(delayed_view=ann_agrees)
        await ben.ready(delayed_view=ben_agrees)
        await agreed(ann, bool(ann_agrees), ben_agrees)
        await ann.until(lambda: seen(ann).seats[1].ready)
        assert not (await started(ann)).delayed_view
        eve = await watching(run, ann)
        assert await refusal(eve) == ("watch/not-agreed", REFUSED)
        assert not seen(eve).delayed_view
        assert seen(eve).role.sees == "public"
        assert not (await row(eve)).delayed_view
        (live,) = run.server.lobby.tables()
        assert live.host is not None
        assert live.host.channels.delayed is None
        assert live.record.looked == (), "who was refused may still sit down"


async def test_who_has_said_yes_is_shown_before_the_start_and_then_what_follows_to_all(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        eve = await watching(run, ann)
        await ben.ready(delayed_view=True)
        for client in (ann, ben, eve):
            await agreed(client, False, True)
            assert not seen(client).delayed_view
        assert (await refusal(eve))[0] == "match/none"
        await ann.ready(delayed_view=True)
        for client in (ann, ben, eve):
            await agreed(client, True, True)
        assert not (await row(eve)).delayed_view
        await started(ann)
        for client in (ann, ben, eve):
            await client.until(lambda client=client: seen(client).delayed_view)  # type: ignore[misc]  # a default has no type
            await agreed(client, False, False)
        assert (await row(ann)).delayed_view
        assert await refusal(eve) == ("", "")
        await eve.until(lambda: seen(eve).role.sees == "all")


@pytest.mark.parametrize("agrees", [True, False])
async def test_bots_do_not_count_and_who_sits_down_later_changes_nothing_and_is_shown_it(
    tmp_path: Path, agrees: bool
) -> None:
    async with running(tmp_path) as run:
        (ann,) = await seated(run, "Ann")
        await ann.say(say.AddBot(kind="random"))
        await ann.ready(delayed_view=agrees)
        await agreed(ann, agrees, False)
        assert (await started(ann)).delayed_view is agrees
        ben = await run.client("Ben")
        assert (await row(ben)).delayed_view is agrees
        await ben.say(say.WatchTable(table=seen(ann).id))
        await ben.arrived()
        assert seen(ben).delayed_view is agrees
        await ben.say(say.JoinTable(table=seen(ann).id))
        await ben.until(lambda: seen(ben).seat == 1)
        assert seen(ben).delayed_view is agrees
        for ready in (True, False):
            await ben.say(say.SetReady(ready=ready, delayed_view=not agrees))
            assert await ben.problem() == "table/started"
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        eve = await watching(run, ben)
        assert seen(eve).delayed_view is agrees
        assert await refusal(eve) == (("", "") if agrees else ("watch/not-agreed", REFUSED))


async def test_who_takes_ready_back_takes_the_yes_back_and_is_asked_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        await ben.ready(delayed_view=True)
        await agreed(ann, False, True)
        await ben.say(say.SetReady(ready=False, delayed_view=True))
        await agreed(ann, False, False)
        await ben.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        await agreed(ann, False, False)
        await ben.ready(delayed_view=True)
        await agreed(ann, False, True)
        await ann.say(say.ChangeTable(seconds=120))
        await ann.until(lambda: seen(ann).seconds == 120)
        await agreed(ann, False, False)
        assert not seen(ann).seats[1].ready
        await ben.ready(delayed_view=True)
        await agreed(ann, False, True)
        await ann.say(say.ChangeTable(scenario="three"))
        await ann.until(lambda: len(seen(ann).seats) == 3)
        await agreed(ann, False, False, False)
        assert not seen(ann).seats[1].ready


async def test_the_yes_of_a_seat_is_not_that_of_who_comes_after(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        await ben.ready(delayed_view=True)
        await ann.ready(delayed_view=True)
        await agreed(ann, True, True)
        await ben.say(say.GetSeatCode())
        code = (await ben.hear(SeatCode)).code
        cleo = await run.client("Cleo")
        await cleo.say(say.UseSeatCode(code=code))
        await cleo.until(lambda: cleo.talk.table is not None and seen(cleo).seat == 1)
        await agreed(cleo, True, False)
        assert seen(cleo).seats[1].ready
        await cleo.say(say.LeaveTable())
        assert await cleo.left() == "left"
        dan = await run.client("Dan")
        await dan.join(seen(ann).code)
        await agreed(dan, True, False)
        await dan.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        assert not (await started(ann)).delayed_view


async def test_where_the_owner_does_not_allow_it_a_yes_of_all_is_none(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        for client in (ann, ben):
            await client.ready(delayed_view=True)
        await agreed(ann, True, True)
        await ann.say(say.ChangeTable(all_views=False))
        await ann.until(lambda: not seen(ann).all_views)
        await agreed(ann, False, False)
        for client in (ann, ben):
            await client.ready(delayed_view=True)
        await agreed(ann, True, True)
        assert not (await started(ann)).delayed_view
        assert (await refusal(await watching(run, ann)))[0] == "watch/not-allowed"


@pytest.mark.parametrize("agrees", [True, False])
async def test_what_they_said_outlives_restarts_before_and_after_the_start(tmp_path: Path, agrees: bool) -> None:
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        await ben.ready(delayed_view=agrees)
        await ann.ready(delayed_view=True)
        await agreed(ann, True, agrees)
    async with running(tmp_path) as run:
        await back(run, ann, ben)
        await agreed(ann, True, agrees)
        assert (await started(ann)).delayed_view is agrees
    async with running(tmp_path) as run:
        await back(run, ann, ben)
        assert seen(ann).delayed_view is agrees
        eve = await watching(run, ann)
        assert (await refusal(eve))[0] == ("" if agrees else "watch/not-agreed")


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_match_that_began_before_players_were_asked_keeps_what_its_owner_allowed(
    tmp_path: Path, allowed: bool
) -> None:
    async with running(tmp_path) as run:
        ann, ben = await seated(run, "Ann", "Ben")
        await ann.change(all_views=allowed)
        await ben.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        assert not (await started(ann)).delayed_view
    store = SqliteStore(tmp_path / "eschaton.db")
    for id, data in (await records_of(store, TABLES)).items():
        older = replace(msgspec.msgpack.decode(data, type=TableRecord), delayed_view=None)
        assert older.state == LIVE
        assert b"delayed_view" not in msgspec.msgpack.encode(older)
        await store.put_record(TABLES, id, msgspec.msgpack.encode(older))
    await store.close()
    async with running(tmp_path) as run:
        await back(run, ann, ben)
        assert seen(ann).delayed_view is allowed
        eve = await watching(run, ann)
        assert (await refusal(eve))[0] == ("" if allowed else "watch/not-allowed")


async def test_a_bot_over_the_wire_agrees_with_the_people(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        (ann,) = await seated(run, "Ann")
        playing = asyncio.create_task(bot(run, seen(ann).code).play())
        await ann.ready(delayed_view=True)
        await agreed(ann, True, True)
        assert (await started(ann)).delayed_view
        await ann.say(say.RemoveSeat(seat=1))
        assert await playing is None
