"""Order in the store, through both adapters: bans, mutes, moderators, trails and the audit list after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

import pytest

from protocol.limits import Limits
from server.accounts.display_names import look_key
from server.accounts.identities import Account
from server.cli.data.fsck import Host, examine
from server.order.address_trail import CAME_FROM, MOST_MARKS, network_of
from server.order.announcements import ANNOUNCEMENTS
from server.order.audit import AUDIT, AuditEntry
from server.order.moderation import Moderation
from server.order.sanctions import FOR_EVER, SANCTIONS, StoredSanction, check_seconds, place
from server.runtime.address_marks import AddressMarks
from server.runtime.refusals import Refused
from server.store.port import Store, StoredRecord, StoreUnavailable
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of

pytestmark = pytest.mark.waits

NOW = 1_700_000_000
EVE = Account("eve", "Eve", password="hash")
HOUR = 3600


class Wall:
    """Unix seconds that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


def order(store: Store, wall: Wall | None = None, named: tuple[str, ...] = ()) -> Moderation:
    return Moderation(store, AddressMarks(b"k" * 32), wall or Wall(), named)


def ban(id: str = "s1", until: int = NOW + HOUR, what: str = "ban", **more: object) -> StoredSanction:
    return StoredSanction(id, what, "eve", "Eve", "spam", NOW, until, "ann", "Ann", **more)  # type: ignore[arg-type]


def refusal(kept: Moderation, account: Account = EVE, address: str = "192.0.2.9") -> str:
    """Return the code with which a person is not let in, empty where they are."""
    try:
        kept.check(account, address)
    except Refused as refused:
        return refused.code
    return ""


async def test_bans_and_mutes_hold_after_a_restart_until_they_end_or_are_lifted(store: Store) -> None:
    wall = Wall()
    before = order(store, wall)
    await before.impose(ban())
    await before.impose(ban("s2", FOR_EVER))
    await before.impose(ban("s3", NOW + 300, "mute"))
    after = order(store, wall)
    await after.open()
    assert refusal(after) == "session/banned"
    with pytest.raises(Refused, match="chat/muted"):
        after.check_talk("eve")
    forever = after.sanctions.find("s2")
    assert forever is not None
    await after.lift(forever, NOW, "", "", "a mistake")
    assert after.sanctions.find("s2") is None
    wall.now += 301
    after.check_talk("eve")
    assert [one.id for one in after.sanctions.listed()] == ["s1"]
    wall.now = NOW + HOUR
    assert refusal(after) == ""
    again = order(store, Wall())
    await again.open()
    assert again.sanctions.find("s2") is None


async def test_each_act_stands_in_the_audit_list_with_its_reason_the_newest_first(store: Store) -> None:
    kept = order(store)
    await kept.impose(ban(also=("name",), look=look_key("Eve")))
    await kept.moderators.appoint(Account("ann", "Ann", password="hash"), NOW)
    sanction = kept.sanctions.find("s1")
    assert sanction is not None
    await kept.lift(sanction, NOW, "ann", "Ann", "said sorry")
    entries = [one.entry for one in await order(store).audit.page(None, 9)]
    assert [entry.act for entry in entries] == ["lift", "appoint", "ban"]
    assert entries[0] == AuditEntry("lift", NOW, "ann", "Ann", "eve", "Eve", detail="ban", reason="said sorry")
    assert (entries[2].until, entries[2].detail, entries[2].reason) == (NOW + HOUR, "name", "spam")
    assert [one.number for one in await kept.audit.page(3, 1)] == [2]


async def test_moderators_are_those_who_keep_a_name_of_the_settings_or_are_appointed(store: Store) -> None:
    kept = order(store, named=("Ann B",))
    ben = Account("ben", "Ben", password="hash")
    assert kept.moderators.includes(Account("ann", "annb", password="hash"))
    assert not kept.moderators.includes(Account("ann", "Ann B"))
    await kept.moderators.appoint(ben, NOW)
    after = order(store)
    await after.open()
    assert after.moderators.includes(ben)
    assert not after.moderators.includes(Account("ben", "Ben"))
    [listed] = after.moderators.listed()
    await after.moderators.dismiss(listed, NOW)
    assert not after.moderators.includes(ben)
    again = order(store)
    await again.open()
    assert again.moderators.listed() == []


async def test_a_trail_has_the_newest_addresses_by_their_marks_alone(store: Store) -> None:
    wall = Wall()
    kept = order(store, wall)
    for number in range(MOST_MARKS + 2):
        wall.now += 1
        await kept.trail.note("eve", f"198.51.{number}.7")
    await kept.trail.note("evelyn", "192.0.2.1")
    found = await kept.trail.of("eve")
    newest = [kept.trail.marks(f"198.51.{number}.7") for number in range(MOST_MARKS + 1, 1, -1)]
    assert found == newest
    assert not [key for key in await records_of(store, CAME_FROM) if "198.51" in key]
    await kept.forget("eve")
    assert await kept.trail.of("eve") == []
    assert len(await kept.trail.of("evelyn")) == 1


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("behind ::1", "behind ::1"),
    ],
)
def test_a_network_has_the_first_24_bits_of_an_address_and_48_of_ipv6(address: str, network: str) -> None:
    assert network_of(address) == network


