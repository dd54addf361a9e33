"""The commands of people about their own accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol.wire.from_server import Renamed
from server.accounts.display_names import person_name
from server.lobby.table import seat_changes
from server.lobby.table.table_record import OPEN
from server.runtime.refusals import Refused
from server.store.port import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from protocol.wire import from_client as said
    from server.accounts.account_expiry import AccountExpiry
    from server.accounts.identities import Identities
    from server.accounts.registered_names import RegisteredNames
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.store.numbered_records import Put


class AccountCommands:
    """Methods, one for each message, called for the session that has sent it. One that raises Refused or StoreError has
    changed nothing."""

    def __init__(
        self,
        services: Services,
        lobby: Lobby,
        identities: Identities,
        registered_names: RegisteredNames,
        expiry: AccountExpiry,
    ) -> None:
        self._services = services
        self._lobby = lobby
        self._identities = identities
        self._registered_names = registered_names
        self._expiry = expiry

    async def rename(self, session: Session, asked: said.Rename) -> None:
        bounds = self._services.bounds
        bounds.afford("renames", session.asker)
        await self.change_name(session.who, asked.name)
        bounds.charge("renames", session.asker, 1)

    async def change_name(self, who: str, wanted: str, noted: Callable[[Put], Awaitable[None]] | None = None) -> None:
        """Call a person otherwise, and tell them and all at their tables. `noted`: see Identities.rename. Raises
        Refused, StoreError."""
        self._services.order.check_name(person_name(wanted, self._services.limits.name_length))
        name = (await self._identities.rename(who, wanted, noted)).name
        self._services.log.info("renamed", who=who)
        for other in self._lobby.connections(who):
            if other.account is not None:
                other.account = replace(other.account, name=name)
            other.say(Renamed(name))
            self._lobby.order_news.tell_rights(other)
            if other.table is not None:
                other.table.broadcast.tell()
        await self.name_at_tables(who)

    async def name_at_tables(self, who: str) -> None:
        """Let a person bear their name in their seats at tables that have not begun. The account has it already, and a
        kill may have come in between; what cannot be stored now is when they come back."""
        for live in self._lobby.unfinished_of(who):
            async with live.lock:
                try:
                    await self._name_at(live, who)
                except Refused:
                    self._services.log.info("renamed", who=who, gone=live.record.id)
                except StoreError as problem:
                    self._services.log.error("store", problem=str(problem))

    async def _name_at(self, live: LiveTable, who: str) -> None:
        """Let a person bear at a table that has not begun the name that they have now. Hold its lock. Raises Refused,
        StoreError."""
        account = await self._identities.find(who) if live.record.state == OPEN else None
        if account is None:
            return
        named = seat_changes.rename(live.record, who, account.name, self._services.limits.name_length)
        if named != live.record:
            await self._lobby.save(live, named)

    async def delete(self, session: Session, asked: said.DeleteAccount) -> None:
        who = session.who
        await self._registered_names.prove(session, asked.password or "")
        await self._identities.delete(who)
        self._services.log.info("account-deleted", who=who)
        self._lobby.end_all(self._lobby.connections(who), Refused("session/deleted"))
        self._expiry.forget_soon(who)
