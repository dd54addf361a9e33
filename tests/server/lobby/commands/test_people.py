"""Friends, muting and blocking over the wire: consent, silence, presence, and whom nobody hears any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from protocol.ids import NO_TABLE
from protocol.limits import DAY, Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatHistory, ChatLine, OfferView, PointedAt
from protocol.wire.people import PeoplePage, PersonCard, PersonRow
from server.accounts.account_expiry import SWEEP_SECONDS
from server.people.contact_book import CONTACTS, CONTACTS_SCHEMA
from server.store.port import StoredRecord
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, two_players
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import CHEAP, cheaply, keeps, signs_in

pytestmark = pytest.mark.waits


async def named(run: Running, name: str) -> Client:
    """Return a client that keeps its name, and is told of requests."""
    client = await run.client(name)
    await keeps(client)
    await page(client, "asking")
    return client


async def page(client: Client, kind: say.PeopleList, first: int = 0) -> PeoplePage:
    await client.say(say.GetPeople(list=kind, first=first))
    return await client.hear(PeoplePage)


async def names(client: Client, kind: say.PeopleList) -> list[str]:
    return [row.name for row in (await page(client, kind)).rows]


async def relates(client: Client, what: say.PeopleChange, other: Client) -> PersonCard:
    """Do this about another person, and return what the answer says."""
    await client.say(say.Relate(what=what, who=other.talk.you))
    return await client.hear(PersonCard, lambda card: not card.news)


async def refused(client: Client, what: say.PeopleChange, other: Client) -> str:
    await client.say(say.Relate(what=what, who=other.talk.you))
    return await client.problem()


async def befriend(ann: Client, ben: Client) -> None:
    await relates(ann, "ask", ben)
    await relates(ben, "accept", ann)


async def heard(client: Client, kind: type[ChatLine | OfferView | PointedAt | PersonCard]) -> int:
    """Count what of this kind has reached a client by now."""
    await client.pinged()
    return sum(isinstance(message, kind) for message in client.heard)


async def test_two_who_keep_their_names_become_friends_by_request_and_consent(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben, guest = await named(run, "Ann"), await named(run, "Ben"), await run.client("Guest")
        await ann.say(say.Relate(what="ask", name="ben"))
        assert (await ann.hear(PersonCard)).asked
        told = await ben.hear(PersonCard)
        assert (told.who, told.asking, told.friend, told.news) == (ann.talk.you, True, False, True)
        assert await names(ben, "asking") == ["Ann"]
        assert (await relates(ben, "accept", ann)).friend
        told = await ann.hear(PersonCard)
        assert (told.name, told.friend, told.news) == ("Ben", True, True)
        assert await names(ann, "friends") == ["Ben"]
        assert await refused(ann, "ask", guest) == "people/guest"
        assert await refused(guest, "ask", ann) == "people/no-name"
        assert await refused(ann, "mute", ann) == "people/self"
        await guest.say(say.GetPerson(who="nobody"))
        assert await guest.problem() == "people/unknown"


async def test_who_was_asked_is_told_that_the_request_is_taken_back(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await named(run, "Ann"), await named(run, "Ben")
        await relates(ann, "ask", ben)
        assert (await ben.hear(PersonCard)).asking
        assert not (await relates(ann, "take_back", ben)).asked
        told = await ben.hear(PersonCard)
        assert (told.name, told.asking, told.friend, told.news) == ("Ann", False, False, True)
        assert await names(ben, "asking") == []


async def test_a_request_that_never_arrived_is_taken_back_unheard(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await named(run, "Ann"), await named(run, "Ben")
        await relates(ben, "block", ann)
        await relates(ann, "ask", ben)
        ben.heard.clear()
        await relates(ann, "take_back", ben)
        assert await heard(ben, PersonCard) == 0


async def test_so_many_requests_a_day_are_the_most_and_refused_ones_do_not_count(tmp_path: Path) -> None:
    few = replace(CHEAP, requests=Rates(Rate(2, DAY)))
    async with cheaply(tmp_path, few) as run:
        ann, ben = await named(run, "Ann"), await named(run, "Ben")
        await relates(ann, "ask", ben)
        assert await refused(ann, "ask", ben) == "people/asked"
        await relates(ann, "take_back", ben)
        await relates(ann, "ask", ben)
        await relates(ann, "take_back", ben)
        assert await refused(ann, "ask", ben) == "bound/requests-person"


async def test_blocking_ends_a_friendship_silently_and_a_later_request_reaches_nobody(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await named(run, "Ann"), await named(run, "Ben")
        await befriend(ann, ben)
        await ben.pinged()
        ben.heard.clear()
        assert (await relates(ann, "block", ben)).blocked
        assert await heard(ben, PersonCard) == 0
        assert await names(ben, "friends") == await names(ann, "friends") == []
        await ann.pinged()
        ann.heard.clear()
        card = await relates(ben, "ask", ann)
        assert (card.asked, card.friend) == (True, False)
        assert await heard(ann, PersonCard) == 0
        assert await names(ann, "asking") == []
        assert await names(ben, "asked") == ["Ann"]


async def test_presence_is_seen_by_friends_alone_and_can_be_hidden(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben, cid = [await named(run, name) for name in ("Ann", "Ben", "Cid")]
        await befriend(ann, ben)
        await relates(cid, "ask", ann)
        await ann.create()
        assert ann.talk.table is not None
        [row] = (await page(ben, "friends")).rows
        assert row == PersonRow(ann.talk.you, "Ann", row.at, True, ann.talk.table.id, "Duel", "open", True)
        [asked] = (await page(cid, "asked")).rows
        assert (asked.here, asked.table) == (False, NO_TABLE)
        await ann.say(say.ChangeTable(private=True))
        await ann.pinged()
        [row] = (await page(ben, "friends")).rows
        assert (row.here, row.table) == (True, NO_TABLE)
        await ann.say(say.ShowPresence(shown=False))
        await ann.pinged()
        [row] = (await page(ben, "friends")).rows
        assert not row.here
        assert (await page(ann, "friends")).hidden
        [row] = (await page(ann, "friends")).rows
        assert row.here, "who hides sees others"


async def test_nobody_reads_chat_of_those_whom_they_mute_and_all_else_stays(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.arrived()
        assert (await relates(ann, "mute", ben)).muted
        assert (await relates(eve, "mute", ben)).muted
        await ben.say(say.Chat(text="Hello"))
        await ben.say(say.Chat(text="You alone", to=0))
        await ben.hear(ChatLine, lambda line: line.text == "You alone")
        await ben.say(say.Offer(to=0, kind="truce", text="Peace"))
        await ann.hear(OfferView)
        assert await heard(ann, ChatLine) == await heard(eve, ChatLine) == 0
        assert not (await relates(ann, "unmute", ben)).muted
        assert [line.text for line in (await ann.hear(ChatHistory)).lines] == ["Hello", "You alone"]
        await relates(ann, "mute", ben)
        assert (await ann.hear(ChatHistory)).lines == ()
        await ann.say(say.Chat(text="To you"))
        assert (await ben.hear(ChatLine, lambda line: line.text == "To you")).name == "Ann"


async def test_nothing_of_a_blocked_person_reaches_one_at_the_same_table_but_the_match_goes_on(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await two_players(run)
        await relates(ann, "block", ben)
        await ben.say(say.Chat(text="Hello"))
        await ben.say(say.Offer(to=0, kind="truce", text="Peace"))
        await ben.say(say.Offer(to=0, kind="help", text="Peace for all to see", open=True))
        await ben.say(say.PointAt(at=[0, 0]))
        await ben.hear(PointedAt)
        assert [await heard(ann, kind) for kind in (ChatLine, OfferView, PointedAt)] == [0, 0, 0]
        back = await run.client("Ann", ann.talk.token)
        assert back.talk.you == ann.talk.you
        assert ben.talk.table is not None
        await back.say(say.OpenTable(table=ben.talk.table.id))
        await back.my_turn()
        assert await heard(back, OfferView) == 0
        assert all(not message.lines for message in back.heard if isinstance(message, ChatHistory))
        await rest_to_the_end(back, ben)


async def test_a_blocked_spectator_asks_in_vain_to_look_into_a_seat(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.arrived()
        await relates(ann, "block", eve)
        await eve.say(say.LookAs(sees="seat", seat=0))

        def wishes(client: Client) -> list[int]:
            return [watcher.role.wants for watcher in client.talk.table.watchers] if client.talk.table else []

        await ben.until(lambda: wishes(ben) == [0])
        await ann.pinged()
        assert wishes(ann) == [-1]


async def test_those_who_played_together_find_each_other_and_a_guest_keeps_all_with_the_name(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await two_players(run)
        await relates(ann, "mute", ben)

        async def both_know() -> bool:
            return [await names(ann, "recent"), await names(ben, "recent")] == [["Ben"], ["Ann"]]

        await until(both_know, 10)
        await keeps(ann)
        again = await signs_in(run)
        assert await names(again, "recent") == await names(again, "muted") == ["Ben"]


async def test_lists_of_a_newer_program_keep_nobody_else_from_being_remembered(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        newer = StoredRecord(CONTACTS, ann.talk.you, msgspec.msgpack.encode({}), schema=CONTACTS_SCHEMA + 1)
        await run.server.store.put_records([newer])
        await ben.join(await ann.create())
        await ben.ready()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].ready)
        await ann.say(say.StartMatch())

        async def knows() -> bool:
            return await names(ben, "recent") == ["Ann"]

        await until(knows, 10)
        assert sum("newer Eschaton" in line.get("problem", "") for line in run.lines) == 1


async def test_lists_are_read_in_pages(tmp_path: Path) -> None:
    async with cheaply(tmp_path, replace(CHEAP, people_page=2)) as run:
        ann, *others = [await run.client(name) for name in ("Ann", "One", "Two", "Three")]
        for other in others:
            await relates(ann, "mute", other)
        newest, oldest = await page(ann, "muted"), await page(ann, "muted", 2)
        assert ([row.name for row in newest.rows], newest.total) == (["Three", "Two"], 3)
        assert ([row.name for row in oldest.rows], oldest.first) == (["One"], 2)


async def test_lists_go_with_the_account_and_it_leaves_those_of_friends(tmp_path: Path) -> None:
    async with cheaply(tmp_path, replace(CHEAP, name_seconds=2 * round(DAY))) as run:
        ann, ben, guest = await named(run, "Ann"), await named(run, "Ben"), await run.client("Guest")
        await befriend(ann, ben)
        await relates(guest, "block", ann)
        kept = {ann.talk.you, ben.talk.you, guest.talk.you}
        assert set(await records_of(run.server.store, CONTACTS)) == kept
        for client in (ben, guest):
            await client.close()
        await until(lambda: len(run.server.lobby.sessions()) == 1, 10)
        run.clock.advance(2 * DAY)

        async def gone() -> bool:
            run.clock.advance(SWEEP_SECONDS)
            return set(await records_of(run.server.store, CONTACTS)) == {ann.talk.you}

        await until(gone, 10)
        assert await names(ann, "friends") == []
