"""The terms on which people take a seat at a table: staying power, and at a ranked one a name that they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.results.career import STAYING_LEAST
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.accounts.identities import Identities
    from server.lobby.table.table_record import TableRecord
    from server.results.result_book import ResultBook


async def check_player(identities: Identities, book: ResultBook, table: TableRecord, who: str) -> None:
    """Raise Refused where this person may not sit here; StoreError."""
    await check_named(identities, table, who)
    await _check_staying(book, table, who)


async def check_named(identities: Identities, table: TableRecord, *people: str) -> None:
    """Raise Refused where the table is ranked and one of these people keeps no name; StoreError."""
    if table.ranked:
        await check_names_kept(identities, *people)


async def check_names_kept(identities: Identities, *people: str) -> None:
    """Raise Refused where one of these people keeps no name; StoreError."""
    for who in people:
        account = await identities.find(who)
        if account is None or not account.password:
            name = account.name if account is not None else ""
            raise Refused("table/ranked-name", name=name)


async def _check_staying(book: ResultBook, table: TableRecord, who: str) -> None:
    """Raise Refused where this person leaves more matches than whoever sits here may; StoreError. One with few matches
    has not shown yet what they do."""
    career = await book.career_of(who) if table.staying else None
    if career is not None and len(career.stayed) >= STAYING_LEAST and career.staying < table.staying:
        begun, stayed = len(career.stayed), sum(career.stayed)
        raise Refused("table/staying", needs=table.staying, begun=begun, stayed=stayed)
