"""All that a store keeps of one person, by kind of record, for them to read.

Reports of them and acts of moderators about them stand there without who made them. Hashes of tokens and passwords are
left out, and so are the logs of matches, which name seats, and people by ids that lead nowhere else. Of the records
of others one page is in memory at a time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import asdict, replace

from protocol.ids import MatchId, TableId
from protocol.limits import CHAT_LINES, Limits
from protocol.wire.from_server import ChatLine
from server.accounts.identities import ACCOUNTS, TOKENS, read_account
from server.accounts.name_keepers import LOOKS, NAMES
from server.lobby.seat_codes import SEAT_CODES, SeatPass
from server.lobby.table.table_chat import chat_line, lists_of
from server.lobby.table.table_record import TABLES, TableRecord
from server.order.address_trail import CAME_FROM, CameFrom
from server.order.audit import AUDIT, AuditEntry
from server.order.moderators import MODERATORS, read_moderator
from server.order.sanctions import SANCTIONS, StoredSanction
from server.people.contact_book import CONTACTS, read_contacts
from server.results.career import Career
from server.results.match_result import MatchResult
from server.results.rating import Rating
from server.results.result_book import CAREERS, LEADERS, PLAYED, RATINGS, RESULTS
from server.runtime.sealing import SealingKey
from server.store.paging import PagedStore, each_beginning, each_record
from server.store.port import KeptRecord, Line
from server.store.record_form import read_record
from server.talk.lobby_lines import LINES, SAID, read_line
from server.talk.private_words import HAD, WORDS, opened_words
from server.talk.reports import REPORTS, StoredReport
from server.webhooks.webhook_book import WEBHOOKS, Webhook, opened_address

FORM: Final = 1
"""Number of the layout of the file."""
CHAT: Final = "chat"
"""Section of what the person said at tables: lists of lines, no kind of record."""
T = TypeVar("T", bound=msgspec.Struct)
_LIMITS: Final = Limits()


class KeptData(PagedStore, Protocol):
    """The part of the store's port that is read here."""

    async def find_record(self, kind: str, key: str) -> KeptRecord | None: ...

    async def newest_lines(self, name: str, most: int) -> list[Line]: ...


class _Asked(NamedTuple):
    """The person whose data is asked for, and where it lies."""

    store: KeptData
    key: SealingKey
    who: str


async def personal_data(store: KeptData, key: SealingKey, who: str, now: int) -> bytes:
    """Return all that is kept of this person as JSON. `key`: the one that words between two are sealed with; `now`:
    Unix seconds. Raises StoreError."""
    asked = _Asked(store, key, who)
    sections = {kind: await read(asked) for kind, read in SECTIONS.items()}
    return msgspec.json.format(msgspec.json.encode({"form": FORM, "made": now, "person": who, **sections}), indent=1)


async def _account(asked: _Asked) -> object:
    found = await asked.store.find_record(ACCOUNTS, asked.who)
    if found is None:
        return None
    account = read_account(found.data)
    devices = [{"seen": device.seen, "made": device.made} for device in account.devices]
    hidden = {"devices": devices, "password": bool(account.password)}
    return {**asdict(account), **hidden}


async def _contacts(asked: _Asked) -> object:
    found = await asked.store.find_record(CONTACTS, asked.who)
    return None if found is None else read_contacts(found.data)


async def _each(store: PagedStore, kind: str, form: type[T]) -> AsyncIterator[T]:
    """Yield all records of a kind, whomever they are about; those that are empty or cannot be read are left out. Raises
    StoreError."""
    async for record in each_record(store, kind):
        try:
            read = msgspec.msgpack.decode(record.data, type=form)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        yield read


async def _tables(asked: _Asked) -> object:
    found = []
    async for table in _each(asked.store, TABLES, TableRecord):
        named = _named_in(table, asked.who)
        if named:
            plain = {name: getattr(table, name) for name in ("id", "name", "system", "scenario", "state", "created")}
            seats = [seat for seat in table.seats if asked.who in (seat.who, seat.former, seat.kept_for)]
            found.append({**plain, "changed": table.changed, "named_in": named, "seats": seats})
    return found


def _named_in(table: TableRecord, who: str) -> list[str]:
    """Return the fields of a table in which a person stands."""
    fields = msgspec.to_builtins(table, builtin_types=(bytes,))
    return [name for name, value in fields.items() if _stands_in(value, who)]


def _stands_in(value: Any, who: str) -> bool:
    if isinstance(value, dict):
        return any(_stands_in(inner, who) for inner in value.values())
    if isinstance(value, list | tuple):
        return any(_stands_in(inner, who) for inner in value)
    return bool(value == who)


async def _chat(asked: _Asked) -> object:
    found: dict[str, list[ChatLine]] = {}
    async for table in _each(asked.store, TABLES, TableRecord):
        for name in () if table.chat_dropped else lists_of(table.id, len(table.seats)):
            stored = await asked.store.newest_lines(name, CHAT_LINES)
            read = [chat_line(line.line, _LIMITS) for line in stored]
            if mine := [line for line in read if line is not None and line.who == asked.who]:
                found[name] = mine
    return found


