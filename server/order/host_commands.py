"""The host's acts about order and what the host reads, on a running server as on the store of one that is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from protocol.english import ENGLISH as OF_THE_PROTOCOL
from protocol.text_format import format_text
from server.accounts.display_names import name_key
from server.accounts.identities import Account
from server.accounts.person_lookup import FoundRecords, find_person
from server.order.audit import HOST, AuditEntry
from server.order.host_requests import (
    AnnounceByHost,
    AnyHostRequest,
    AppointModerator,
    BanPerson,
    DismissModerator,
    HostAnswer,
    HostLine,
    LiftById,
    ListAnnouncements,
    ListModerators,
    ListSanctions,
    ReadAudit,
    TakeBackById,
)
from server.order.moderation import Moderation, until_text
from server.order.moderators import Moderator
from server.order.sanctions import StoredSanction
from server.runtime.errors import CommandError
from server.runtime.refusals import Refused
from server.runtime.texts import ENGLISH as OF_THE_SERVER
from server.store.port import StoreError

ENGLISH: Final = {**OF_THE_PROTOCOL, **OF_THE_SERVER}


class HostCommands:
    """The host's commands on one store; `order` is that of the store, opened. `wall` returns Unix seconds."""

    def __init__(self, order: Moderation, store: FoundRecords, wall: Callable[[], int]) -> None:
        self._order = order
        self._store = store
        self._wall = wall

    async def answer(self, request: AnyHostRequest) -> HostAnswer:
        """Carry out a request. One that is refused, or that the store refuses, has changed nothing."""
        try:
            return HostAnswer(list(await self._carry_out(request)))
        except Refused as refused:
            return HostAnswer(refused=format_text(refused.text, ENGLISH))
        except CommandError as refused:
            return HostAnswer(refused=str(refused))
        except (StoreError, msgspec.MsgspecError) as problem:
            return HostAnswer(refused=f"The store cannot be used: {problem}")

    async def _carry_out(self, request: AnyHostRequest) -> Sequence[HostLine]:
        match request:
            case ListModerators():
                return await self._moderators()
            case AppointModerator():
                return [await self._appoint(request.person)]
            case DismissModerator():
                return [await self._dismiss(request.person)]
            case ListSanctions():
                return [_sanction_line(one) for one in self._order.sanctions.listed()]
            case BanPerson():
                return [await self._ban(request)]
            case LiftById():
                lifted = await self._order.lift_by_id(request.id, request.reason, HOST)
                return [_line(f"The {lifted.what} of {lifted.name} is lifted.", lifted=lifted.id)]
            case ReadAudit():
                found = await self._order.audit.page(request.before, request.most)
                return [_audit_line(one.number, one.entry) for one in found]
            case ListAnnouncements():
                return self._announcements()
            case AnnounceByHost():
                made = await self._order.announcements.announce(request.text, request.seconds)
                return [_line(f"Announced as {made.id}: {made.text}", announced=made.id)]
            case TakeBackById():
                ended = await self._order.announcements.take_back(request.id)
                return [_line(f"Taken back: {ended.text}", taken_back=ended.id)]

    async def _moderators(self) -> list[HostLine]:
        appointed = [await self._named_now(one) for one in self._order.moderators.listed()]
        listed = [
            _line(f"{one.name}  {one.who}  since {_time(one.at)}", who=one.who, name=one.name, at=one.at)
            for one in sorted(appointed, key=lambda one: (one.name, one.who))
        ]
        return listed + [_line(f"{name}  by the settings", name=name) for name in self._order.moderators.named]

    async def _named_now(self, moderator: Moderator) -> Moderator:
        """Return an appointed moderator with the name that they have now."""
        account = await find_person(self._store, moderator.who)
        return moderator if account is None else replace(moderator, name=account.name)

    async def _appoint(self, person: str) -> HostLine:
        account = await self._person(person)
        if not account.password:
            raise CommandError(f"{account.name} is a guest. Only who keeps their name by a password can moderate.", 1)
        if self._order.moderators.includes(account):
            raise CommandError(f"{account.name} is a moderator already.", 1)
        await self._order.moderators.appoint(account, self._wall())
        return _line(f"{account.name} is a moderator now.", appointed=account.id)

    async def _dismiss(self, person: str) -> HostLine:
        """Dismiss who is called so, or where nobody is, who was when the host appointed them."""
        account, listed = await find_person(self._store, person), self._order.moderators.listed()
        is_named = account is not None and bool(account.password) and self._order.moderators.names(account)
        if account is not None:
            found = [one for one in listed if one.who == account.id]
        else:
            found = [one for one in listed if one.who == person or name_key(one.name) == name_key(person)]
        if len(found) > 1:
            raise CommandError(f"Several were called {person!r} when they were appointed: give the id of one.", 1)
        if not found:
            if account is not None and is_named:
                raise CommandError(f"{account.name} is named in the settings: take the name out there.", 1)
            raise CommandError(f"{person!r} is no moderator whom the host has appointed.", 1)
        dismissed = await self._named_now(found[0])
        await self._order.moderators.dismiss(dismissed, self._wall())
        if is_named:
            words = f"{dismissed.name} is dismissed, and named in the settings still: take the name out there."
        else:
            words = f"{dismissed.name} is no moderator any more."
        return _line(words, dismissed=dismissed.who)

    async def _ban(self, asked: BanPerson) -> HostLine:
        account = await self._person(asked.person)
        if self._order.moderators.includes(account):
            raise CommandError(f"{account.name} is a moderator, whom no ban reaches: dismiss them first.", 1)
        return _sanction_line(await self._order.judge(account, "ban", asked.seconds, asked.reason, asked.also, HOST))

    def _announcements(self) -> list[HostLine]:
        return [
            _line(
                f"{one.id}  until {_time(one.until)}{f', about {_time(one.due)}' if one.due else ''}  {one.text}",
                **msgspec.to_builtins(one),
            )
            for one in self._order.announcements.standing()
        ]

    async def _person(self, person: str) -> Account:
        account = await find_person(self._store, person)
        if account is None:
            raise CommandError(f"There is nobody with the id or the kept name {person!r} here.", 1)
        return account


def _line(words: str, **about: Any) -> HostLine:
    return HostLine(words, about)


def _time(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def _sanction_line(one: StoredSanction) -> HostLine:
    """Return a ban or mute without the marks of addresses, which tell nobody anything."""
    by, also = one.by_name or "the host", f" with {', '.join(one.also)}" if one.also else ""
    until = format_text(until_text(one.until), ENGLISH)
    words = f"{one.id}  {one.what} of {one.name}{also} {until}, by {by}: {one.reason}"
    about = msgspec.to_builtins(one)
    return HostLine(words, {name: value for name, value in about.items() if name not in ("marks", "look")})


def _audit_line(number: int, entry: AuditEntry) -> HostLine:
    parts = [f"{number}  {_time(entry.at)}  {entry.by_name or 'the host'}: {entry.act}"]
    if entry.name:
        parts.append(f"{entry.name} ({entry.who})")
    if entry.act in ("ban", "mute"):
        parts.append(format_text(until_text(entry.until), ENGLISH))
    parts += filter(None, (entry.table and f"table {entry.table}", entry.detail))
    words = " ".join(parts) + (f": {entry.reason}" if entry.reason else "")
    return HostLine(words, {"number": number, **msgspec.to_builtins(entry)})
