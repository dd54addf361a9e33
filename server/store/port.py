"""The store port: the operations that the server needs of any store, and the guarantees that every store gives.

One suite, tests/support/doubles/store_contract.py, holds every adapter to these docstrings.
"""

import secrets
from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping
from typing import Final, NamedTuple, Protocol

import msgspec

from protocol.errors import DamageError, EschatonError
from protocol.ids import MatchId

CAUSE_BYTES = 16
NONCE_BYTES: Final = 8

MOST_RECORDS: Final = 1_000
"""Records that are put at once."""
PAGE_RECORDS: Final = 200
"""Usual size of a page; the largest is MOST_RECORDS."""
NAME_BYTES: Final = 512
"""Longest kind, key or name, in UTF-8. The shortest is one character."""
RECORD_BYTES: Final = 16 << 20
EXPIRY_SECONDS: Final = 10 * 366 * 24 * 3600
"""Longest time after which a record may expire. The shortest is a millisecond."""
KEPT_CHANGES: Final = 10_000
"""Changes of a kind that its feed keeps."""
LINE_BYTES: Final = 64 << 10
MOST_LINES: Final = 10_000
"""Lines that a list may keep."""
MOST_DUE: Final = 1_000
"""Keys of a set of due times that are put or taken at once. The set itself has no bound."""
LATEST: Final = (1 << 53) - 1
"""Latest due time; the earliest is its negative."""


class Fence(NamedTuple):
    """The token of a match's owner.

    A counter alone would not do: a store that fails over to an older copy may count back and give the same number
    twice, so tokens are compared whole and for equality.
    """

    counter: int
    nonce: bytes


NOBODY: Final = Fence(0, b"")
"""Token of a caller who only reads."""


def fresh_nonce() -> bytes:
    """Return a nonce that is unlike every other."""
    return secrets.token_bytes(NONCE_BYTES)


class Appended(msgspec.Struct, frozen=True):
    """Result of an append: the step is durable; the match now has `version` steps."""

    version: int


class Duplicate(msgspec.Struct, frozen=True):
    """Result of an append: this cause already made the step numbered `version`; nothing was written."""

    version: int


class Conflict(msgspec.Struct, frozen=True):
    """Result of an append: the match has `version` steps, not as many as the caller expected; nothing was written."""

    version: int


class Fenced(msgspec.Struct, frozen=True):
    """Result of a write: another owner holds the match, with this counter (0: it was never opened); nothing was
    written."""

    counter: int


class Sealed(msgspec.Struct, frozen=True):
    """Result of a sealing: the sealed answer is durable."""


class AlreadySealed(msgspec.Struct, frozen=True):
    """Result of a sealing: another answer of this seat to this question is kept; nothing was written."""


AppendResult = Appended | Duplicate | Conflict | Fenced
SealResult = Sealed | AlreadySealed | Fenced


class LogEntry(NamedTuple):
    """A step as it was appended. `version` counts from 1."""

    version: int
    cause: bytes
    step: bytes


class SealedAnswer(NamedTuple):
    """An answer of `seat` that waits beside the log; `cause`: of 16 bytes, as of a step."""

    question: str
    seat: int
    cause: bytes
    answer: bytes


class MatchSnapshot(NamedTuple):
    """The state of a match after its first `version` steps."""

    version: int
    data: bytes


class StoredRecord(NamedTuple):
    """A document of the lobby, to be put: table, account, token. The store never looks inside.

    expected: the version that must be there, 0 for none at all, None for any. schema: number of the layout of `data`;
    a record that is there with a higher one was written by a newer program, and stays. seconds: time after which the
    record is gone, by the store's clock; None for one that stays.
    """

    kind: str
    key: str
    data: bytes
    expected: int | None = None
    schema: int = 1
    seconds: float | None = None


class KeptRecord(NamedTuple):
    """A record as it is kept. `version` rises with every change of its kind; 1 for one of before versions."""

    key: str
    data: bytes
    version: int
    schema: int


