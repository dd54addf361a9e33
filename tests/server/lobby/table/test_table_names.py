"""Names of tables: one that says only whose a table is goes with its owner's name, and so with their account."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.text.phrases import phrase
from protocol.ids import MatchId, TableId
from protocol.wire import from_client as say
from protocol.wire.results import Results
from server.accounts.display_names import DELETED, UNNAMED, holds_one_of, own_table_name
from server.lobby.table.table_names import name_to_keep, title_of, without_name
from server.lobby.table.table_record import FINISHED, LIVE, SeatRecord, TableRecord
from server.results.match_result import MatchResult
from server.results.result_book import RESULTS
from server.store.record_form import read_record
from tests.server.lobby.commands.test_deleted_accounts import deletes, everything
from tests.support.clients.wire import rest_to_the_end, running, two_players

SEATS = (SeatRecord("a", "Xanthippe"), SeatRecord("b", "Zebedee"))
TABLE = TableRecord(TableId("t1"), "CODE", "", "duel", "two", "a", SEATS, 0, 0)


def test_programs_propose_the_name_that_goes_with_the_owner() -> None:
    assert phrase("new_table.own", name="Ann") == own_table_name("Ann")
    assert name_to_keep(phrase("new_table.own", name="Ann"), "Ann", 40) == ""
    assert name_to_keep(phrase("new_table.own", name="Ann"), "Ben", 40) == "Ann's table"
    assert name_to_keep("Friday", "Ann", 40) == "Friday"
    assert name_to_keep("\u202e", "Ann", 40) == ""
    assert name_to_keep("\u202e", "Ann", 40, "Friday") == "Friday"


def test_a_table_without_a_name_bears_that_of_whoever_owns_it() -> None:
    assert title_of(TABLE) == "Xanthippe's table"
    assert title_of(replace(TABLE, owner="b")) == "Zebedee's table"
    assert title_of(replace(TABLE, owner="")) == UNNAMED
    assert title_of(replace(TABLE, owner="gone")) == UNNAMED
    assert title_of(replace(TABLE, name="Friday")) == "Friday"


@pytest.mark.parametrize("state", [LIVE, FINISHED])
def test_the_name_of_a_deleted_owner_goes_from_the_tables_own(state: str) -> None:
    named = replace(TABLE, name="xanthippe & friends", state=state, line_up=("a", "b"))
    after = without_name(named, "a", "alias")
    assert title_of(after) == UNNAMED
    assert [seat.name for seat in after.seats] == [DELETED, "Zebedee"]
    assert after.line_up == (("a", "b") if state == FINISHED else ("alias", "b"))
    assert without_name(named, "b", "alias").name == named.name
    assert without_name(replace(named, name="Former's table"), "a", "alias", ["Former"]).name == ""


@pytest.mark.parametrize(
    ("words", "names", "holds"),
    [
        ("Ann's table", ["Ann"], True),
        ("with ANN", ["Ben", "Ann"], True),
        ("Cannon fodder", ["Ann"], False),
        ("Anna", ["Ann"], False),
        ("C++ club", ["C++"], True),
        ("a (b", ["(b"], True),
        ("deleted player", [DELETED], False),
        ("Friday", ["", "Ann"], False),
    ],
)
def test_a_name_is_found_whole(words: str, names: list[str], holds: bool) -> None:
    assert holds_one_of(words, names) is holds


@pytest.mark.waits
async def test_nothing_of_a_deleted_owner_is_left_in_the_name_of_a_table_or_a_result(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, names=("Xanthippe", "Zebedee"), name="Xanthippe's table")
        assert ben.talk.table is not None
        assert ben.talk.table.name == "Xanthippe's table"
        await rest_to_the_end(ann, ben)
        await ben.say(say.GetResults())
        assert [row.name for row in (await ben.hear(Results)).results] == ["Xanthippe's table"]
        await ann.say(say.Rename(name="Cleopatra"))
        await ann.pinged()
        await ben.say(say.GetResults())
        assert [row.name for row in (await ben.hear(Results)).results] == ["Cleopatra's table"]
        await deletes(run, ann)
        left = await everything(run.server.store)
        assert not [name for name in ("Xanthippe", "Cleopatra") if name in left]
        await ben.say(say.GetResults())
        assert [row.name for row in (await ben.hear(Results)).results] == [UNNAMED]


@pytest.mark.waits
async def test_a_result_of_before_loses_the_names_of_those_who_came_for_a_bot(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, names=("Xanthippe", "Zebedee"))
        await rest_to_the_end(ann, ben)
        assert ann.talk.table is not None
        match, store = MatchId(ann.talk.table.id), run.server.store
        found = await store.find_record(RESULTS, match)
        assert found is not None
        result = read_record(RESULTS, match, found.data, MatchResult)
        # as servers of before kept it: with the names of those who held the seats in the end
        players = tuple(
            replace(player, name=name) for player, name in zip(result.players, ("", "Zebedee"), strict=True)
        )
        await run.server.lobby.book._amend(match, lambda _: replace(result, players=players, table="Zebedee's"))
        await run.server.lobby.book.strike(match, [1], lambda words: holds_one_of(words, ["Zebedee"]))
        assert "Zebedee" not in repr(await store.find_record(RESULTS, match))
