"""The lobby's rows for many viewers are those that each would get alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.core.rules.system import ScenarioInfo
from protocol.limits import Limits
from protocol.wire.codec import decode_message
from protocol.wire.from_server import Lobby, TableRow
from server.lobby.listing import ROWS, Listing
from server.lobby.table.tables import FINISHED, LIVE, OPEN, SeatRecord, TableRecord
from server.lobby.table.views import is_old, may_see, table_row

PEOPLE = [f"p{n}" for n in range(12)]
ORDER = {LIVE: 0, OPEN: 1, FINISHED: 2}


@dataclass
class Entry:
    """A table with what the lobby asks of it."""

    record: TableRecord
    waiting: Sequence[int]
    scenario: ScenarioInfo | None = None


def some_table(dice: random.Random, number: int) -> Entry:
    people = dice.sample(PEOPLE, dice.randrange(4))
    record = TableRecord(
        id=f"t{number}",
        code=f"C{number}",
        name="Table",
        system="duel",
        scenario="field",
        owner=people[0] if people else "",
        seats=(*[SeatRecord(who=who, name=who) for who in people], SeatRecord()),
        created=0,
        changed=dice.randrange(100),
        private=dice.random() < 0.5,
        state=dice.choice([OPEN, LIVE, FINISHED]),
        admitted=tuple(dice.sample(PEOPLE, 2)),
        banned=tuple(dice.sample(PEOPLE, dice.randrange(2))),
    )
    return Entry(record, tuple(range(dice.randrange(3))))


def plain_rows(tables: Sequence[Entry], who: str, since: int) -> tuple[TableRow, ...]:
    """One viewer after another, every table looked at: what a listing must equal."""
    seen = [t for t in tables if may_see(t.record, who) and not is_old(t.record, who, since)]
    rows = [table_row(t.record, who, t.scenario, t.waiting) for t in seen]
    rows.sort(key=lambda row: (not row.turn, not row.mine, ORDER[row.state], -row.when, row.id))
    return tuple(rows[:ROWS])


def test_a_listing_shows_everyone_what_he_may_see_and_no_more() -> None:
    dice = random.Random(6)
    for count in (0, 1, 40, 250):
        tables = [some_table(dice, number) for number in range(count)]
        listing = listing_of(tables)
        for who in (*PEOPLE, "stranger"):
            assert listing.rows(who, 30) == plain_rows(tables, who, 30)
            assert told(listing, who, 30) == plain_rows(tables, who, 30)


def told(listing: Listing, who: str, since: int) -> tuple[TableRow, ...]:
    """What they are told, read again."""
    message = decode_message(listing.told(who, since), Limits())
    assert isinstance(message, Lobby)
    return message.tables


def test_all_who_have_no_table_are_told_the_same_bytes_until_something_changes() -> None:
    tables = [some_table(random.Random(8), number) for number in range(150)]
    listing = listing_of(tables)
    first = listing.told("stranger", 30)
    assert listing.told("another", 31) is first
    tables[0].waiting = (0, 1)
    listing.changed()
    assert listing.told("stranger", 30) is not first
    assert told(listing, "stranger", 90) == plain_rows(tables, "stranger", 90)
    listing.remove(tables[3].record.id)
    assert told(listing, "stranger", 90) == plain_rows([*tables[:3], *tables[4:]], "stranger", 90)


def listing_of(tables: Sequence[Entry]) -> Listing:
    listing = Listing()
    for table in tables:
        listing.put(table)
    return listing


def test_a_listing_is_kept_up_as_tables_change_come_and_go() -> None:
    dice = random.Random(7)
    tables = [some_table(dice, number) for number in range(30)]
    listing = listing_of(tables)
    for round in range(60):
        table = tables[dice.randrange(len(tables))]
        what = dice.randrange(4)
        if what == 0:
            table.record = some_table(dice, int(table.record.id[1:])).record
            listing.put(table)
        elif what == 1:
            table.waiting = tuple(range(dice.randrange(3)))
        elif what == 2:
            tables.remove(table)
            listing.remove(table.record.id)
        else:
            tables.append(some_table(dice, 100 + round))
            listing.put(tables[-1])
        listing.changed()
        for who in dice.sample([*PEOPLE, "stranger"], 4):
            assert listing.rows(who, 30) == plain_rows(tables, who, 30)
            assert told(listing, who, 30) == plain_rows(tables, who, 30)


def test_finished_tables_leave_the_list_that_changes_go_through() -> None:
    dice = random.Random(8)
    tables = [some_table(dice, number) for number in range(300)]
    listing = listing_of(tables)
    public = [one.record for one in tables if not one.record.private]
    live = [record.id for record in public if record.state != FINISHED]
    assert sorted(place[2] for place in listing._public) == sorted(live) != sorted(record.id for record in public)
    for entry in tables:
        entry.record = replace(entry.record, state=FINISHED)
        listing.put(entry)
    assert not listing._public
    assert listing.rows("nobody", 0) == plain_rows(tables, "nobody", 0)