async def test_a_ban_reaches_name_addresses_and_networks_only_as_it_says() -> None:
    kept = order(MemoryStore())
    address, network = kept.trail.marks("192.0.2.9")
    eva, beside = Account("eva", "Eva"), "192.0.2.10"
    await kept.impose(ban("s1", marks=(address,)))
    assert [refusal(kept, eva), refusal(kept, eva, beside)] == ["session/banned", ""]
    await kept.impose(ban("s2", marks=(network,)))
    assert [refusal(kept, eva, beside), refusal(kept, eva, "192.0.3.10")] == ["session/banned", ""]
    await kept.impose(ban("s3", look=look_key("Eve")))
    assert refusal(kept, Account("other", "\u0415ve"), "192.0.3.10") == "session/name-banned"
    with pytest.raises(Refused, match="rename/reserved"):
        kept.check_name("eve")


async def test_the_ban_that_ends_last_is_told() -> None:
    kept = order(MemoryStore())
    await kept.impose(ban("s1", NOW + 2 * HOUR))
    await kept.impose(ban("s2", NOW + HOUR))
    found = kept.sanctions.longest([place("ban", "eve")])
    assert found is not None
    assert found.id == "s1"
    await kept.impose(ban("s3", FOR_EVER))
    with pytest.raises(Refused) as told:
        kept.check(EVE, "192.0.2.9")
    until = told.value.text.a["until"]
    assert getattr(until, "k", "") == "order.for_ever"


@pytest.mark.parametrize(
    ("what", "seconds", "is_fit"),
    [("ban", 0, True), ("ban", 3599, False), ("ban", 3600, True), ("mute", 0, False), ("mute", 299, False),
     ("mute", 300, True), ("mute", 30 * 24 * HOUR, True), ("mute", 30 * 24 * HOUR + 1, False)],
)  # fmt: skip
def test_a_ban_is_an_hour_at_least_or_for_ever_and_a_mute_a_month_at_most(
    what: str, seconds: int, is_fit: bool
) -> None:
    with nullcontext() if is_fit else pytest.raises(Refused, match="order/time"):
        check_seconds(what, seconds)  # type: ignore[arg-type]


class OneBatch(MemoryStore):
    """A store that notes the kinds of each batch, and dies before one when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.is_dead = False

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        batch = tuple(records)
        if self.is_dead:
            raise StoreUnavailable("It is dead.")
        self.batches.append([record.kind for record in batch])
        return await super().put_records(batch)


async def test_an_act_and_its_entry_are_one_batch_so_that_a_kill_leaves_both_or_none() -> None:
    store = OneBatch()
    kept = order(store)
    await kept.impose(ban())
    await kept.moderators.appoint(EVE, NOW)
    await kept.moderators.dismiss(kept.moderators.listed()[0], NOW)
    sanction = kept.sanctions.find("s1")
    assert sanction is not None
    await kept.lift(sanction, NOW, "", "", "over")
    await kept.announcements.take_back((await kept.announcements.announce("Maintenance", 600)).id)
    assert [sorted(kinds) for kinds in store.batches] == [
        [AUDIT, SANCTIONS],
        [AUDIT, "moderator"],
        [AUDIT, "moderator"],
        [AUDIT, SANCTIONS],
        [ANNOUNCEMENTS, AUDIT],
        [ANNOUNCEMENTS, AUDIT],
    ]
    store.is_dead = True
    with pytest.raises(StoreUnavailable):
        await kept.impose(ban("s2"))
    with pytest.raises(StoreUnavailable):
        await kept.announcements.announce("Club night", 0)
    assert refusal(kept) == ""
    assert kept.announcements.standing() == []
    assert len(await kept.audit.page(None, 9)) == 6


async def test_a_damaged_ban_or_entry_is_named(tmp_path: Path) -> None:
    store = MemoryStore()
    kept = order(store)
    await kept.impose(ban())
    await kept.announcements.announce("Maintenance", 600)
    for kind in (AUDIT, SANCTIONS, ANNOUNCEMENTS):
        key = next(iter(await records_of(store, kind)))
        await store.put_record(kind, key, b"\xc1")
    found = [finding.place async for finding in examine(store, Host({}, None, None, tmp_path))]
    assert sorted(found) == [ANNOUNCEMENTS, AUDIT, SANCTIONS]


async def test_announcements_stand_after_a_restart_until_they_end_or_are_taken_back(store: Store) -> None:
    wall, limits = Wall(), Limits()
    before = order(store, wall)
    first = await before.announcements.announce("Maintenance", 600)
    wall.now += 1
    second = await before.announcements.announce("Club night", 0)
    after = order(store, wall)
    await after.open()
    assert after.announcements.standing() == [second, first]
    assert (first.due, second.due) == (NOW + 600, 0)
    assert await after.announcements.take_back(second.id) == second
    with pytest.raises(Refused, match="order/not-announced"):
        await after.announcements.take_back(second.id)
    again = order(store, wall)
    await again.open()
    assert again.announcements.standing() == [first]
    wall.now = first.due + limits.announced_seconds
    assert again.announcements.standing() == []
    assert [one.entry.act for one in await again.audit.page(None, 9)] == ["take_back", "announce", "announce"]


async def test_of_announcements_made_at_once_no_more_stand_than_may(store: Store) -> None:
    kept, most = order(store), Limits().announcements
    made = await asyncio.gather(
        *(kept.announcements.announce(f"number {number}", 0) for number in range(most + 2)), return_exceptions=True
    )
    assert len([one for one in made if isinstance(one, Refused)]) == 2
    assert len(kept.announcements.standing()) == most
