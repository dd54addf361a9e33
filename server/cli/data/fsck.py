"""`eschaton-server fsck`: reads and folds everything that is stored, and changes nothing.

It checks: the file itself (SQLite's own check); that every record, step, answer and snapshot can be read; that the
steps of a match are numbered without a gap, no cause made two of them, and folding them succeeds; that the secret opens
with the host key and is the one that the match committed to before its first die; that a snapshot is the state of its
version, with the same head; that a replay is whole, signed by this host, and holds the very steps of the store; that
the ratings of people follow from the results.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.match.causes import Answered
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import LogDamaged, RuleDiverged
from engine.core.rules.events import MatchStarted
from engine.core.rules.system import System
from protocol.english import ENGLISH
from protocol.errors import BadReplay
from protocol.fairness.replay import Replay, read
from protocol.ids import MatchId, TableId, match_of
from protocol.limits import Limits
from protocol.text_format import format_text
from server.accounts.identities import ACCOUNTS, read_account
from server.cli.data.command_inputs import open_reader, rules_installed
from server.lobby.table.table_record import FINISHED, LIVE, TABLES, TableRecord
from server.match.replays import signed_by
from server.match.stored_log import CLOSED_ANSWERS, read_closed
from server.order.announcements import ANNOUNCEMENTS, read_announcement
from server.order.audit import AUDIT, read_entry
from server.order.sanctions import SANCTIONS, read_sanction
from server.people.contact_book import CONTACTS, read_contacts
from server.results.career import Career, careers_of
from server.results.match_result import MatchResult
from server.results.rating import Rating, worked_out
from server.results.result_book import CAREERS, RATINGS, RESULTS
from server.runtime.errors import SealDamaged
from server.runtime.former_keys import KEY, former_keys
from server.runtime.rule_code import code_of
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store.host_keys import SEALING_KEY
from server.store.paging import each_record
from server.store.port import LogEntry, MatchSnapshot, SealedAnswer, StoreError
from server.store.sqlite.reader import ReadableStore, SqliteReader
from server.talk.lobby_lines import LINES, read_line
from server.talk.private_words import WORDS, opened_words
from server.talk.reports import REPORTS, read_report

_RESULT: Final = msgspec.msgpack.Decoder(MatchResult)
_RATING: Final = msgspec.msgpack.Decoder(Rating)
_CAREER: Final = msgspec.msgpack.Decoder(Career)


class Finding(NamedTuple):
    """Something that is not as it should be. `match` and `version` where it is in a match; `harmless`: nothing is lost
    or wrong, but the operator should know."""

    place: str
    what: str
    match: MatchId = MatchId("")
    version: int = 0
    harmless: bool = False

    def line(self) -> str:
        """Return the finding as one line of JSON."""
        found = {"level": "note" if self.harmless else "damage", "in": self.place, "what": self.what}
        if self.match:
            found["match"] = self.match
        return json.dumps(found | ({"version": self.version} if self.version else {}))


class StoredMatch(NamedTuple):
    """Stored data of one match."""

    steps: Sequence[LogEntry]
    sealed: Sequence[SealedAnswer]
    snapshot: MatchSnapshot | None


class Host(NamedTuple):
    """The host whose data are checked; a key is None where its file is missing; `former`: public keys that were rotated
    away."""

    systems: Mapping[str, System[Any]]
    sealing_key: SealingKey | None
    key: HostKey | None
    replays: Path
    former: tuple[bytes, ...] = ()

    def signs(self, key: bytes) -> bool:
        """Return True where this is the host's key, or was."""
        return key in self.former or (self.key is not None and key == self.key.public)


async def examine(store: ReadableStore, host: Host) -> AsyncIterator[Finding]:
    """Yield everything that is wrong, as it is found."""
    if isinstance(store, SqliteReader):
        for problem in store.problems():
            yield Finding("database", problem)
    async for finding in _records(store):
        yield finding
    async for finding in _words(store, host.sealing_key):
        yield finding
    async for finding in _counts(store):
        yield finding
    tables = {match_of(TableId(table.key)): table.data async for table in each_record(store, TABLES)}
    for id in sorted({*tables, *await store.matches()}):
        try:
            table = msgspec.msgpack.decode(tables[id], type=TableRecord) if id in tables else None
            stored = StoredMatch(await store.read(id), await store.sealed(id), await store.snapshot(id))
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            yield Finding("table", f"its record cannot be read: {problem}", id)
            continue
        except StoreError as problem:
            yield Finding("steps", str(problem), id)
            continue
        for finding in check_table(id, table, stored, host):
            yield finding


