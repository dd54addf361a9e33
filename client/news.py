"""What has changed at the table between two views of it, in lines for the log. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator

from client.shown import LogLine
from protocol.from_server import SeatView, TableView

RESTS = {"paused": "The match is paused.", "adjourned": "The match is adjourned.", "": "The match goes on."}
OUTCOMES = {"pause": "pause", "resume": "go on", "adjourn": "adjourn", "end": "end the match", "bot": "let a bot play"}


def table_news(before: TableView, after: TableView) -> Iterator[LogLine]:
    """In the order in which things are told. Nothing of a table before its match."""
    if before.id != after.id or before.state != "live":
        return
    if before.vote is not None and after.vote is None and before.rest == after.rest and after.state == "live":
        asked = OUTCOMES.get(before.vote.what, before.vote.what)
        taken = before.vote.what == "bot" and bool(after.seats[before.vote.seat].bot)
        if not taken:
            yield LogLine(f"The vote to {asked} has not been carried.")
    if before.rest != after.rest and after.state == "live":
        yield LogLine(RESTS.get(after.rest, after.rest))
    for old, new in zip(before.seats, after.seats, strict=False):
        yield from _seat_news(old, new)
    if before.owner != after.owner and after.owner:
        name = next((seat.name for seat in after.seats if seat.who == after.owner), "")
        yield LogLine(f"{name} owns the table now.")


def _seat_news(old: SeatView, new: SeatView) -> Iterator[LogLine]:
    if old.who != new.who:
        words = f"{new.name} plays on for a bot." if new.who else f"{old.name} has given up; a bot plays on."
        yield LogLine(words, seat=new.seat)
    elif new.who and bool(old.bot) != bool(new.bot):
        words = f"A bot plays for {new.name}." if new.bot else f"{new.name} is back and plays."
        yield LogLine(words, seat=new.seat)
    elif new.who and old.connected != new.connected:
        words = f"{new.name} is connected again." if new.connected else f"The link to {new.name} is lost."
        yield LogLine(words, seat=new.seat)
