"""What moderators are told: reports with the lines around the reported one, bans and mutes, and that an act is done."""

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


class OrderDone(ServerMessage, frozen=True, tag="order_done"):
    """Answer to an act of a moderator: it is done, and stands in the audit list. `what`: ban, mute, lift, remove,
    rename or close; `name`: of the person or table."""

    what: str
    name: str
