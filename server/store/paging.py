"""All records of a kind, read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final, Protocol

from server.store.port import PAGE_RECORDS, KeptRecord

_MIDDLE: Final = 5 * 10**15


class PagedStore(Protocol):
    """A store whose records can be read by pages; see Store.page."""

    async def page(self, kind: str, after: str | None = None, limit: int = PAGE_RECORDS) -> list[KeptRecord]: ...


async def each_record(
    store: PagedStore, kind: str, after: str | None = None, limit: int = PAGE_RECORDS
) -> AsyncIterator[KeptRecord]:
    """Yield all records of a kind behind the key `after`, in the order of their keys; one page of them, of `limit`, is
    in memory at a time.

    What is put or deleted meanwhile may be missing or not. Raises StoreError.
    """
    while True:
        found = await store.page(kind, after, limit)
        for record in found:
            yield record
        if len(found) < limit:
            return
        after = found[-1].key


async def each_beginning(
    store: PagedStore, kind: str, beginning: str, after: str | None = None, limit: int = PAGE_RECORDS
) -> AsyncIterator[KeptRecord]:
    """Yield the records of a kind whose keys begin so, in order; those behind the key `after`, which begins so too."""
    async for record in each_record(store, kind, beginning if after is None else after, limit):
        if not record.key.startswith(beginning):
            return
        yield record


def falling(number: int) -> str:
    """Return 16 digits that sort in the opposite order of numbers, so that the newest of a kind comes first."""
    return str(_MIDDLE - number)
