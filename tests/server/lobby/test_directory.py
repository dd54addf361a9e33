"""The directory finds tables by code, and its rows for many viewers are those that each would get alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire.codec import decode_message
from protocol.wire.table_lists import Lobby, TableRow
from server.lobby.directory import MOST_SEEN, ROWS, MemoryTableDirectory
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, SeatRecord, TableRecord
from server.lobby.table.views import is_old, may_see, table_row

PEOPLE = [f"p{n}" for n in range(12)]
ORDER = {LIVE: 0, OPEN: 1, FINISHED: 2}


@dataclass
class Entry:
    """A table with what the directory is told of it."""

    record: TableRecord
    waiting: tuple[int, ...]

    def put_into(self, directory: MemoryTableDirectory) -> None:
        directory.put(self.record)
        directory.wait_for(self.record.id, self.waiting)


def some_table(dice: random.Random, number: int) -> Entry:
    people = dice.sample(PEOPLE, dice.randrange(4))
    record = TableRecord(
        id=TableId(f"t{number}"),
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
        removed=tuple(dice.sample(PEOPLE, dice.randrange(2))),
    )
    return Entry(record, some_seats(dice, record))


def some_seats(dice: random.Random, record: TableRecord) -> tuple[int, ...]:
    """Live matches alone wait for somebody."""
    return tuple(range(dice.randrange(3))) if record.state == LIVE else ()


def plain_rows(tables: Sequence[Entry], who: str, since: int) -> tuple[TableRow, ...]:
    """Return the rows of a viewer, every table looked at: the directory must give the same."""
    seen = [t for t in tables if may_see(t.record, who) and not is_old(t.record, who, since)]
    rows = [table_row(t.record, who, None, t.waiting) for t in seen]
    rows.sort(key=lambda row: (not row.turn, not row.mine, ORDER[row.state], -row.when, row.id))
    return tuple(rows[:ROWS])


def test_a_directory_shows_everyone_what_he_may_see_and_no_more() -> None:
    dice = random.Random(6)
    for count in (0, 1, 40, 250):
        tables = [some_table(dice, number) for number in range(count)]
        directory = directory_of(tables)
        for who in (*PEOPLE, "stranger"):
            assert directory.rows(who, 30) == plain_rows(tables, who, 30)
            assert told(directory, who, 30) == plain_rows(tables, who, 30)


def told(directory: MemoryTableDirectory, who: str, since: int) -> tuple[TableRow, ...]:
    """Decode the list that the directory gives this person."""
    message = decode_message(directory.listed(who, since), Limits())
    assert isinstance(message, Lobby)
    return message.tables


def test_all_who_have_no_table_are_told_the_same_bytes_until_something_changes() -> None:
    dice = random.Random(8)
    tables = [some_table(dice, number) for number in range(150)]
    directory = directory_of(tables)
    first = directory.listed("stranger", 30)
    assert directory.listed("another", 31) is first
    live = next(table for table in tables if table.record.state == LIVE and not table.record.private)
    live.waiting = (0, 1)
    live.put_into(directory)
    assert directory.listed("stranger", 30) is not first
    assert told(directory, "stranger", 90) == plain_rows(tables, "stranger", 90)
    directory.remove(tables[3].record.id)
    assert told(directory, "stranger", 90) == plain_rows([*tables[:3], *tables[4:]], "stranger", 90)


def directory_of(tables: Sequence[Entry]) -> MemoryTableDirectory:
    directory = MemoryTableDirectory(lambda table: None)
    for table in tables:
        table.put_into(directory)
    return directory


def test_an_invite_code_leads_to_its_table_until_it_is_another_one() -> None:
    [table] = [some_table(random.Random(9), 0)]
    directory = directory_of([table])
    assert directory.by_code("C0") == "t0"
    directory.put(replace(table.record, code="NEW"))
    assert (directory.by_code("C0"), directory.by_code("NEW")) == (None, "t0")
    directory.remove(TableId("t0"))
    assert directory.by_code("NEW") is None


def test_a_directory_is_kept_up_as_tables_change_come_and_go() -> None:
    dice = random.Random(7)
    tables = [some_table(dice, number) for number in range(30)]
    directory = directory_of(tables)
    for round in range(60):
        table = tables[dice.randrange(len(tables))]
        what = dice.randrange(4)
        if what == 0:
            fresh = some_table(dice, int(table.record.id[1:]))
            table.record, table.waiting = fresh.record, fresh.waiting
            table.put_into(directory)
        elif what == 1:
            table.waiting = some_seats(dice, table.record)
            directory.wait_for(table.record.id, table.waiting)
        elif what == 2:
            tables.remove(table)
            directory.remove(table.record.id)
        else:
            tables.append(some_table(dice, 100 + round))
            tables[-1].put_into(directory)
        for who in dice.sample([*PEOPLE, "stranger"], 4):
            assert directory.rows(who, 30) == plain_rows(tables, who, 30)
            assert told(directory, who, 30) == plain_rows(tables, who, 30)


def test_finished_tables_leave_the_list_that_changes_go_through() -> None:
    dice = random.Random(8)
    tables = [some_table(dice, number) for number in range(300)]
    directory = directory_of(tables)
    public = [one.record for one in tables if not one.record.private]
    live = [record.id for record in public if record.state != FINISHED]
    assert sorted(place[2] for place in directory._public) == sorted(live) != sorted(record.id for record in public)
    for entry in tables:
        entry.record, entry.waiting = replace(entry.record, state=FINISHED), ()
        entry.put_into(directory)
    assert not directory._public
    for who in (*PEOPLE, "nobody"):
        assert directory.rows(who, 0) == plain_rows(tables, who, 0)
    assert 0 < len(directory._seen) <= MOST_SEEN < len(tables)
