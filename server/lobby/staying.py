"""The staying power that a table may ask of whoever takes a seat there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.results.career import STAYING_LEAST
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.lobby.table.table_record import TableRecord
    from server.results.result_book import ResultBook


async def check_staying(book: ResultBook, table: TableRecord, who: str) -> None:
    """Raise Refused where this person leaves more matches than whoever sits here may; StoreError. One with few matches
    has not shown yet what they do."""
    career = await book.career_of(who) if table.staying else None
    if career is not None and len(career.stayed) >= STAYING_LEAST and career.staying < table.staying:
        begun, stayed = len(career.stayed), sum(career.stayed)
        raise Refused("table/staying", needs=table.staying, begun=begun, stayed=stayed)
