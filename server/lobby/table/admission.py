"""People who may come to a table without a code, those who may not, and those who have looked further: functions from
one record to the next."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from server.lobby.table.table_record import TableRecord, must_own
from server.runtime.refusals import Refused


def look_further(table: TableRecord, who: str, most: int) -> TableRecord:
    """Note that this spectator is about to see more than is public: no seat of this match is for them any more. Raises
    Refused where `most` have done so already: none of them may be forgotten."""
    if who in table.looked:
        return table
    if len(table.looked) >= most:
        raise Refused("watch/full")
    return replace(table, looked=(*table.looked, who))


def admit(table: TableRecord, who: str, most: int) -> TableRecord:
    """Let this person in without a code; of those the newest `most` are remembered."""
    return replace(table, admitted=newest(table.admitted, who, most))


def ban(table: TableRecord, who: str, most: int) -> TableRecord:
    """Let this person come back no more, until the owner keeps a seat for them; of those the newest `most` are
    remembered."""
    return replace(table, banned=newest(table.banned, who, most))


def remove_for_good(table: TableRecord, who: str, most: int) -> TableRecord:
    """Let this person come back no more, whatever the owner wishes; of those the newest `most` are remembered."""
    return replace(table, removed=newest(table.removed, who, most))


def bar(table: TableRecord, marks: Iterable[str], most: int) -> TableRecord:
    """Let nobody new in from the addresses with these marks; of them the newest `most` are remembered."""
    for mark in marks:
        table = replace(table, barred=newest(table.barred, mark, most))
    return table


def check_barred(table: TableRecord, who: str, marks: Iterable[str]) -> None:
    """Raise Refused where this person comes from an address, with these marks, from which somebody was removed, and was
    not let in before."""
    if not set(table.barred).isdisjoint(marks) and who not in (table.owner, *table.let_in):
        raise Refused("table/removed-address")


def newest(people: tuple[str, ...], who: str, most: int) -> tuple[str, ...]:
    """Return these with another one at the end, the newest `most` of them."""
    return (*(other for other in people if other != who), who)[-most:]


def remove_watcher(table: TableRecord, who: str, watcher: str) -> TableRecord:
    """Send a spectator away, as the owner asks."""
    must_own(table, who)
    return not_admitted(table, watcher)


def not_admitted(table: TableRecord, who: str) -> TableRecord:
    """Let a person in no more without a code."""
    return replace(table, admitted=tuple(other for other in table.admitted if other != who))
