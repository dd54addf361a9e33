"""Acts of people in an evening at tables before the start."""

from __future__ import annotations

from tests.support.lobby_evening.common_acts import answer_notice, go_back, open_table, seated
from tests.support.lobby_evening.evening import Evening


async def open_a_table_and_join_it(four: Evening) -> None:
    await four.write(four.ann, "Name of the table", " of three", enters=False)
    await open_table(four, four.ann, seats=3)
    await four.take(four.ben, "Join Ann's table of three")
    await seated(four, four.ben)


async def find_tables_by_words_and_filters(four: Evening) -> None:
    await four.write(four.cid, "Name of a table or of a player", "nothing of the kind")
    await four.until(lambda: not four.cid.sees("Join Ann's table of three"))
    for label in ("Which tables", "Game", "Seats", "Free seats", "Clock", "Rating", "Language"):
        await four.take(four.cid, label if label == "Which tables" else f"{label} filter")
    await four.take(four.cid, "All tables")
    await four.until(lambda: four.cid.can("Join Ann's table of three"))


async def move_to_an_open_seat(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "About seat 3", "Move here")
    await four.told(four.ben, lambda table: table.seat == 2)


async def change_places_by_agreement(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "About seat 1", "Ask Ann to change places")
    await four.told(four.ann, lambda table: table.seats[2].swap_with == 0)
    await four.take(four.ann, "About seat 3", "Change places with Ben")
    await four.told(four.ben, lambda table: table.seat == 0)


async def exchange_lock_and_open_seats_as_the_owner(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "About seat 1", "Exchange with seat 3")
    await four.told(four.ann, lambda table: table.seat == 0)
    await four.take(four.ann, "About seat 2", "Lock this seat")
    await four.told(four.ann, lambda table: table.seats[1].locked)
    await four.take(four.ann, "About seat 2", "Open to all")
    await four.told(four.ann, lambda table: not table.seats[1].locked)


async def leave_a_table_and_come_back_to_a_seat_that_is_kept(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "Leave table")
    await four.told(four.ann, lambda table: not table.seats[2].who)
    await four.take(four.ann, "About seat 3", "Keep for Ben")
    await answer_notice(four, four.ben, "Sit down")
    await four.told(four.ben, lambda table: table.seat == 2)


async def keep_a_seat_by_name_and_refuse_it(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "Leave table")
    await four.told(four.ann, lambda table: not table.seats[2].who)
    await four.take(four.ann, "About seat 3")
    await four.write(four.ann, "Name of a person", "Ben")
    await four.take(four.ben, "Not now")
    await four.until(lambda: not four.ben.can("Not now"))
    await four.take(four.ben, "Sit down at Ann's table of three")
    await seated(four, four.ben)


async def set_a_date_promise_and_withdraw(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ann, "Date", "A day later", "Set this date")
    await four.told(four.ben, lambda table: table.begins)
    await four.take(four.ben, "Withdraw")
    await four.told(four.ann, lambda table: not table.seats[2].who)
    await four.take(four.ann, "Date", "No date")
    await four.told(four.ann, lambda table: not table.begins)


async def change_options_of_a_table(four: Evening) -> None:
    await go_back(four, four.ann)
    for label in ("Staying power", "Private", "Private", "Rated", "Rated"):
        before = four.ann.table
        await four.take(four.ann, label)
        await four.until(lambda: four.ann.table != before)  # noqa: B023 - waited for at once


async def let_players_read_spectators(four: Evening) -> None:
    await _change_spectators_words(four, heard=True)


async def keep_the_words_of_spectators_from_players(four: Evening) -> None:
    await _change_spectators_words(four, heard=False)


async def _change_spectators_words(four: Evening, *, heard: bool) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "Spectators' words")
    await four.told(four.ann, lambda table: table.watchers_heard == heard)


async def keep_a_set_up_and_take_it(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "Set-ups")
    await four.write(four.ann, "Name to keep it by", "Friday")
    await four.take(four.ann, "Close")
    rated = four.ann.view.rated
    await four.take(four.ann, "Rated")
    await four.told(four.ann, lambda table: table.rated != rated)
    await four.take(four.ann, "Set-ups", "Set up as Friday")
    await four.told(four.ann, lambda table: table.rated == rated)


async def guard_a_table_by_a_password_and_come_by_it(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "Password")
    await four.write(four.ann, "A password for those who come", "hare")
    await four.told(four.ann, lambda table: table.guarded)
    await four.take(four.dora, "Join Ann's table of three")
    await four.write(four.dora, "Password of the table", "hare")
    await seated(four, four.dora)
    await four.take(four.dora, "Leave table")
    await four.take(four.ann, "Password", "No password")
    await four.told(four.ann, lambda table: not table.guarded)


async def copy_links_and_come_by_a_new_code(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "Copy the link", "Copy the command")
    assert [words.partition(":")[0].partition(" ")[0] for words in four.ann.copied] == ["eschaton", "eschaton"]
    before = four.ann.view.code
    await four.take(four.ann, "New code", "Make it")
    await four.told(four.ann, lambda table: table.code != before)
    await four.write(four.cid, "Code", four.ann.view.code, enters=False)
    await four.take(four.cid, "Join by code")
    await seated(four, four.cid)
    await four.write(four.dora, "Code", four.ann.view.code, enters=False)
    await four.take(four.dora, "Watch by code")
    await four.told(four.dora, lambda table: table.seat < 0)


async def remove_somebody_and_fill_with_bots(four: Evening) -> None:
    await go_back(four, four.ann)
    number = four.cid.view.seat + 1
    await four.take(four.ann, f"Remove seat {number}", "Remove them")
    await four.until(lambda: four.cid.table is None)
    await four.take(four.ann, f"Add random bot to seat {number}")
    await four.told(four.ann, lambda table: table.seats[number - 1].bot)
    await four.take(four.ann, f"Remove seat {number}")
    await four.told(four.ann, lambda table: not table.seats[number - 1].bot)
    await four.take(four.ann, "Fill with bots")
    await four.told(four.ann, lambda table: all(seat.bot for seat in table.seats if seat.seat))


async def leave_a_table_of_ones_own(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "Leave table", "Leave it")
    await four.until(lambda: four.ann.table is None)
