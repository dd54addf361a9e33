"""A quick match over the wire: put together by threes of seconds, confirmed by all, seated and started."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from protocol.wire import from_client as say
from protocol.wire.quick_match import MatchOffered, Seeking
from server.lobby.finding.quick_match import CONFIRM_SECONDS, FILL_SECONDS, MATCH_SECONDS
from server.lobby.table.table_record import TABLES
from server.store.port import StoredRecord
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running
from tests.support.doubles.memory_store import MemoryStore
from tests.support.servers.registration import cheaply, keeps
from tests.support.servers.seats import seen

pytestmark = pytest.mark.waits


async def seek(client: Client, seats: Sequence[int] = (2,), *, rated: bool = False, ranked: bool = False) -> None:
    await client.say(say.SeekMatch(systems=["duel"], seats=list(seats), rated=rated, ranked=ranked))
    assert (await client.hear(Seeking)).on


async def passed(run: Running, seconds: float, *clients: Client) -> None:
    """Let time pass in steps, each of which all clients have been told of."""
    for _ in range(round(seconds / MATCH_SECONDS)):
        run.clock.advance(MATCH_SECONDS)
        for client in clients:
            await client.pinged()
            await client.pinged()


async def offered(run: Running, *clients: Client) -> list[MatchOffered]:
    """Return the offers that come with the next look for groups."""
    await passed(run, MATCH_SECONDS, *clients)
    return [await client.hear(MatchOffered) for client in clients]


def heard(client: Client, kind: type[Any]) -> list[Any]:
    return [message for message in client.heard if isinstance(message, kind)]


async def test_two_who_confirm_play_at_once_on_the_terms_that_they_asked_for(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await seek(ann, seats=[2, 3], rated=True)
        await passed(run, 6, ann)
        assert heard(ann, MatchOffered) == []
        await seek(ben, rated=True)
        one, other = await offered(run, ann, ben)
        assert (one.id, one.seats, one.confirmed, one.left) == (other.id, 2, 0, CONFIRM_SECONDS * 1000)
        await ann.say(say.ConfirmMatch(match=one.id))
        assert (await ann.hear(MatchOffered)).mine
        told = await ben.hear(MatchOffered)
        assert (told.confirmed, told.mine) == (1, False)
        await ben.say(say.ConfirmMatch(match=one.id))
        for client in (ann, ben):
            assert not (await client.hear(Seeking)).on
            await client.until(lambda c=client: c.talk.table is not None and c.talk.table.state == "live")  # type: ignore[misc]
        assert ann.talk.table is not None
        assert [seat.name for seat in ann.talk.table.seats] == ["Ann", "Ben"]
        assert (ann.talk.table.rated, ann.talk.table.mail, ann.talk.table.private) == (True, False, False)
        await ann.my_turn()


async def test_who_does_not_confirm_leaves_and_the_others_keep_their_places(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cid = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        await seek(ann)
        await seek(ben)
        [offer, _] = await offered(run, ann, ben)
        await seek(cid)
        await ann.say(say.ConfirmMatch(match=offer.id))
        await ann.hear(MatchOffered)
        await passed(run, CONFIRM_SECONDS + 4, ann, ben, cid)
        assert [(told.on, told.why is not None) for told in heard(ben, Seeking)] == [(False, True)]
        # the same look for groups puts those together who are left, Ann before Cid
        again = await ann.hear(Seeking)
        assert again.on
        assert again.waited >= CONFIRM_SECONDS * 1000
        assert (await cid.hear(MatchOffered)).id == (await ann.hear(MatchOffered)).id != offer.id
        await ben.say(say.ConfirmMatch(match=offer.id))
        assert await ben.problem() == "quick/too-late"


async def test_a_consent_that_comes_late_counts_no_more(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await seek(ann)
        await seek(ben)
        [offer, _] = await offered(run, ann, ben)
        run.clock.advance(CONFIRM_SECONDS - MATCH_SECONDS / 2)
        await ann.say(say.ConfirmMatch(match=offer.id))
        await ann.hear(MatchOffered)
        run.clock.advance(MATCH_SECONDS / 2 + 0.1)
        await ben.say(say.ConfirmMatch(match=offer.id))
        assert await ben.problem() == "quick/too-late"


async def test_one_who_stops_or_goes_takes_the_offer_with_them(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cid = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        await seek(ann)
        await seek(ben)
        await offered(run, ann, ben)
        await ben.say(say.StopSeeking())
        assert not (await ben.hear(Seeking)).on
        assert (await ann.hear(Seeking)).on
        await seek(cid)
        await offered(run, ann, cid)
        await cid.close()
        assert (await ann.hear(Seeking)).on
        await until(lambda: len(run.server.lobby.sessions()) == 2)
        await passed(run, 9, ann)
        assert heard(ann, MatchOffered) == []


async def test_nobody_is_offered_a_match_with_one_whom_they_have_blocked(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cid = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        await ben.say(say.Relate(what="block", who=ann.talk.you))
        await ben.pinged()
        await seek(ann)
        await seek(ben)
        await passed(run, 6, ann, ben)
        assert heard(ann, MatchOffered) == heard(ben, MatchOffered) == []
        await seek(cid)
        await offered(run, ann, cid)
        assert heard(ben, MatchOffered) == []


async def test_after_a_minute_bots_may_fill_the_seats(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.say(say.FillWithBots())
        assert await ann.problem() == "quick/not-seeking"
        await seek(ann, seats=[3, 2], rated=True)
        await passed(run, FILL_SECONDS - MATCH_SECONDS, ann)
        await ann.say(say.FillWithBots())
        assert await ann.problem() == "quick/too-soon"
        await passed(run, MATCH_SECONDS, ann)
        await ann.say(say.FillWithBots())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.state == "live")
        assert ann.talk.table is not None
        assert [bool(seat.bot) for seat in ann.talk.table.seats] == [False, True]


async def test_a_ranked_match_is_for_named_people_who_look_for_one_and_has_the_settings_of_a_ranked_table(
    tmp_path: Path,
) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben, cid = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        await ann.say(say.SeekMatch(systems=["duel"], seats=[2], ranked=True))
        assert await ann.problem() == "table/ranked-name"
        for client in (ann, ben):
            await keeps(client)
        await ann.say(say.SeekMatch(systems=["duel"], seats=[2], ranked=True, mail=True))
        assert await ann.problem() == "quick/ranked-mail"
        await seek(cid, rated=True)
        await seek(ann, ranked=True)
        await passed(run, 6, ann, cid)
        assert heard(ann, MatchOffered) == heard(cid, MatchOffered) == []
        await seek(ben, ranked=True)
        for client, offer in zip((ann, ben), await offered(run, ann, ben), strict=True):
            await client.say(say.ConfirmMatch(match=offer.id))
        for client in (ann, ben):
            await client.until(lambda c=client: c.talk.table is not None and c.talk.table.state == "live")  # type: ignore[misc]
        table = seen(ann)
        assert (table.ranked, table.rated, table.strict, table.mail) == (True, True, True, False)
        assert heard(cid, MatchOffered) == []


async def test_no_bots_fill_a_ranked_match(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        await seek(ann, ranked=True)
        await passed(run, FILL_SECONDS, ann)
        await ann.say(say.FillWithBots())
        assert await ann.problem() == "quick/ranked-bots"
        await ann.say(say.StopSeeking())
        told = await ann.hear(Seeking)
        assert not told.on
        assert told.why is None, "the search went on until now"


async def test_a_wish_that_no_scenario_fits_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.say(say.SeekMatch(systems=["chess"], seats=[2]))
        assert await ann.problem() == "quick/no-game"


class HeldTables(MemoryStore):
    """A store whose tables wait for its gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.reached = asyncio.Event()

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        held = list(records)
        if any(record.kind == TABLES for record in held):
            self.reached.set()
            await self.gate.wait()
        return await super().put_records(held)


@pytest.mark.parametrize("goes", [0, 1])
async def test_a_match_begins_though_one_goes_after_all_have_said_yes(tmp_path: Path, goes: int) -> None:
    store = HeldTables()
    async with running(tmp_path, store=store) as run:
        people = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        for client in people:
            await seek(client, seats=[3])
        [offer, *_] = await offered(run, *people)
        for client in people[:2]:
            await client.say(say.ConfirmMatch(match=offer.id))
            await client.hear(MatchOffered, lambda told: told.mine)
        store.gate.clear()
        await people[2].say(say.ConfirmMatch(match=offer.id))
        await store.reached.wait()
        gone, *others = people[goes], *people[:goes], *people[goes + 1 :]
        await gone.close()
        await until(lambda: len(run.server.lobby.sessions()) == 2)
        store.gate.set()
        for client in others:
            await client.until(lambda c=client: c.state == "live")  # type: ignore[misc]  # a default has no type
        [live] = run.server.lobby.in_memory()
        assert {session.who for session in live.sessions} == {client.talk.you for client in others}
        back = await run.client(gone.talk.name, gone.talk.token)
        await back.say(say.OpenTable(table=live.record.id))
        await back.arrived()
        assert (seen(back).seat, seen(back).state) == (goes, "live")