async def _records(store: ReadableStore) -> AsyncIterator[Finding]:
    kinds: list[tuple[str, Callable[[bytes], object]]] = [
        (ACCOUNTS, read_account),
        (CONTACTS, read_contacts),
        (LINES, read_line),
        (REPORTS, read_report),
        (AUDIT, read_entry),
        (SANCTIONS, read_sanction),
        (ANNOUNCEMENTS, read_announcement),
        (CLOSED_ANSWERS, read_closed),
    ]
    for kind, decode in kinds:
        async for record in each_record(store, kind):
            try:
                decode(record.data)
            except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
                yield Finding(kind, f"the record {record.key} cannot be read: {problem}")


async def _words(store: ReadableStore, key: SealingKey | None) -> AsyncIterator[Finding]:
    """Open what people have said to each other alone, where the key is here."""
    async for record in each_record(store, WORDS):
        try:
            if key is not None:
                opened_words(key, record.key, record.data)
        except StoreError as problem:
            yield Finding(WORDS, str(problem))


async def _counts(store: ReadableStore) -> AsyncIterator[Finding]:
    """Work all ratings and careers out anew and compare them with those that are kept."""
    try:
        results = [_RESULT.decode(record.data) async for record in each_record(store, RESULTS)]
        ratings = [_RATING.decode(record.data) async for record in each_record(store, RATINGS)]
        careers = [_CAREER.decode(record.data) async for record in each_record(store, CAREERS)]
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        yield Finding(RESULTS, f"a result, rating or career cannot be read: {problem}")
        return
    kept, wanted = {(rating.who, rating.system): rating for rating in ratings}, worked_out(results)
    people = {account.key async for account in each_record(store, ACCOUNTS)}
    for who, system in sorted(kept.keys() | wanted.keys()):
        # those of the deleted are gone, though their results stay
        if who not in people and (who, system) not in kept:
            continue
        if kept.get((who, system)) != wanted.get((who, system)):
            yield Finding(RATINGS, f"the rating of {who} at {system} does not follow from the results")
    counted = careers_of(results)
    for career in careers:
        if career != counted.get(career.who):
            yield Finding(CAREERS, f"the career of {career.who} does not follow from the results")


def check_table(id: MatchId, table: TableRecord | None, stored: StoredMatch, host: Host) -> Iterator[Finding]:
    """Check one table with its match and its replay."""
    yield from _check_numbers(id, stored.steps)
    if table is None:
        yield Finding("steps", "no table has this match", id, harmless=True)
        return
    if table.state == LIVE and not stored.steps:
        # a server that is killed between the two has stored that the match is on, and not its first step
        is_begun = stored.snapshot is not None or bool(stored.sealed)
        what = "the match is live, and has no steps" if is_begun else "the match begins when somebody comes"
        yield Finding("steps", what, id, harmless=not is_begun)
    replay: Replay | None = None
    if table.replay_dropped:
        yield Finding("table", "its replay is no longer kept, as the host's settings say", id, harmless=True)
    elif table.replay:
        replay, problem = _replay(host, table.replay)
        if problem:
            yield Finding(f"replays/{table.replay}", problem, id)
    elif table.state == FINISHED:
        yield Finding("table", "the match was ended without a replay", id, harmless=True)
    steps = [step.step for step in stored.steps]
    if replay is not None and steps and list(replay.log) != steps:
        yield Finding(f"replays/{table.replay}", "its steps are not those of the store", id)
    system = host.systems.get(table.system)
    if system is None:
        yield Finding("table", f"its rules, {table.system}, are not installed here: not folded", id, harmless=True)
    elif steps:
        yield from check_match(id, table, stored, system, host, replay)
    elif replay is not None:
        # the log of a match that is over stands in its replay alone
        archived = [LogEntry(n, n.to_bytes(16, "big"), step) for n, step in enumerate(replay.log, start=1)]
        yield from check_match(id, table, stored._replace(steps=archived), system, host, replay)


def _check_numbers(id: MatchId, steps: Sequence[LogEntry]) -> Iterator[Finding]:
    """Check versions and causes up to the first version that is not the next: the table of steps has no key of its
    own."""
    causes: set[bytes] = set()
    for place, step in enumerate(steps, start=1):
        if step.cause in causes:
            yield Finding("steps", f"the cause {step.cause.hex()} has made a step before", id, step.version)
        causes.add(step.cause)
        if step.version < place:
            yield Finding("steps", f"step {step.version} is there twice", id, step.version)
        elif step.version > place:
            yield Finding("steps", f"step {place} is missing: the next one is step {step.version}", id, place)
        if step.version != place:
            return


