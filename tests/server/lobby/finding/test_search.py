"""A page put together from its changes is the page that a look at every table gives."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire.codec import decode_message
from protocol.wire.found_tables import FoundTables
from protocol.wire.from_client import FindTables
from protocol.wire.table_lists import Counts, Found, FoundChange, TableRow
from server.lobby.directory import MemoryTableDirectory
from server.lobby.finding.page import ROWS, Page
from server.lobby.finding.query import EVERYTHING, Query, free_seats
from server.lobby.finding.search import Search
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, STATE_ORDER, SeatRecord, TableRecord
from server.lobby.table.views import table_row

SINCE = 30
QUERIES = (
    Query(),
    Query(state=OPEN, free=2),
    Query(state=LIVE, free=1),
    Query(system="hill", seats=2),
    Query(rated=True, mail=False),
    Query(words=("ann", "moon")),
    Query(language="de"),
    Query(state=FINISHED),
)


def some_table(dice: random.Random, number: int) -> TableRecord:
    free = SeatRecord()
    seats = [dice.choice([free, SeatRecord("a", "Ann"), SeatRecord("b", "Ben"), SeatRecord("", "Bot", bot="level1")])]
    seats += [free] * dice.randrange(1, 4)
    return TableRecord(
        id=TableId(f"t{number}"),
        code=f"C{number}",
        name=dice.choice(["New moon", "Old Moon", "Mill"]),
        system=dice.choice(["duel", "hill"]),
        scenario="field",
        owner="",
        seats=tuple(seats),
        created=0,
        changed=dice.randrange(100),
        private=dice.random() < 0.2,
        state=dice.choice([OPEN, OPEN, LIVE, FINISHED]),
        mail=dice.random() < 0.5,
        late=dice.random() < 0.5,
        rated=dice.random() < 0.5,
        language=dice.choice(["en", "de"]),
    )


class World:
    """Tables in a directory that change at random."""

    def __init__(self, seed: int, count: int) -> None:
        self.dice = random.Random(seed)
        self.directory = MemoryTableDirectory(lambda table: None)
        self.tables: dict[TableId, TableRecord] = {}
        self.number = 0
        for _ in range(count):
            self.open()
        self.directory.changes()

    def open(self) -> None:
        self.number += 1
        self.put(some_table(self.dice, self.number))

    def put(self, table: TableRecord) -> None:
        self.tables[table.id] = table
        self.directory.put(table)

    def change(self) -> None:
        known = self.dice.choice(list(self.tables.values()))
        match self.dice.randrange(4):
            case 0:
                self.open()
            case 1:
                self.directory.remove(known.id)
                del self.tables[known.id]
            case 2:
                self.put(replace(some_table(self.dice, 0), id=known.id, code=known.code))
            case _:
                self.put(replace(known, name="Another", changed=min(known.changed + 1, 99)))

    def plain(self, query: Query) -> list[TableRow]:
        """Look at every table: the rows of a query, in order."""
        shown = [t for t in self.tables.values() if not t.private and query.passes(t)]
        shown = [t for t in shown if t.state != FINISHED or t.changed >= SINCE]
        shown.sort(key=lambda t: (STATE_ORDER[t.state], -t.changed, t.id))
        return [table_row(table, "nobody", None, ()) for table in shown]


def take(found: FoundTables, data: bytes) -> None:
    message = decode_message(data, Limits())
    assert isinstance(message, Found | FoundChange)
    found.take(message)


@pytest.mark.parametrize("query", QUERIES, ids=str)
@pytest.mark.parametrize("first", [0, ROWS])
async def test_a_page_put_together_from_its_changes_is_that_of_a_look_at_every_table(query: Query, first: int) -> None:
    world = World(seed=4, count=220)
    search = Search(query, world.directory)
    await search.begin(SINCE)
    page, found, version = Page(search, first, world.directory), FoundTables(), 0
    take(found, page.whole)
    for round in range(40):
        for _ in range(world.dice.randrange(6)):
            world.change()
        changes = world.directory.changes()
        if round % 5 == 4:
            # a table may change again while what has changed is told
            world.change()
        search.update(changes)
        search.trim(SINCE)
        page.refresh(changes)
        if round % 5 == 4:
            continue
        if page.version == version + 1:
            take(found, page.change)
        elif page.version != version:
            take(found, page.whole)
        version = page.version
        rows = world.plain(query)
        assert list(found.page) == rows[first : first + ROWS]
        states = [row.state for row in rows]
        assert found.counts == Counts(*[states.count(state) for state in (LIVE, OPEN, FINISHED)])


async def test_what_does_not_concern_a_page_is_no_new_version_of_it() -> None:
    world = World(seed=5, count=40)
    search = Search(Query(system="hill"), world.directory)
    await search.begin(SINCE)
    page = Page(search, 0, world.directory)
    version = page.version
    other = next(table for table in world.tables.values() if table.system == "duel")
    world.put(replace(other, name="Another"))
    changes = world.directory.changes()
    assert list(changes) == [other.id]
    search.update(changes)
    page.refresh(changes)
    assert page.version == version


def test_the_same_filters_are_one_query_however_they_were_written() -> None:
    assert Query.of(FindTables()) == EVERYTHING
    assert Query.of(FindTables(words=" Moon  ann ", first=50)) == Query.of(FindTables(words="ANN moon moon"))
    assert Query.of(FindTables(words="moon", mail=False)) != Query.of(FindTables(words="moon"))


def test_free_seats_are_nobodys_before_the_start_and_those_of_bots_in_a_match_that_lets_late_players_in() -> None:
    seats = (SeatRecord("a", "Ann"), SeatRecord(), SeatRecord(bot="level1"), SeatRecord("b", "Ben", bot="level1"))
    table = replace(some_table(random.Random(1), 1), seats=seats, late=True)
    assert [free_seats(replace(table, state=state)) for state in (OPEN, LIVE, FINISHED)] == [1, 1, 0]
    assert free_seats(replace(table, state=LIVE, late=False)) == 0
