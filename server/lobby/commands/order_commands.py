"""The commands of moderators: bans and mutes, removals, names, the end of tables, and what they read for these."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from protocol.text_cleaning import clean_line
from protocol.wire.order import OrderDone, ReportedWords, ReportPage, ReportRow, SanctionPage, SanctionRow
from server.accounts.display_names import look_key, person_name
from server.lobby.removals import Removals
from server.lobby.table import table_record
from server.lobby.table.table_record import LIVE
from server.order.audit import AuditEntry, OrderAct
from server.order.sanctions import FOR_EVER, StoredSanction, check_seconds
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.order_requests import (
        CloseTable,
        GetReports,
        GetSanctions,
        LiftSanction,
        RemovePerson,
        RenamePerson,
        Sanction,
    )
    from server.accounts.identities import Account, Identities
    from server.lobby.commands.account_commands import AccountCommands
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.talk.reports import NumberedReport

REPORT_ROWS: Final = 10
SANCTION_ROWS: Final = 12


class OrderCommands:
    """Methods, one for each message, called for the session that has sent it. One that raises Refused or StoreError has
    changed nothing, but for a removal from several tables, which may have been carried out at some."""

    def __init__(self, services: Services, lobby: Lobby, identities: Identities, accounts: AccountCommands) -> None:
        self._services = services
        self._lobby = lobby
        self._identities = identities
        self._accounts = accounts
        self._order = services.order
        self._removals = Removals(services, lobby)

    async def sanction(self, session: Session, asked: Sanction) -> None:
        account = await self._about(session, asked.who)
        check_seconds(asked.what, asked.seconds)
        at, also = self._services.clock.wall(), tuple(sorted(set(asked.also))) if asked.what == "ban" else ()
        trail = await self._order.trail.of(account.id) if also else []
        marks = [marks.address for marks in trail if "address" in also]
        marks += [marks.network for marks in trail if "network" in also]
        sanction = StoredSanction(
            id=secrets.token_hex(8),
            what=asked.what,
            who=account.id,
            name=account.name,
            reason=_reason(asked.reason),
            at=at,
            until=at + asked.seconds if asked.seconds else FOR_EVER,
            by=session.who,
            by_name=session.name,
            look=look_key(account.name) if "name" in also else "",
            marks=tuple(dict.fromkeys(marks)),
            also=also,
        )
        await self._order.impose(sanction)
        self._tell(sanction)
        session.say(OrderDone(asked.what, account.name))

    def _tell(self, sanction: StoredSanction) -> None:
        """End all connections that a ban reaches, and tell a person that they are muted."""
        if sanction.what == "ban":
            self.end_banned()
            return
        for other in self._lobby.connections(sanction.who):
            try:
                self._order.check_talk(other.who)
            except Refused as muted:
                other.say(muted.problem())

    def end_banned(self) -> None:
        """End the connections of all who may not be here."""
        for other in self._lobby.sessions():
            try:
                if other.account is not None:
                    self._order.check(other.account, other.address)
            except Refused as banned:
                self._lobby.end_all([other], banned)

    async def lift(self, session: Session, asked: LiftSanction) -> None:
        self._must_moderate(session)
        sanction = self._order.sanctions.find(asked.id)
        if sanction is None:
            raise Refused("order/lifted")
        at = self._services.clock.wall()
        await self._order.lift(sanction, at, session.who, session.name, _reason(asked.reason))
        session.say(OrderDone("lift", sanction.name))

    async def remove(self, session: Session, asked: RemovePerson) -> None:
        account = await self._about(session, asked.who)
        watched = [other.table for other in self._lobby.connections(account.id) if other.table is not None]
        entry, removed = self._entry("remove", session, account, asked.reason), 0
        for live in dict.fromkeys([*self._lobby.unfinished_of(account.id), *watched]):
            removed += await self._removals.remove(live, account.id, replace(entry, table=live.record.id))
        if not removed:
            raise Refused("order/no-table", name=account.name)
        session.say(OrderDone("remove", account.name))

    async def rename(self, session: Session, asked: RenamePerson) -> None:
        account = await self._about(session, asked.who)
        name = person_name(asked.name, self._services.limits.name_length)
        entry = replace(self._entry("rename", session, account, asked.reason), detail=name)
        await self._accounts.change_name(account.id, name, lambda put: self._order.audit.write_with(entry, put))
        session.say(OrderDone("rename", name))

    async def close(self, session: Session, asked: CloseTable) -> None:
        self._must_moderate(session)
        live = self._lobby.table(asked.table)
        await self._lobby.sleeping.wake(live)
        async with live.lock:
            entry = AuditEntry(
                "close",
                self._services.clock.wall(),
                session.who,
                session.name,
                table=live.record.id,
                detail=live.record.name,
                reason=_reason(asked.reason),
            )
            await self._lobby.save(live, table_record.close(live.record), entry=entry)
        if live.record.state == LIVE:
            self._lobby.housekeeping.wake(live)
        else:
            for other in list(live.sessions):
                live.dismiss(other, "closed")
        session.say(OrderDone("close", live.record.name))

    # What they read

    async def reports(self, session: Session, asked: GetReports) -> None:
        self._must_moderate(session)
        found = await self._services.reports.page(asked.before, REPORT_ROWS)
        rows = tuple(_report_row(one) for one in found if one.report.who != session.who)
        session.say(ReportPage(rows, found[-1].number if len(found) == REPORT_ROWS else 0))

    async def sanctions(self, session: Session, asked: GetSanctions) -> None:
        self._must_moderate(session)
        listed = self._order.sanctions.listed()
        rows = listed[asked.first : asked.first + SANCTION_ROWS]
        session.say(SanctionPage(tuple(map(_sanction_row, rows)), asked.first, len(listed)))

    # Rights

    def _must_moderate(self, session: Session) -> None:
        if session.account is None or not self._order.moderators.includes(session.account):
            raise Refused("order/moderators")

    async def _about(self, session: Session, who: str) -> Account:
        """Return the account of the person whom an act of a moderator is about. Raises Refused, StoreError."""
        self._must_moderate(session)
        account = await self._identities.find(who)
        if account is None:
            raise Refused("people/unknown")
        if account.id == session.who:
            raise Refused("people/self")
        if self._order.moderators.includes(account):
            raise Refused("order/moderator", name=account.name)
        return account

    def _entry(self, act: OrderAct, session: Session, account: Account, reason: str) -> AuditEntry:
        at = self._services.clock.wall()
        return AuditEntry(act, at, session.who, session.name, account.id, account.name, reason=_reason(reason))


def _reason(words: str) -> str:
    """Return a reason as it is kept. Raises Refused where nothing readable is left."""
    reason = clean_line(words).strip()
    if not reason:
        raise Refused("order/no-reason")
    return reason


def _report_row(found: NumberedReport) -> ReportRow:
    report = found.report
    lines = tuple(ReportedWords(line.who, line.name, line.text, line.at) for line in report.lines)
    return ReportRow(
        number=found.number,
        by=report.by,
        by_name=report.by_name,
        who=report.who,
        name=report.name,
        reason=report.reason,
        words=report.words,
        at=report.at,
        lines=lines,
        place=report.place,
        table=report.table,
    )


def _sanction_row(one: StoredSanction) -> SanctionRow:
    return SanctionRow(one.id, one.what, one.who, one.name, one.reason, one.by_name, one.at, one.until, one.also)
