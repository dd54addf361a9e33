"""Seat codes pass a seat on the terms on which anybody takes one, and one that was refused is good still."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from protocol.wire.seating import Rematch
from server.lobby.seat_codes import SEAT_CODES
from server.lobby.table.table_record import TABLES
from tests.server.lobby.commands.test_removed_for_good import AWAY, ELSEWHERE, from_address, removed
from tests.server.lobby.test_ranked_tables import AWAY as FAR, person, ranked_table
from tests.server.lobby.test_seat_codes import code_of, use
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, rest_to_the_end, running, two_players
from tests.support.doubles.gated_records import GatedRecords
from tests.support.servers.registration import cheaply
from tests.support.servers.seats import seen


async def gives_up(client: Client) -> None:
    await client.say(say.LeaveTable())
    assert await client.left() == "left"
    client.talk.table = None


async def comes_back(client: Client, other: Client) -> None:
    """Have a device whose seat has passed to another one get it back."""
    code = await code_of(other)
    await client.until(lambda: client.closed is not None)
    client.talk.table = None
    await client.connect()
    await client.say(say.UseSeatCode(code=code))
    await other.until(lambda: other.closed is not None)
    await client.until(lambda: client.talk.table is not None and client.talk.table.seat >= 0)


async def test_a_new_guest_from_where_somebody_was_removed_gets_no_seat_by_a_code(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await removed(run, ann)
        ben = await from_address(run, "Ben", ELSEWHERE)
        await ben.join(seen(ann).code)
        code = await code_of(ben)
        eva = await from_address(run, "Eva", AWAY)
        assert await use(eva, code) == "table/removed-address"
        assert await use(await from_address(run, "Cid", ELSEWHERE), code) == ""


async def test_whoever_has_played_another_seat_of_the_match_gets_none_by_a_code(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await gives_up(ann)
        code = await code_of(ben)
        assert await use(ann, code) == "seat/knows"
        assert await use(await run.client("Phone"), code) == ""


async def test_a_seat_goes_to_another_device_and_back_as_often_as_one_likes(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        phone = await run.client("Phone")
        assert await use(phone, await code_of(ann)) == ""
        for here, there in ((ann, phone), (phone, ann), (ann, phone)):
            await comes_back(here, there)
        assert await ann.intend("focus") == ""


async def test_the_seat_of_whoever_came_late_goes_back_to_their_first_device_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, late=True)
        table = seen(ann).id
        await gives_up(ben)
        cid, phone = await run.client("Cid"), await run.client("Phone")
        await cid.say(say.JoinTable(table=table))
        await cid.until(lambda: cid.talk.table is not None and cid.talk.table.seat == 1)
        assert await use(phone, await code_of(cid)) == ""
        for here, there in ((cid, phone), (phone, cid)):
            await comes_back(here, there)


async def test_a_code_by_which_whoever_is_seated_gets_no_second_seat_stays_good(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        code = await code_of(ann)
        ben.heard.clear()
        await ben.say(say.UseSeatCode(code=code))
        assert await ben.problem() == "seat-code/seated"
        assert await use(await run.client("Phone"), code) == ""


async def test_a_code_that_is_used_while_a_ranked_match_begins_passes_no_seat(tmp_path: Path) -> None:
    store = GatedRecords(tmp_path, TABLES)
    async with cheaply(tmp_path, store=store) as run:
        ann, ben = await ranked_table(run)
        await ben.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        code = await code_of(ben)
        cleo = await person(run, "Cleo", address=FAR)
        [live] = run.server.lobby.tables()
        with store.shut():
            await ann.say(say.StartMatch())
            await store.waiting()
            [user] = run.server.lobby.connections(cleo.talk.you)
            run.clock.advance(1)
            before = user.spoke_at
            await cleo.say(say.UseSeatCode(code=code))
            await until(lambda: user.spoke_at > before)
            # all that the store is asked about the code is answered before this
            for _ in range(5):
                await store.get_record(SEAT_CODES, "none")
                await store.delete_record(SEAT_CODES, "none")
        await ann.my_turn()
        await cleo.pinged()
        assert [message.code for message in cleo.heard if isinstance(message, Problem)] == ["table/ranked-seats"]
        assert live.record.people == (ann.talk.you, ben.talk.you)


async def test_a_device_whose_seat_has_passed_on_asks_for_no_rematch(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        phone = await run.client("Phone")
        assert await use(phone, await code_of(ann)) == ""
        await phone.my_turn()
        await rest_to_the_end(phone, ben)
        table = seen(phone).id
        await ann.until(lambda: ann.closed is not None)
        ann.talk.table = None
        await ann.connect()
        await ann.say(say.WatchTable(table=table))
        await ann.arrived()
        await ann.say(Rematch())
        await ann.pinged()
        assert [message.code for message in ann.heard if isinstance(message, Problem)][-1:] == ["match/no-seat"]
