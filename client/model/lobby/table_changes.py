"""Changes of a table between two views of it, as lines for the log. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator

from client.model.table.view_model import LogLine
from client.text.phrases import named, phrase
from protocol.wire.from_server import SeatView, TableView


def table_changes(before: TableView | None, after: TableView) -> Iterator[LogLine]:
    """Yield a log line for each change, in the order of telling.

    On arrival at a match the only line says who may see everything, late. A table before its match has no lines.
    """
    if before is None or before.id != after.id or before.state != "live":
        if after.state == "live" and after.delayed_view:
            yield LogLine(phrase("news.delayed_view"))
        return
    is_as_before = (before.rest, before.parked) == (after.rest, after.parked)
    if before.vote is not None and after.vote is None and is_as_before and after.state == "live":
        taken = before.vote.what == "bot" and bool(after.seats[before.vote.seat].bot)
        if not taken:
            yield LogLine(phrase("news.vote_lost", what=named("news.vote", before.vote.what)))
    if before.rest != after.rest and after.state == "live":
        yield LogLine(named("news.rest", after.rest) if after.rest else phrase("news.goes_on"))
    if before.parked != after.parked and after.state == "live":
        yield LogLine(named("notice.parked", after.parked) if after.parked else phrase("news.goes_on"))
    for old, new in zip(before.seats, after.seats, strict=False):
        yield from _seat_news(old, new)
    if before.owner != after.owner and after.owner:
        name = next((seat.name for seat in after.seats if seat.who == after.owner), "")
        yield LogLine(phrase("news.owner", name=name))


def _seat_news(old: SeatView, new: SeatView) -> Iterator[LogLine]:
    if old.who != new.who:
        words = phrase("news.joined", name=new.name) if new.who else phrase("news.given_up", name=old.name)
        yield LogLine(words, seat=new.seat)
    elif new.who and bool(old.bot) != bool(new.bot):
        words = phrase("news.bot" if new.bot else "news.back", name=new.name)
        yield LogLine(words, seat=new.seat)
    elif new.who and old.connected != new.connected:
        words = phrase("news.connected" if new.connected else "news.lost", name=new.name)
        yield LogLine(words, seat=new.seat)
