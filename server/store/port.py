"""The store port: the operations that the server needs of any store, and the guarantees that every store gives.

One suite, tests/support/doubles/store_contract.py, holds every adapter to these docstrings.
"""

import secrets
from collections.abc import Awaitable, Iterable
from typing import Final, NamedTuple, Protocol

import msgspec

from protocol.errors import DamageError, EschatonError
from protocol.ids import MatchId

CAUSE_BYTES = 16
NONCE_BYTES: Final = 8


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
    """A document of the lobby: table, account, token, chat line. The store never looks inside."""

    kind: str
    key: str
    data: bytes


class StoreError(EschatonError):
    """A failure of the store to do what it was asked. Its text is a plain sentence for the host."""


class StoreUnavailable(StoreError):
    """A store that is busy, closed, or whose disk refuses: the operation did nothing, and may be tried again.

    One exception: if syncing itself fails and the process dies before the store writes again, the operation may be
    found done after the restart. It was never acknowledged; its cause tells.
    """


class StoreInUse(StoreUnavailable):
    """A store that another server has open."""


class StoreDamaged(StoreError, DamageError):
    """Stored bytes that cannot be read as this store's data. Trying again will not help."""


class Store(Protocol):
    """Logs of matches, sealed answers, snapshots and lobby records.

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

    async def put_records(self, records: Iterable[StoredRecord]) -> None:
        """Put all records or none. The last of the same kind and key wins."""
        ...

    async def get_record(self, kind: str, key: str) -> bytes | None:
        """Return the data of a record; None where there is none."""
        ...

    async def records(self, kind: str) -> dict[str, bytes]:
        """Return all records of a kind, by key, in the order of the keys' code points."""
        ...

    async def kinds(self) -> list[str]:
        """Return the kinds of which there are records, in the order of their code points."""
        ...

    async def delete_record(self, kind: str, key: str) -> None:
        """Delete a record, if it is there."""
        ...

    async def in_doubt(self) -> None:
        """Return when acknowledged writes may be gone: the store has come back after a crash, and its loss had been
        accepted.

        Never returns where every acknowledged write is durable.
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
