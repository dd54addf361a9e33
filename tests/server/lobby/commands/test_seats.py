"""Seats over the wire: chosen, kept, locked and exchanged before the start, taken over by agreement in a match."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from protocol.wire.seating import AskSeat, GetInvitations, GiveSeat, Invitation, KeepSeat, SwapSeats
from tests.support.clients.wire import Client, Running, running, two_players

pytestmark = pytest.mark.waits


def view(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


def names(client: Client) -> list[str]:
    return [seat.name for seat in view(client).seats]


async def three(run: Running, *others: str) -> list[Client]:
    """Return Ann, who owns a table for three, and others who sit there."""
    ann = await run.client("Ann")
    code = await ann.create("three")
    found = [ann]
    for name in others:
        found.append(client := await run.client(name))
        await client.join(code)
    await ann.until(lambda: sum(bool(seat.who) for seat in view(ann).seats) == len(found))
    return found


async def refused(client: Client, message: say.Message) -> str:
    client.heard.clear()
    await client.say(message)
    return await client.problem()


async def test_of_two_who_take_one_seat_at_once_one_has_it_and_the_other_is_told(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        [ann] = await three(run)
        wanted = say.JoinTable(table=view(ann).id, seat=2)
        both = [await run.client(name) for name in ("Ben", "Cid")]
        await asyncio.gather(*(client.say(wanted) for client in both))
        for client in both:
            await client.pinged()
        sits = [client for client in both if client.talk.table is not None]
        assert [view(client).seat for client in sits] == [2]
        [other] = [client for client in both if client.talk.table is None]
        assert await other.problem() == "table/seat-gone"


async def test_a_kept_seat_is_for_one_person_who_is_told_of_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        [ann] = await three(run)
        await ann.change(private=True)
        ben, cid = await run.client("Ben"), await run.client("Cid")
        await ben.say(GetInvitations())
        await ann.say(KeepSeat(seat=1, who=ben.talk.you))
        told = await ben.hear(Invitation)
        assert (told.table, told.by, told.again) == (view(ann).id, "Ann", False)
        await ann.say(KeepSeat(seat=2, locked=True))
        await ann.until(lambda: view(ann).seats[2].locked)
        assert (view(ann).seats[1].kept_for, names(ann)[1]) == (ben.talk.you, "Ben")
        assert await refused(cid, say.JoinTable(code=view(ann).code)) == "table/kept"
        await ben.say(say.JoinTable(table=told.table))
        await ben.arrived()
        assert view(ben).seat == 1
        await ann.say(KeepSeat(seat=2))
        await ann.until(lambda: not view(ann).seats[2].locked)
        await cid.join(view(ann).code)
        assert view(cid).seat == 2


async def test_seats_are_kept_by_the_owner_and_for_those_who_have_none(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await three(run, "Ben")
        cid = await run.client("Cid")
        assert await refused(ben, KeepSeat(seat=2, who=cid.talk.you)) == "table/not-owner"
        assert await refused(ann, KeepSeat(seat=2, who=ben.talk.you)) == "seat/seated"
        assert await refused(ann, KeepSeat(seat=1, who=cid.talk.you)) == "table/seat-taken"
        assert await refused(ann, KeepSeat(seat=2, name="Nobody of this name")) == "people/unknown"
        assert await refused(ann, KeepSeat(seat=9, locked=True)) == "table/no-seat"
        await cid.say(say.KeepName(password="three hares in a boat"))
        await cid.pinged()
        await ann.say(KeepSeat(seat=2, name="cid"))
        await ann.until(lambda: view(ann).seats[2].kept_for == cid.talk.you)


async def test_nobody_is_told_of_a_seat_by_one_whom_they_have_blocked(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        [ann] = await three(run)
        ben = await run.client("Ben")
        await ben.say(GetInvitations())
        await ben.say(say.Relate(what="block", who=ann.talk.you))
        await ben.pinged()
        await ann.say(KeepSeat(seat=1, who=ben.talk.you))
        await ann.until(lambda: bool(view(ann).seats[1].kept_for))
        await ben.pinged()
        assert not [message for message in ben.heard if isinstance(message, Invitation)]


async def test_two_change_places_when_both_wish_it_and_are_asked_anew_if_they_are_ready(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await three(run, "Ben")
        await ben.ready()
        await ben.say(SwapSeats(seat=0))
        await ann.until(lambda: view(ann).seats[1].swap_with == 0)
        assert names(ann)[:2] == ["Ann", "Ben"]
        await ben.say(SwapSeats(seat=1))
        await ann.until(lambda: view(ann).seats[1].swap_with == -1)
        await ann.say(SwapSeats(seat=1))
        await ben.until(lambda: view(ben).seats[0].swap_with == 1)
        await ben.say(SwapSeats(seat=0))
        await ben.until(lambda: view(ben).seat == 0)
        assert names(ben)[:2] == ["Ben", "Ann"]
        assert [(seat.swap_with, seat.ready) for seat in view(ben).seats[:2]] == [(-1, False)] * 2


async def test_who_sits_goes_to_an_open_seat_at_once_and_the_owner_exchanges_any(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await three(run, "Ben")
        await ben.say(SwapSeats(seat=2))
        await ben.until(lambda: view(ben).seat == 2)
        await ann.say(say.AddBot(kind="random", seat=1))
        await ann.until(lambda: bool(view(ann).seats[1].bot))
        assert await refused(ben, SwapSeats(seat=1)) == "table/not-owner"
        assert await refused(ben, SwapSeats(seat=0, other=1)) == "table/not-owner"
        await ann.say(SwapSeats(seat=1, other=2))
        await ben.until(lambda: view(ben).seat == 1)
        assert view(ben).seats[2].bot == "random"


async def watcher(run: Running, ann: Client, name: str = "Cid") -> Client:
    client = await run.client(name)
    await client.say(say.WatchTable(table=view(ann).id))
    await client.arrived()
    return client


async def test_a_seat_is_taken_over_when_its_holder_agrees(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        cid = await watcher(run, ann)
        assert await refused(ann, GiveSeat(who=cid.talk.you)) == "seat/not-asked"
        await cid.say(AskSeat(seat=0))
        await ann.until(lambda: [one.asks for one in view(ann).watchers] == [0])
        assert await refused(ben, GiveSeat(who=cid.talk.you)) == "seat/not-yours"
        await ann.say(GiveSeat(who=cid.talk.you))
        await cid.until(lambda: view(cid).seat == 0)
        assert names(cid) == ["Cid", "Ben"]
        await cid.my_turn()
        assert await cid.intend("focus") == ""
        assert await ann.intend("rest") == "match/no-seat"
        await ann.until(lambda: view(ann).seat == -1)
        await ann.say(AskSeat(seat=1))
        await ben.until(lambda: any(one.asks == 1 for one in view(ben).watchers))
        assert await refused(ben, GiveSeat(who=ann.talk.you)) == "seat/knows"


async def test_a_refusal_ends_the_wish_and_who_has_looked_further_takes_nothing_over(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        cid = await watcher(run, ann)
        await cid.say(AskSeat(seat=0))
        await ann.until(lambda: [one.asks for one in view(ann).watchers] == [0])
        await ann.say(GiveSeat(who=cid.talk.you, allow=False))
        await ann.until(lambda: [one.asks for one in view(ann).watchers] == [-1])
        await cid.say(say.LookAs(sees="seat", seat=1))
        await ben.until(lambda: [one.role.wants for one in view(ben).watchers] == [1])
        await ben.say(say.Consent(who=cid.talk.you, allow=True))
        await cid.until(lambda: view(cid).role.sees == "seat")
        await cid.say(AskSeat(seat=0))
        await ann.until(lambda: [one.asks for one in view(ann).watchers] == [0])
        assert await refused(ann, GiveSeat(who=cid.talk.you)) == "seat/has-looked"


async def test_a_bots_seat_is_given_by_the_owner_where_late_people_may_not_take_one(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.create("two")
        await ann.change(late=False)
        await ann.say(say.AddBot(kind="random"))
        await ann.say(say.StartMatch())
        await ann.my_turn()
        cid = await run.client("Cid")
        assert await refused(cid, say.JoinTable(table=view(ann).id)) == "table/started"
        await cid.say(say.WatchTable(table=view(ann).id))
        await cid.arrived()
        await cid.say(AskSeat(seat=1))
        await ann.until(lambda: [one.asks for one in view(ann).watchers] == [1])
        await ann.say(GiveSeat(who=cid.talk.you))
        await cid.until(lambda: view(cid).seat == 1)
        assert not view(cid).seats[1].bot
        assert await ann.intend("rest") == ""
        await cid.my_turn()
