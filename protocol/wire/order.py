"""Order on the server: what moderators are told (reports with the lines around the reported one, bans and mutes, the
audit list, that an act is done), and announcements to everybody."""

from __future__ import annotations

import msgspec

from protocol.ids import NO_TABLE, TableId
from protocol.wire.server_message import ServerMessage


class ReportedWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """Line of a report: who said it, by id and name, when (unix seconds) and in which words."""

    who: str
    name: str
    text: str
    at: int


class ReportRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Report by one person, `by`, of another, `who`, with the names that they had, the `reason` and `words` in which it
    was made, and when (unix seconds). `lines`: the reported one, at `place`, with those around it; `table`: where that
    was said, none for the lobby. Where the person is reported there are none, and `place` is -1."""

    number: int
    by: str
    by_name: str
    who: str
    name: str
    reason: str
    words: str
    at: int
    lines: tuple[ReportedWords, ...] = ()
    place: int = -1
    table: TableId = NO_TABLE


class ReportPage(ServerMessage, frozen=True, tag="report_page"):
    """Answer to GetReports, the newest first. `older`: the number to ask with for those before, 0 where there are
    none."""

    rows: tuple[ReportRow, ...] = ()
    older: int = 0


class SanctionRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Ban or mute of a person, imposed by this moderator (empty: the host) at a time, until another (unix seconds, 0:
    for ever). `also`: what a ban includes beside the person: name, address, network."""

    id: str
    what: str
    who: str
    name: str
    reason: str
    by_name: str
    at: int
    until: int = 0
    also: tuple[str, ...] = ()


class SanctionPage(ServerMessage, frozen=True, tag="sanction_page"):
    """Answer to GetSanctions: those from place `first` on, of `total` that hold."""

    rows: tuple[SanctionRow, ...] = ()
    first: int = 0
    total: int = 0


class AuditRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Act of the audit list, by a moderator with the name that they had (empty: the host), at a time (unix seconds).
    `who`, `name`: the person whom it was about; `until`: end of a ban or mute (0: for ever, or none); `detail`: the
    new name of a person, what a ban includes, what was lifted, the name of a table or the words of an announcement."""

    number: int
    act: str
    at: int
    by_name: str = ""
    who: str = ""
    name: str = ""
    until: int = 0
    detail: str = ""
    reason: str = ""


class AuditPage(ServerMessage, frozen=True, tag="audit_page"):
    """Answer to GetAudit, the newest first. `older`: the number to ask with for those before, 0 where there are
    none."""

    rows: tuple[AuditRow, ...] = ()
    older: int = 0


class OrderDone(ServerMessage, frozen=True, tag="order_done"):
    """Answer to an act of a moderator: it is done, and stands in the audit list. `what`: ban, mute, lift, remove,
    rename, close, announce or take_back; `name`: of the person or table, or the words of the announcement."""

    what: str
    name: str


class Moderating(ServerMessage, frozen=True, tag="moderating"):
    """The host has made the receiver a moderator, or ended that."""

    moderates: bool


class AnnouncementRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Announcement since `at` (unix seconds). `left`: milliseconds until the moment that it is about, when this was
    sent; 0: that has come; -1: it is about no moment."""

    id: str
    text: str
    at: int
    left: int = -1


class Announcements(ServerMessage, frozen=True, tag="announcements"):
    """Announcements that stand, the newest first: after a welcome where there are any, and again, whole, when they
    change."""

    rows: tuple[AnnouncementRow, ...] = ()