class RecordChange(NamedTuple):
    """A record of a kind was put or deleted. `number`: the version that it got, or would have got."""

    number: int
    key: str


class Trimmed(NamedTuple):
    """Answer to a reader of changes who has missed some: read all pages of the kind, then go on after `last`."""

    last: int


class Line(NamedTuple):
    """A line of a list. `number` counts from 1, without a gap."""

    number: int
    line: bytes


class DueTime(NamedTuple):
    """A key with the time at which it is due, in the caller's unit."""

    key: str
    at: int


class StoreError(EschatonError):
    """A failure of the store to do what it was asked. Its text is a plain sentence for the host."""


class StoreUnavailable(StoreError):
    """A store that is busy, closed, or whose disk refuses: the operation did nothing, and may be tried again.

    One exception: if syncing itself fails and the process dies before the store writes again, the operation may be
    found done after the restart. It was never acknowledged; its cause tells.
    """


class RecordConflict(StoreError):
    """A record that is not of the version expected of it. Nothing of the batch was stored."""

    def __init__(self, kind: str, key: str, expected: int, found: int) -> None:
        is_now = f"has version {found}" if found else "is not there"
        wanted = f"not {expected}" if expected else "though none was expected"
        super().__init__(f"The {kind} {key!r} {is_now}, {wanted}; nothing was stored.")
        self.kind = kind
        self.key = key
        self.found = found


class RecordTooNew(StoreError):
    """A record that a newer program has written, which this one may only read. Nothing of the batch was stored."""

    def __init__(self, kind: str, key: str, found: int, known: int) -> None:
        super().__init__(
            f"The {kind} {key!r} was written by a newer Eschaton (layout {found}, this one knows {known}) and may only "
            "be read here; nothing was stored. Update this Eschaton."
        )
        self.kind = kind
        self.key = key


class StoreTooNew(StoreUnavailable):
    """A store that a newer program has written, which this one cannot open."""


class StoreInUse(StoreUnavailable):
    """A store that another server has open."""


class StoreDamaged(StoreError, DamageError):
    """Stored bytes that cannot be read as this store's data. Trying again will not help."""


