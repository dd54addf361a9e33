"""The seats of a rematch: people a seat further, sides whole, bots and what belongs to each."""

from __future__ import annotations

from protocol.ids import TableId
from protocol.text import text
from server.accounts.display_names import DELETED
from server.lobby.table.next_seats import next_seats, rotation
from server.lobby.table.table_record import FINISHED, ListRecord, SeatRecord, TableRecord

ARMY = ListRecord("IM1", text("army"), 100)


def table(*seats: SeatRecord, banned: tuple[str, ...] = ()) -> TableRecord:
    return TableRecord(TableId("t"), "C", "T", "duel", "x", "a", seats, 0, 0, state=FINISHED, banned=banned)


def test_seats_turn_by_one_and_sides_change_places_whole() -> None:
    assert rotation((), 3) == [1, 2, 0]
    assert rotation((0, 0, 1, 1), 4) == [2, 3, 0, 1]
    assert rotation((0, 1, 0, 1), 4) == [1, 0, 3, 2]
    assert rotation((0, 1, 1), 3) == [1, 2, 0]


def test_factions_stay_with_seats_and_seats_are_kept_for_the_others() -> None:
    old = table(
        SeatRecord("a", "Ann", "red", ready=True),
        SeatRecord("", "Ben", "blue", bot="level1", former="b"),
        SeatRecord("", "Bot", "green", bot="level2", seed=7),
    )
    bot, ann, ben = next_seats(old, (), "a", has_lists=False)
    assert (ann.who, ann.faction, ann.ready) == ("a", "blue", False)
    assert (ben.free, ben.kept_for, ben.name, ben.faction) == (True, "b", "Ben", "green")
    assert (bot.bot, bot.faction, bot.ready) == ("level2", "red", True)


def test_army_lists_go_with_their_people() -> None:
    old = table(SeatRecord("a", "Ann", "red", army=ARMY), SeatRecord("b", "Ben", "blue"))
    ben, ann = next_seats(old, (), "a", has_lists=True)
    assert (ann.faction, ann.army) == ("red", ARMY)
    assert (ben.kept_for, ben.faction, ben.army) == ("b", "blue", None)


def test_nobody_is_asked_who_was_removed_or_is_deleted() -> None:
    old = table(SeatRecord("a", "Ann"), SeatRecord("b", "Ben"), SeatRecord("c", DELETED), banned=("b",))
    gone, ann, removed = next_seats(old, (), "a", has_lists=False)
    assert ann.who == "a"
    assert gone == removed == SeatRecord()
