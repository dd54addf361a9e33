"""The commands of moderators: bans and mutes, removals, names, the end of tables, announcements, and what they read for
these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from protocol.wire.order import (
    AuditPage,
    AuditRow,
    OrderDone,
    ReportedWords,
    ReportPage,
    ReportRow,
    SanctionPage,
    SanctionRow,
)
from server.accounts.display_names import person_name
from server.lobby.removals import Removals
from server.lobby.table import table_record
from server.lobby.table.table_names import title_of
from server.lobby.table.table_record import LIVE
from server.order.audit import AuditEntry, Doer, OrderAct, reason_given
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.order_requests import (
        Announce,
        CloseTable,
        GetAudit,
        GetReports,
        GetSanctions,
        LiftSanction,
        RemovePerson,
        RenamePerson,
        Sanction,
        TakeBackAnnouncement,
    )
    from server.accounts.identities import Account, Identities
    from server.lobby.commands.account_commands import AccountCommands
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.order.audit import NumberedEntry
    from server.order.sanctions import StoredSanction
    from server.talk.reports import NumberedReport

REPORT_ROWS: Final = 10
SANCTION_ROWS: Final = 12
AUDIT_ROWS: Final = 12


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
        await self._order.judge(account, asked.what, asked.seconds, asked.reason, asked.also, _doer(session))
        self._lobby.order_news.tell_person(account.id)
        if asked.what == "mute":
            self._lobby.order_news.tell_muted(account.id)
        session.say(OrderDone(asked.what, account.name))

    async def lift(self, session: Session, asked: LiftSanction) -> None:
        self._must_moderate(session)
        sanction = await self._order.lift_by_id(asked.id, asked.reason, _doer(session))
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
                detail=title_of(live.record),
                reason=reason_given(asked.reason),
            )
            await self._lobby.save(live, table_record.close(live.record), entry=entry)
        if live.record.state == LIVE:
            self._lobby.housekeeping.wake(live)
        else:
            for other in list(live.sessions):
                live.dismiss(other, "closed")
        session.say(OrderDone("close", title_of(live.record)))

    async def announce(self, session: Session, asked: Announce) -> None:
        self._must_moderate(session)
        made = await self._order.announcements.announce(asked.text, asked.seconds, _doer(session))
        self._lobby.order_news.tell()
        session.say(OrderDone("announce", made.text))

    async def take_back(self, session: Session, asked: TakeBackAnnouncement) -> None:
        self._must_moderate(session)
        ended = await self._order.announcements.take_back(asked.id, _doer(session))
        self._lobby.order_news.tell()
        session.say(OrderDone("take_back", ended.text))

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

    async def audit(self, session: Session, asked: GetAudit) -> None:
        self._must_moderate(session)
        found = await self._order.audit.page(asked.before, AUDIT_ROWS)
        session.say(AuditPage(tuple(map(_audit_row, found)), found[-1].number if len(found) == AUDIT_ROWS else 0))

    # Rights

    def _must_moderate(self, session: Session) -> None:
        if not self._lobby.order_news.is_moderator(session):
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
        return AuditEntry(act, at, session.who, session.name, account.id, account.name, reason=reason_given(reason))


def _doer(session: Session) -> Doer:
    return Doer(session.who, session.name)


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


def _audit_row(found: NumberedEntry) -> AuditRow:
    one = found.entry
    return AuditRow(found.number, one.act, one.at, one.by_name, one.who, one.name, one.until, one.detail, one.reason)