class Store(Protocol):
    """Logs of matches, sealed answers, snapshots and lobby records; lists of lines and sets of due times.

    The bounds of what is asked stand above; what lies beyond them raises ValueError, and nothing is stored.

    A method that returns has made its effect durable; one that raises has had none (but see StoreUnavailable). All of
    one call happens, or nothing. When a writing call is cancelled, either may have happened, or may yet: read the
    version, then retry; the same cause is never taken twice. Reads see every write that returned before they were
    called. Every method raises StoreUnavailable or StoreDamaged, and ValueError for what no store can keep.
    """

    async def open_match(self, match: MatchId) -> Fence:
        """Take ownership of a match: return a new token, its counter one higher than the last. The first counts 1."""
        ...

    def append(
        self, match: MatchId, fence: Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> Awaitable[AppendResult]:
        """Append one step behind the `expected` steps that are there.

        cause: 16 bytes, unique in the match. Checked in this order: fence (equality), duplicate, expected. closes: the
        question whose sealed answers this step consumes; they are dropped in the same act.
        """
        ...

    async def seal(
        self, match: MatchId, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> SealResult:
        """Keep a seat's answer beside the log until its question closes.

        The first one stays: the same again (cause and content) is Sealed and writes nothing, any other one is
        AlreadySealed.
        """
        ...

    async def sealed(self, match: MatchId) -> list[SealedAnswer]:
        """Return all answers of open questions, ordered by question and seat."""
        ...

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[LogEntry]:
        """Return the steps behind the first `after`, in order, at most so many; none for an unknown match."""
        ...

    async def version(self, match: MatchId) -> int:
        """Return the number of steps of a match; 0 for an unknown one."""
        ...

    async def find(self, match: MatchId, cause: bytes) -> int | None:
        """Return the version of the step that this cause made, None where there is none."""
        ...

    async def put_snapshot(self, match: MatchId, version: int, data: bytes) -> bool:
        """Keep the state after `version` steps, instead of an older snapshot.

        Return False, and keep nothing, for one older than what is kept, or ahead of the log (the match was deleted).
        """
        ...

    async def snapshot(self, match: MatchId) -> MatchSnapshot | None:
        """Return the snapshot that is kept; None where there is none."""
        ...

    async def delete_match(self, match: MatchId) -> None:
        """Delete steps, sealed answers and snapshot. The counter stays, raised: no former owner writes again."""
        ...

    async def matches(self) -> list[MatchId]:
        """Return the matches that have steps, in the order of the names' code points."""
        ...

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        """Put a record, in place of the one with this kind and key."""
        ...

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        """Put all records or none; return the new version of each, in order. The last of the same kind and key wins.

        At most MOST_RECORDS. Versions and schemas are compared with what is there before the batch. Raises
        RecordConflict, RecordTooNew; ValueError, too, where one of a kind and key that stands twice has an expectation.
        """
        ...

    async def find_record(self, kind: str, key: str) -> KeptRecord | None:
        """Return a record with its version; None where there is none."""
        ...

    async def get_record(self, kind: str, key: str) -> bytes | None:
        """Return the data of a record; None where there is none."""
        ...

    async def page(self, kind: str, after: str | None = None, limit: int = PAGE_RECORDS) -> list[KeptRecord]:
        """Return the records of a kind behind the key `after`, at most `limit`, in the order of the keys' code points.

        Fewer than `limit` are the last ones. None before the first. A record that is put or deleted meanwhile may be in
        a later page, or not; every other one is in exactly one.
        """
        ...

    async def kinds(self) -> list[str]:
        """Return the kinds of which there are records, in the order of their code points."""
        ...

    async def delete_record(self, kind: str, key: str, schema: int = 1) -> None:
        """Delete a record, if it is there. Raises RecordTooNew as for putting it."""
        ...

    async def changes(self, kind: str, after: int, limit: int = PAGE_RECORDS) -> list[RecordChange] | Trimmed:
        """Return what changed in a kind after the number `after`, the last that the reader has seen; oldest first.

        The newest KEPT_CHANGES of a kind are kept. Trimmed where some of those asked for are not, where the store has
        come back from an older copy, and for a reader who has seen nothing (0). A record that expires is no change.
        """
        ...

    async def append_line(self, name: str, line: bytes, keep: int) -> int:
        """Append a line to the list of this name and return its number; all but the newest `keep` fall off."""
        ...

    async def newest_lines(self, name: str, most: int) -> list[Line]:
        """Return the newest lines of a list, at most so many, oldest first."""
        ...

    async def delete_lines(self, name: str) -> None:
        """Delete a list, if it is there; its next line is number 1."""
        ...

    async def put_due(self, name: str, times: Mapping[str, int]) -> None:
        """Put keys with their times into the set of this name, in place of the times that they have there."""
        ...

    async def drop_due(self, name: str, key: str) -> None:
        """Take a key out of a set, if it is there."""
        ...

    async def take_due(self, name: str, until: int, most: int) -> list[DueTime]:
        """Take the keys out of a set whose time is at or before `until`, at most so many; the earliest first.

        Of two who ask at once each key goes to one. Whoever dies before acting has lost it: put it again, with a later
        time, where the act may not be left out, and drop it when done. A cancelled call may have taken some.
        """
        ...

    @property
    def promise(self) -> str:
        """Sentence for the host on what acknowledged writes outlive, empty where each is on the disk."""
        ...

    @property
    def may_lose(self) -> bool:
        """True where a crash may take the last second of acknowledged writes: those at a table are told of it."""
        ...

    async def in_doubt(self) -> None:
        """Return when acknowledged writes may be gone: the store has come back, or another has taken its place.

        Never returns where that cannot be.
        """
        ...

    async def taken_over(self) -> None:
        """Return when another server has taken the store over; from then on every call that would write raises
        StoreInUse.

        Never returns where that cannot be.
        """
        ...

    async def close(self) -> None:
        """Finish what was asked, then close. Later calls raise StoreUnavailable; closing twice is harmless.

        When cancelled, closing goes on by itself.
        """
        ...


def check_cause(cause: bytes) -> None:
    """Raise ValueError for bytes that cannot be the id of a cause."""
    if len(cause) != CAUSE_BYTES:
        raise ValueError(f"a cause has {CAUSE_BYTES} bytes, this one {len(cause)}")


def checked_records(records: Iterable[StoredRecord]) -> tuple[StoredRecord, ...]:
    """Return the records of a batch. Raises ValueError where they cannot be stored together."""
    batch = tuple(records)
    _check_number("a number of records", len(batch), 0, MOST_RECORDS)
    places = Counter((record.kind, record.key) for record in batch)
    for record in batch:
        check_name("a kind", record.kind)
        check_name("a key", record.key)
        _check_bytes("a record", record.data, RECORD_BYTES)
        _check_number("a schema", record.schema, 1, LATEST)
        if record.expected is not None:
            _check_number("an expected version", record.expected, 0, LATEST)
            if places[record.kind, record.key] > 1:
                raise ValueError(f"the {record.kind} {record.key!r} stands twice in a batch, and a version is expected")
        if record.seconds is not None and not 0.001 <= record.seconds <= EXPIRY_SECONDS:
            raise ValueError(f"a record expires after 0.001 to {EXPIRY_SECONDS} seconds, not {record.seconds}")
    return batch


def check_page(kind: str, after: str | None, limit: int) -> None:
    """Raise ValueError where no such page can be asked for."""
    check_name("a kind", kind)
    if after is not None:
        check_name("a key", after)
    _check_number("a limit", limit, 1, MOST_RECORDS)


def check_changes(kind: str, after: int, limit: int) -> None:
    """Raise ValueError where no such changes can be asked for."""
    check_page(kind, None, limit)
    _check_number("a number of a change", after, 0, LATEST)


def check_line(name: str, line: bytes, keep: int) -> None:
    """Raise ValueError for a line that cannot be appended."""
    check_name("a name", name)
    _check_bytes("a line", line, LINE_BYTES)
    check_lines(name, keep)


def check_lines(name: str, most: int) -> None:
    """Raise ValueError for a number of lines that no list keeps."""
    check_name("a name", name)
    _check_number("a number of lines", most, 1, MOST_LINES)


def check_due(name: str, times: Mapping[str, int]) -> None:
    """Raise ValueError for times that cannot be put together."""
    check_name("a name", name)
    _check_number("a number of keys", len(times), 0, MOST_DUE)
    for key, at in times.items():
        check_name("a key", key)
        _check_number("a due time", at, -LATEST, LATEST)


def check_taking(name: str, until: int, most: int) -> None:
    """Raise ValueError where no such keys can be taken."""
    check_name("a name", name)
    _check_number("a due time", until, -LATEST, LATEST)
    _check_number("a number of keys", most, 1, MOST_DUE)


def check_name(what: str, name: str) -> None:
    """Raise ValueError for text that cannot be a name. `what`: the noun for it, with its article."""
    try:
        size = len(name.encode())
    except UnicodeError as problem:
        raise ValueError(f"this cannot be stored: {problem}") from problem
    if not 0 < size <= NAME_BYTES:
        raise ValueError(f"{what} has 1 to {NAME_BYTES} bytes, this one {size}")


def _check_bytes(what: str, data: bytes, most: int) -> None:
    if not isinstance(data, bytes):
        raise ValueError(f"this cannot be stored: {what} is of bytes, not {type(data).__name__}")
    if len(data) > most:
        raise ValueError(f"{what} has {most} bytes at most, this one {len(data)}")


def _check_number(what: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise ValueError(f"{what} is {least} to {most}, not {number}")
