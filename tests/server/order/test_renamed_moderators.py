"""Moderators who have another name now than when the host appointed them."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.accounts.identities import ACCOUNTS, Account
from server.accounts.name_keepers import NameKeepers
from server.order.host_commands import HostCommands
from server.order.host_requests import AppointModerator, DismissModerator, ListModerators
from server.order.moderation import Moderation
from server.runtime.address_marks import AddressMarks
from tests.support.doubles.memory_store import MemoryStore

NOW = 1_700_000_000
ANN, BEN = Account("1", "Ann", password="hash"), Account("2", "Ben", password="hash")


class Host:
    """The commands of a host whose settings name Mo."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.order = Moderation(self.store, AddressMarks(b"k" * 32), lambda: NOW, ("Mo",))
        self.commands = HostCommands(self.order, self.store, lambda: NOW)

    async def called(self, account: Account, name: str) -> None:
        """Let a person keep this name from now on."""
        now = replace(account, name=name)
        await self.store.put_record(ACCOUNTS, now.id, msgspec.msgpack.encode(now))
        await self.store.put_records(await NameKeepers(self.store).claims(name, now.id))

    async def appoints(self, account: Account) -> None:
        await self.called(account, account.name)
        assert not (await self.commands.answer(AppointModerator(account.name))).refused

    async def listed(self) -> list[str]:
        return [line.about["name"] for line in (await self.commands.answer(ListModerators())).lines]

    async def dismisses(self, person: str) -> str:
        answer = await self.commands.answer(DismissModerator(person))
        return answer.refused or answer.lines[0].words


async def test_they_are_listed_and_dismissed_by_the_name_that_they_keep() -> None:
    host = Host()
    await host.appoints(ANN)
    await host.called(ANN, "Dora")
    assert await host.listed() == ["Dora", "Mo"]
    assert await host.dismisses("dora") == "Dora is no moderator any more."
    assert await host.listed() == ["Mo"]
    [entry, _] = [one.entry for one in await host.order.audit.page(None, 9)]
    assert (entry.act, entry.who, entry.name) == ("dismiss", "1", "Dora")


async def test_the_name_of_then_finds_them_where_nobody_keeps_it() -> None:
    host = Host()
    await host.appoints(ANN)
    await host.called(ANN, "Dora")
    assert await host.dismisses("Ann") == "Dora is no moderator any more."


async def test_somebody_else_who_keeps_the_name_of_then_is_meant_by_it() -> None:
    host = Host()
    await host.appoints(ANN)
    await host.called(ANN, "Dora")
    await host.called(BEN, "Ann")
    assert await host.dismisses("Ann") == "'Ann' is no moderator whom the host has appointed."
    assert await host.listed() == ["Dora", "Mo"]


async def test_a_name_of_then_that_was_that_of_several_finds_none_of_them() -> None:
    host = Host()
    for account in (ANN, replace(BEN, name="Ann")):
        await host.appoints(account)
        await host.called(account, f"Dora {account.id}")
    assert await host.dismisses("Ann") == "Several were called 'Ann' when they were appointed: give the id of one."
    assert await host.dismisses("2") == "Dora 2 is no moderator any more."


async def test_who_is_appointed_and_named_in_the_settings_is_dismissed_and_the_host_told_of_the_settings() -> None:
    host = Host()
    await host.appoints(ANN)
    await host.called(ANN, "Mo")
    left = "Mo is dismissed, and named in the settings still: take the name out there."
    assert await host.dismisses("Mo") == left
    assert await host.dismisses("Mo") == "Mo is named in the settings: take the name out there."
