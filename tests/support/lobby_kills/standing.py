"""What a store holds of a lobby, in the form in which people are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire.codec import decode_message
from protocol.wire.from_server import ChatLine, SeatView, TableView
from server.accounts.identities import ACCOUNTS, Account, read_account
from server.cli.data.command_inputs import open_reader
from server.cli.data.fsck import examine
from server.lobby.table.table_record import FINISHED, OPEN, TABLES, SeatRecord, TableRecord
from server.order.audit import AUDIT, AuditEntry, read_entry
from server.order.sanctions import SANCTIONS, StoredSanction, read_sanction
from server.people.contact_book import CONTACTS, read_contacts
from server.people.contacts import NO_CONTACTS, Contacts
from server.results.match_result import MatchResult
from server.results.result_book import RESULTS
from server.runtime.sealing import SealingKey
from server.store.sqlite.reader import ReadableStore
from server.talk.lobby_lines import LINES, StoredLine, read_line
from server.talk.private_words import WORDS, opened_words
from server.talk.reports import REPORTS, StoredReport, read_report
from server.webhooks.webhook_book import WEBHOOKS, Webhook, opened_address
from tests.support.doubles.stored import records_of
from tests.support.lobby_kills.ledger import Key
from tests.support.servers.data_folder import host_of

AFTER_OWNER: Final = "'s table"
"""End of the name under which a table without one of its own is shown."""


class Seat(NamedTuple):
    """A seat as it is shown to all."""

    who: str
    bot: str
    ready: bool
    kept_for: str
    locked: bool
    swap_with: int


class Standing(NamedTuple):
    """A table as it is shown to all at it. `name`: its own, empty for one that is called after its owner."""

    id: TableId
    name: str
    state: str
    owner: str
    private: bool
    begins: int
    seats: tuple[Seat, ...]

    @property
    def people(self) -> list[str]:
        """Those who sit here."""
        return [seat.who for seat in self.seats if seat.who]

    @property
    def free(self) -> list[int]:
        """Seats that anybody may take."""
        return [n for n, seat in enumerate(self.seats) if not (seat.who or seat.bot or seat.locked or seat.kept_for)]

    def seat_of(self, who: str) -> int:
        """Return the seat of a person, -1 where they have none."""
        return next((n for n, seat in enumerate(self.seats) if seat.who == who), -1)


def _seat(seat: SeatRecord | SeatView) -> Seat:
    return Seat(seat.who, seat.bot, seat.ready, seat.kept_for, seat.locked, seat.swap_with)


def standing_of(table: TableRecord | TableView) -> Standing:
    """Return a table as it is kept, or as a person sees it."""
    seats = tuple(map(_seat, table.seats))
    name = "" if table.name.endswith(AFTER_OWNER) else table.name
    return Standing(table.id, name, table.state, table.owner, table.private, table.begins, seats)


def lists_of(contacts: Contacts) -> dict[str, Any]:
    """Return the people in each list of a person, but those whom a match has brought, in their order."""
    lists = {name: getattr(contacts, name) for name in ("friends", "asked", "asking", "muted", "blocked")}
    return {name: [one.who for one in held] for name, held in lists.items()} | {"hidden": contacts.hidden}


class KeptWords(NamedTuple):
    """Words that one person has said to another at a table."""

    table: TableId
    who: str
    text: str


class KeptLobby:
    """All that a store holds of a lobby."""

    def __init__(self) -> None:
        self.tables: dict[TableId, TableRecord] = {}
        self.accounts: dict[str, Account] = {}
        self.contacts: dict[str, Contacts] = {}
        self.lines: list[StoredLine] = []
        self.chat: list[tuple[TableId, str]] = []
        self.words: list[KeptWords] = []
        self.webhooks: dict[str, str] = {}
        self.reports: list[StoredReport] = []
        self.sanctions: list[StoredSanction] = []
        self.audit: list[AuditEntry] = []
        self.results: list[MatchResult] = []
        self.problems: list[str] = []

    @classmethod
    async def read(cls, data: Path, place: str) -> KeptLobby:
        """Read the store of a server that has been killed, and let fsck look at it."""
        store = await open_reader(data, place)
        try:
            # what the server had sent to Redis is behind this
            await store.kinds()
            found = cls()
            host = host_of(data)
            await found._take(store)
            assert host.sealing_key is not None
            await found._open(store, host.sealing_key)
            found.problems = [one.line() async for one in examine(store, host) if not one.harmless]
        finally:
            await store.close()
        return found

    async def _take(self, store: ReadableStore) -> None:
        decode = msgspec.msgpack.decode
        for data in (await records_of(store, TABLES)).values():
            table = decode(data, type=TableRecord)
            self.tables[table.id] = table
        self.accounts = {key: read_account(data) for key, data in (await records_of(store, ACCOUNTS)).items()}
        self.contacts = {key: read_contacts(data) for key, data in (await records_of(store, CONTACTS)).items()}
        self.lines = [read_line(data) for data in (await records_of(store, LINES)).values()]
        self.reports = [read_report(data) for data in (await records_of(store, REPORTS)).values()]
        self.sanctions = [read_sanction(data) for data in (await records_of(store, SANCTIONS)).values()]
        self.audit = [read_entry(data) for data in (await records_of(store, AUDIT)).values()]
        self.results = [decode(data, type=MatchResult) for data in (await records_of(store, RESULTS)).values()]
        for id in self.tables:
            for line in await store.newest_lines(f"chat/{id}", 1000):
                said = decode_message(line.line, Limits())
                assert isinstance(said, ChatLine)
                self.chat.append((id, said.text))

    async def _open(self, store: ReadableStore, key: SealingKey) -> None:
        """Take what is sealed."""
        for name, data in (await records_of(store, WORDS)).items():
            table = TableId(name.partition(" ")[0])
            self.words += [KeptWords(table, line.who, line.text) for line in opened_words(key, name, data)]
        for who, data in (await records_of(store, WEBHOOKS)).items():
            webhook = msgspec.msgpack.decode(data, type=Webhook)
            self.webhooks[who] = opened_address(key, who, webhook).path

    def of(self, key: Key) -> Any:
        """Return what is held of a thing, by the kinds that deeds.py names."""
        kind, *names = key
        match kind:
            case "table":
                table = self.tables.get(TableId(names[0]))
                return standing_of(table) if table is not None else None
            case "contacts":
                return lists_of(self.contacts.get(names[0], NO_CONTACTS))
            case "line":
                return [line.text for line in self.lines if line.who == names[0]].count(names[1])
            case "chat":
                return self.chat.count((TableId(names[0]), names[1]))
            case "words":
                return self.words.count(KeptWords(TableId(names[0]), names[1], names[2]))
            case "webhook":
                return self.webhooks.get(names[0], "")
            case "report":
                return [report.words for report in self.reports if report.by == names[0]].count(names[1])
            case "sanction":
                return names[1] in [one.what for one in self.sanctions if one.who == names[0]]
            case "audit":
                return [entry.reason for entry in self.audit if entry.act == names[0]].count(names[1])
            case "account":
                account = self.accounts.get(names[0])
                return account is not None and not account.gone
            case "name":
                return self.accounts[names[0]].name
            case "keeps":
                return bool(self.accounts[names[0]].password)
            case "result":
                return len([result for result in self.results if result.match == names[0]])
        raise KeyError(key)

    def stays(self, id: TableId) -> bool:
        """Return True for a table that is there, unless it is about to go, since nobody sits there any more."""
        table = self.tables.get(id)
        return table is not None and (table.state != OPEN or bool(table.people))

    def faults(self) -> Iterator[str]:
        """Yield what cannot be in a lobby that is in order."""
        yield from self.problems
        for table in self.tables.values():
            yield from self._faults_at(table)
        for who, contacts in self.contacts.items():
            yield from self._faults_of(who, contacts)
        finished = {table.match for table in self.tables.values() if table.state == FINISHED}
        for result in self.results:
            if result.match not in finished:
                yield f"match {result.match} has a result, and is not over"
        for match in finished - {result.match for result in self.results}:
            yield f"match {match} is over without a result"
        for sanction in self.sanctions:
            if (sanction.what, sanction.reason) not in [(entry.act, entry.reason) for entry in self.audit]:
                yield f"the audit list does not know of {sanction}"

    def _faults_at(self, table: TableRecord) -> Iterator[str]:
        people = table.people
        if len(people) != len(set(people)):
            yield f"{table.id}: somebody has two seats"
        if people and table.owner not in people and table.state == OPEN:
            yield f"{table.id}: its owner, {table.owner}, does not sit there"
        for seat in table.seats:
            if (seat.who and seat.kept_for) or (seat.locked and not seat.free):
                yield f"{table.id}: a seat is held, and kept or locked: {seat}"
        for number, seat in enumerate(table.seats):
            if seat.swap_with >= 0 and (not seat.who or seat.swap_with == number):
                yield f"{table.id}: a wish to change places is nobody's: {seat}"

    def _faults_of(self, who: str, contacts: Contacts) -> Iterator[str]:
        for friend in contacts.friends:
            if who not in [one.who for one in self.contacts.get(friend.who, NO_CONTACTS).friends]:
                yield f"{who} is a friend of {friend.who}, who is none of theirs"
        for asker in contacts.asking:
            if who not in [one.who for one in self.contacts.get(asker.who, NO_CONTACTS).asked]:
                yield f"{who} is asked by {asker.who}, who has not asked"
        blocked = {one.who for one in contacts.blocked}
        if blocked & {one.who for one in (*contacts.friends, *contacts.asking)}:
            yield f"{who} has blocked a friend, or one who asks"
