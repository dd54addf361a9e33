"""Contacts in the store, through both adapters: written by version, all or nothing, and gone with their account."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from protocol.limits import Limits
from server.people.contact_book import CONTACTS, CONTACTS_SCHEMA
from server.people.contacts import Contacts, List, Person
from server.people.people import People
from server.runtime.refusals import Refused
from server.store.port import RecordTooNew, Store, StoreDamaged, StoredRecord
from tests.support.doubles.stored import records_of

pytestmark = pytest.mark.waits

ANN, BEN, CID = Person("a", "Ann"), Person("b", "Ben"), Person("c", "Cid")


def people_of(store: Store, limits: Limits | None = None) -> People:
    return People(store, limits or Limits(), lambda: 5)


def who(contacts: List) -> list[str]:
    return [contact.who for contact in contacts]


async def test_a_friendship_is_kept_by_both_and_found_by_the_server_that_follows(store: Store) -> None:
    people = people_of(store)
    await people.relate("ask", ANN, BEN)
    both = await people.relate("accept", BEN, ANN)
    after = people_of(store)
    assert await after.contacts("b") == both.mine
    assert await after.contacts("a") == both.theirs
    assert (who(both.mine.friends), who(both.theirs.friends)) == (["a"], ["b"])


async def test_of_two_who_change_the_same_contacts_neither_is_lost(store: Store) -> None:
    people = people_of(store)
    crowd = [Person(f"p{number}", f"Person {number}") for number in range(6)]
    await asyncio.gather(*[people.relate("ask", person, ANN) for person in crowd])
    assert sorted(who((await people.contacts("a")).asking)) == [person.who for person in crowd]


async def test_what_is_refused_changes_neither(store: Store) -> None:
    people = people_of(store, Limits(requests_received=1))
    await people.relate("ask", ANN, BEN)
    before = await records_of(store, CONTACTS)
    with pytest.raises(Refused, match="people/too-many-to-them"):
        await people.relate("ask", CID, BEN)
    assert await records_of(store, CONTACTS) == before


async def test_an_account_that_is_gone_leaves_no_friendship_and_no_request(store: Store) -> None:
    people = people_of(store)
    await people.relate("ask", ANN, BEN)
    await people.relate("accept", BEN, ANN)
    await people.relate("ask", CID, ANN)
    await people.relate("block", BEN, ANN._replace(who="x"))
    await people.forget("a")
    await people.forget("a")
    assert set(await records_of(store, CONTACTS)) == {"b", "c"}
    assert (await people.contacts("b")).friends == (await people.contacts("c")).asked == ()
    assert who((await people.contacts("b")).blocked) == ["x"]


async def test_each_of_a_table_remembers_the_others(store: Store) -> None:
    people = people_of(store, Limits(recent=2))
    await people.played(ANN, [BEN, CID])
    await people.played(CID, [ANN, BEN])
    await people.played(ANN, [Person("d", "Dot")])
    assert who((await people.contacts("a")).recent) == ["c", "d"]
    assert who((await people.contacts("c")).recent) == ["a", "b"]


async def test_a_connected_person_hears_nobody_whom_they_mute_or_block_and_the_others_hear_them(store: Store) -> None:
    people = people_of(store)
    await people.relate("mute", ANN, BEN)
    await people.relate("block", ANN, CID)
    assert people.hears("a", "b")
    await people.enter("a")
    await people.enter("b")
    heard = [people.hears(hearer, speaker) for hearer, speaker in (("a", "b"), ("a", "c"), ("b", "a"))]
    assert heard == [False, False, True]
    assert [people.is_blocked("a", each) for each in ("b", "c")] == [False, True]
    await people.relate("unmute", ANN, BEN)
    assert people.hears("a", "b")
    people.leave("a")
    assert people.hears("a", "c")


async def test_contacts_of_a_newer_program_keep_their_fields_and_those_of_a_newer_layout_are_only_read(
    store: Store,
) -> None:
    people = people_of(store)
    newer = msgspec.msgpack.encode({"hue": "red"})
    await store.put_records([StoredRecord(CONTACTS, "a", newer, schema=CONTACTS_SCHEMA)])
    await people.relate("mute", ANN, BEN)
    assert msgspec.msgpack.decode((await records_of(store, CONTACTS))["a"])["hue"] == "red"
    await store.put_records([StoredRecord(CONTACTS, "a", newer, schema=CONTACTS_SCHEMA + 1)])
    with pytest.raises(RecordTooNew):
        await people.relate("mute", ANN, BEN)
    assert await people.contacts("a") == Contacts()


async def test_contacts_that_cannot_be_read_are_damage(store: Store) -> None:
    await store.put_record(CONTACTS, "a", b"nonsense")
    with pytest.raises(StoreDamaged, match="contacts of a cannot be read"):
        await people_of(store).contacts("a")