async def _seat_codes(asked: _Asked) -> object:
    return [
        {"table": found.table, "ends": found.ends}
        async for found in _each(asked.store, SEAT_CODES, SeatPass)
        if found.account == asked.who
    ]


async def _results(asked: _Asked) -> object:
    found = []
    async for place in each_beginning(asked.store, PLAYED, f"{asked.who} "):
        match = MatchId(place.data.decode())
        record = await asked.store.find_record(RESULTS, match)
        if record is not None:
            found.append(read_record(RESULTS, match, record.data, MatchResult))
    return found


async def _ratings(asked: _Asked) -> object:
    records = each_beginning(asked.store, RATINGS, f"{asked.who} ")
    return [read_record(RATINGS, record.key, record.data, Rating) async for record in records]


async def _career(asked: _Asked) -> object:
    found = await asked.store.find_record(CAREERS, asked.who)
    return None if found is None else read_record(CAREERS, asked.who, found.data, Career)


async def _lobby_lines(asked: _Asked) -> object:
    places = [place async for place in each_beginning(asked.store, SAID, f"{asked.who} ")]
    records = [await asked.store.find_record(LINES, place.data.decode()) for place in places]
    return [read_line(record.data) for record in records if record is not None]


async def _words(asked: _Asked) -> object:
    found = {}
    async for place in each_beginning(asked.store, HAD, f"{asked.who} "):
        name = place.key.partition(" ")[2]
        record = await asked.store.find_record(WORDS, name)
        if record is not None:
            found[TableId(name)] = opened_words(asked.key, name, record.data)
    return found


async def _reports(asked: _Asked) -> object:
    """Return the reports that the person made, those of them, and their lines in any."""
    made: list[StoredReport] = []
    about: list[dict[str, object]] = []
    lines: list[ChatLine] = []
    async for report in _each(asked.store, REPORTS, StoredReport):
        if report.by == asked.who:
            made.append(report)
        if report.who == asked.who:
            about.append({"at": report.at, "reason": report.reason})
        # of words to one other it would be plain who has reported them
        lines += [line for line in report.lines if line.who == asked.who and line.to < 0]
    return {"made": made, "about": about, "lines": lines}


async def _origins(asked: _Asked) -> object:
    records = each_beginning(asked.store, CAME_FROM, f"{asked.who} ")
    return [read_record(CAME_FROM, record.key, record.data, CameFrom) async for record in records]


async def _moderator(asked: _Asked) -> object:
    found = await asked.store.find_record(MODERATORS, asked.who)
    return read_moderator(found.data) if found is not None and found.data else None


async def _sanctions(asked: _Asked) -> object:
    """Return the bans and mutes that hold for the person."""
    return [
        replace(found, by="", by_name="")
        async for found in _each(asked.store, SANCTIONS, StoredSanction)
        if found.who == asked.who
    ]


async def _audit(asked: _Asked) -> object:
    """Return the acts of a moderator, and those about the person, which leave out who did them."""
    done: list[AuditEntry] = []
    about: list[AuditEntry] = []
    async for entry in _each(asked.store, AUDIT, AuditEntry):
        if entry.by == asked.who:
            done.append(entry)
        if entry.who == asked.who:
            about.append(replace(entry, by="", by_name=""))
    return {"done": done, "about": about}


async def _webhook(asked: _Asked) -> object:
    found = await asked.store.find_record(WEBHOOKS, asked.who)
    if found is None:
        return None
    webhook = read_record(WEBHOOKS, asked.who, found.data, Webhook)
    host, path = opened_address(asked.key, asked.who, webhook)
    known = {name: value for name, value in asdict(webhook).items() if name != "sealed"}
    return {"address": f"https://{host}{path}", **known}


SECTIONS: Final[Mapping[str, Callable[[_Asked], Awaitable[object]]]] = {
    ACCOUNTS: _account,
    CONTACTS: _contacts,
    TABLES: _tables,
    CHAT: _chat,
    SEAT_CODES: _seat_codes,
    RESULTS: _results,
    RATINGS: _ratings,
    CAREERS: _career,
    LINES: _lobby_lines,
    WORDS: _words,
    REPORTS: _reports,
    CAME_FROM: _origins,
    MODERATORS: _moderator,
    SANCTIONS: _sanctions,
    AUDIT: _audit,
    WEBHOOKS: _webhook,
}
"""The sections of the file, each named by the kind of record that it is read from."""
TOLD_ELSEWHERE: Final[Mapping[str, str]] = {
    TOKENS: ACCOUNTS,
    NAMES: ACCOUNTS,
    LOOKS: ACCOUNTS,
    PLAYED: RESULTS,
    LEADERS: RATINGS,
    SAID: LINES,
    HAD: WORDS,
}
"""The kinds whose records only lead to those of a section, or repeat them."""