def check_match(
    id: MatchId, table: TableRecord, stored: StoredMatch, system: System[Any], host: Host, replay: Replay | None
) -> Iterator[Finding]:
    """Fold a match and compare it with what is kept beside its steps."""
    secret = None
    if host.sealing_key is None:
        yield Finding(SEALING_KEY, "it is not here: the secret of this match was not checked", id, harmless=True)
    else:
        try:
            secret = host.sealing_key.open(table.sealed, id)
        except SealDamaged as problem:
            yield Finding("table", str(problem), id)
    match: Match[Any] = Match(system, id, MatchDice(secret or bytes(32), id))
    for place, step in enumerate(stored.steps, start=1):
        if step.version != place:  # which has been reported
            return
        try:
            folded = match.replay(step.step)
        except LogDamaged as problem:
            yield Finding("steps", str(problem), id, place)
            return
        except Exception as problem:  # noqa: BLE001 - whatever damaged bytes make the rules raise
            yield Finding("steps", f"it cannot be folded: {type(problem).__name__}: {problem}", id, place)
            return
        started = folded.stored.entries[0] if place == 1 and folded.stored.entries else None
        if place == 1 and not isinstance(started, MatchStarted):
            yield Finding("steps", "the first step is no start", id, place)
        elif isinstance(started, MatchStarted) and secret and started.commitment != match.dice.commitment:
            yield Finding("steps", "its dice were committed to by another secret", id, place)
        if stored.snapshot is not None and stored.snapshot.version == place:
            yield from _compare_snapshot(match, stored.snapshot, has_secret=secret is not None)
    if stored.snapshot is not None and stored.snapshot.version > match.version:
        yield Finding("snapshot", "it is ahead of the steps", id, stored.snapshot.version)
    if replay is not None and secret and (replay.head, replay.secret) != (match.head, secret):
        yield Finding(f"replays/{table.replay}", "its head or secret is not that of the match", id)
    yield from _check_waiting(match, stored.sealed)


def _compare_snapshot(match: Match[Any], snapshot: MatchSnapshot, *, has_secret: bool) -> Iterator[Finding]:
    other: Match[Any] = Match(match.system, match.id, match.dice)
    code = code_of(match.system).digest if match.record.code else None
    try:
        if not other.restore(snapshot.data, code):
            return  # of other rules, or other code of them: it is never read again, and the next one replaces it
    except LogDamaged as problem:
        yield Finding("snapshot", str(problem), match.id, snapshot.version)
        return
    same = (other.version, other.state, other.record) == (match.version, match.state, match.record)
    if not same or (has_secret and other.head != match.head):
        yield Finding("snapshot", "it is not the state of its version", match.id, snapshot.version)


def _check_waiting(match: Match[Any], sealed: Sequence[SealedAnswer]) -> Iterator[Finding]:
    for answer in sealed:
        try:
            msgspec.msgpack.decode(answer.answer, type=Answered)
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            yield Finding("answers", f"the answer of seat {answer.seat} cannot be read: {problem}", match.id)
    try:
        match.resume()
    except RuleDiverged as problem:
        yield Finding("steps", f"it is parked: {problem}", match.id, match.version, harmless=True)
    except Exception as problem:  # noqa: BLE001 - as above: the rules may raise anything
        yield Finding("steps", f"what waits cannot be made again: {problem}", match.id, match.version)


def _replay(host: Host, name: str) -> tuple[Replay | None, str]:
    try:
        data = (host.replays / name).read_bytes()
        replay = read(data, Limits(replay_bytes=max(len(data), 1)))
    except OSError as problem:
        return None, f"it cannot be read: {problem.strerror or problem}"
    except BadReplay as problem:
        return None, format_text(problem.text, ENGLISH)
    if not signed_by(data, replay.key) or (host.key is not None and not host.signs(replay.key)):
        return replay, "it is not signed by this host"
    return replay, ""


async def _examine_all(data: Path, place: str) -> int:
    host = Host(
        rules_installed(),
        SealingKey.at(data / SEALING_KEY) if (data / SEALING_KEY).is_file() else None,
        HostKey.at(data / KEY) if (data / KEY).is_file() else None,
        data / "replays",
        tuple(former.public for former in former_keys(data)),
    )
    opened = await open_reader(data, place)
    damaged = notes = looked_at = 0
    try:
        async for finding in examine(opened, host):
            print(finding.line(), flush=True)
            damaged += not finding.harmless
            notes += finding.harmless
        looked_at = len(await opened.matches())
    except StoreError as problem:
        print(Finding("database", str(problem)).line(), flush=True)
        damaged += 1
    finally:
        await opened.close()
    print(json.dumps({"event": "checked", "matches": looked_at, "damaged": damaged, "notes": notes}))
    return 1 if damaged else 0


def run(data: Path, place: str) -> int:
    """Run the command; return 1 where anything is damaged. Raises CommandError."""
    return asyncio.run(_examine_all(data, place))
