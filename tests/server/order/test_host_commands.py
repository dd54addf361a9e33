"""The host's commands on both stores: whom they reach, what they refuse, and that each stands in the audit list."""

from __future__ import annotations

import msgspec
import pytest

from server.accounts.identities import ACCOUNTS, Account
from server.accounts.name_keepers import NameKeepers
from server.order.host_commands import HostCommands
from server.order.host_requests import (
    AnnounceByHost,
    AnyHostRequest,
    AppointModerator,
    BanPerson,
    DismissModerator,
    HostAnswer,
    LiftById,
    ListAnnouncements,
    ListModerators,
    ListSanctions,
    ReadAudit,
    TakeBackById,
    decode_host_request,
)
from server.order.moderation import Moderation
from server.runtime.address_marks import AddressMarks
from server.runtime.refusals import Refused
from server.store.port import Store, StoredRecord, StoreUnavailable
from tests.support.doubles.memory_store import MemoryStore

pytestmark = pytest.mark.waits

NOW, HOUR = 1_700_000_000, 3600
ANN = Account("ann", "Ann", password="hash")
EVE = Account("eve", "Eve")


class Host:
    """The commands on a store with Ann, who keeps her name, and Eve, who does not; Mo is named in the settings."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.order = Moderation(store, AddressMarks(b"k" * 32), lambda: NOW, ("Mo",))
        self.commands = HostCommands(self.order, store, lambda: NOW)

    async def people(self) -> Host:
        for account in (ANN, EVE, Account("mo", "Mo", password="hash")):
            await self.store.put_records([StoredRecord(ACCOUNTS, account.id, msgspec.msgpack.encode(account))])
            if account.password:
                await self.store.put_records(await NameKeepers(self.store).claims(account.name, account.id))
        await self.order.open()
        return self

    async def ask(self, request: AnyHostRequest) -> HostAnswer:
        """Ask as the request comes over a door."""
        return await self.commands.answer(decode_host_request(msgspec.json.encode(request)))

    async def done(self, request: AnyHostRequest) -> list[str]:
        answer = await self.ask(request)
        assert answer.refused == ""
        return [line.words for line in answer.lines]

    async def refused(self, request: AnyHostRequest) -> str:
        answer = await self.ask(request)
        assert not answer.lines
        return answer.refused


async def test_moderators_are_appointed_by_name_or_id_and_dismissed(store: Store) -> None:
    host = await Host(store).people()
    assert await host.done(AppointModerator("ANN")) == ["Ann is a moderator now."]
    assert host.order.moderators.includes(ANN)
    assert await host.done(ListModerators()) == ["Ann  ann  since 2023-11-14 22:13", "Mo  by the settings"]
    assert await host.refused(AppointModerator("ann")) == "Ann is a moderator already."
    assert "Eve is a guest" in await host.refused(AppointModerator("eve"))
    assert "nobody with the id or the kept name 'Eve'" in await host.refused(AppointModerator("Eve"))
    assert await host.done(DismissModerator("ann")) == ["Ann is no moderator any more."]
    assert not host.order.moderators.includes(ANN)
    assert "no moderator whom the host has appointed" in await host.refused(DismissModerator("ann"))
    assert "named in the settings" in await host.refused(DismissModerator("Mo"))
    assert [one.entry.act for one in await host.order.audit.page(None, 9)] == ["dismiss", "appoint"]


async def test_people_are_banned_and_bans_and_mutes_lifted(store: Store) -> None:
    host = await Host(store).people()
    await host.order.trail.note("eve", "198.51.100.7")
    [words] = await host.done(BanPerson("eve", "spam", 0, ["network", "name"]))
    assert words.endswith("ban of Eve with name, network for ever, by the host: spam")
    with pytest.raises(Refused, match="session/banned"):
        host.order.check(Account("ada", "Ada"), "198.51.100.8")
    [line] = (await host.ask(ListSanctions())).lines
    assert (line.words, line.about["name"], line.about["also"]) == (words, "Eve", ("name", "network"))
    assert not {"marks", "look"} & line.about.keys()
    assert await host.done(LiftById(line.about["id"], "a mistake")) == ["The ban of Eve is lifted."]
    host.order.check(Account("ada", "Ada"), "198.51.100.8")
    assert await host.refused(LiftById(line.about["id"], "again")) == "That ban or mute has ended already."
    assert "dismiss them first" in await host.refused(BanPerson("Mo", "spam"))
    assert "A ban lasts an hour at least" in await host.refused(BanPerson("eve", "spam", 60))
    assert "Say why" in await host.refused(BanPerson("eve", " \u202e ", HOUR))
    found = await host.ask(ReadAudit(most=1))
    assert [line.about["act"] for line in found.lines] == ["lift"]
    assert found.lines[0].words == "2  2023-11-14 22:13  the host: lift Eve (eve) ban: a mistake"
    [before] = await host.done(ReadAudit(before=2))
    assert before == "1  2023-11-14 22:13  the host: ban Eve (eve) for ever name, network: spam"


async def test_the_host_announces_and_takes_back(store: Store) -> None:
    host = await Host(store).people()
    await host.done(AnnounceByHost("Maintenance", 600))
    [line] = (await host.ask(ListAnnouncements())).lines
    assert line.about == {
        "id": line.about["id"], "text": "Maintenance", "at": NOW, "until": NOW + 1200, "due": NOW + 600,
    }  # fmt: skip
    assert line.words.endswith("until 2023-11-14 22:33, about 2023-11-14 22:23  Maintenance")
    assert await host.done(TakeBackById(line.about["id"])) == ["Taken back: Maintenance"]
    assert await host.done(ListAnnouncements()) == []
    assert await host.refused(TakeBackById(line.about["id"])) == "That announcement stands no more."


async def test_what_the_store_cannot_keep_has_not_happened() -> None:
    class Full(MemoryStore):
        is_full = False

        async def put_records(self, records):  # type: ignore[no-untyped-def]
            if self.is_full:
                raise StoreUnavailable("The disk is full.")
            return await super().put_records(records)

    store = Full()
    host = await Host(store).people()
    store.is_full = True
    for request in (AppointModerator("Ann"), BanPerson("eve", "spam"), AnnounceByHost("Maintenance")):
        assert await host.refused(request) == "The store cannot be used: The disk is full."
    assert [await host.done(listed) for listed in (ListSanctions(), ListAnnouncements())] == [[], []]
    assert not host.order.moderators.includes(ANN)
