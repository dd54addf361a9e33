"""What the window offers in the lobby and around a match, in the order of an evening. Each feature begins with all four
in the lobby, and uses labels alone, so that it can be reached by mouse and by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from arcade import key as keys

from tests.support.lobby_evening.evening import Evening
from tests.support.lobby_evening.visitor import Visitor

Feature = Callable[[Evening], Awaitable[None]]
PASSWORD: Final = "three hares in a boat"
TALK: Final = "Say something in the lobby (Ctrl+T)"
FEATURES: Final[list[Feature]] = []
"""All of them, in their order."""


def feature(todo: Feature) -> Feature:
    """Add a feature."""
    FEATURES.append(todo)
    return todo


# Oneself


@feature
async def keep_a_name(four: Evening) -> None:
    for visitor in (four.ann, four.ben):
        await four.take(visitor, "Keep this name")
        await four.write(visitor, "New password, 8 characters at least", PASSWORD, enters=False)
        await four.write(visitor, "The same once more", PASSWORD)
        await four.until(lambda visitor=visitor: visitor.session.registered_name)  # type: ignore[misc]  # a default has no type


@feature
async def change_a_name(four: Evening) -> None:
    await four.take(four.cid, "My account")
    await four.write(four.cid, "Another name", "Cyd")
    await four.until(lambda: four.cid.session.own_name == "Cyd")


@feature
async def save_own_data(four: Evening) -> None:
    await four.take(four.ben, "My account", "Save my data")
    await four.until(lambda: list(four.folder.rglob("my-data/*.json")))


# Others


@feature
async def talk_in_the_lobby(four: Evening) -> None:
    await four.write(four.ben, TALK, "Good evening")
    await four.until(lambda: all(one.sees("Ben: Good evening") for one in (four.ann, four.cid, four.dora)))


@feature
async def ask_for_friendship_at_a_line_and_take_it_back(four: Evening) -> None:
    await four.take(four.ann, "Ben: Good evening", "Ask to be friends")
    await four.until(lambda: four.ben.session.people.waiting == 1)
    await four.take(four.ann, "Take the request back")
    await four.until(lambda: four.ann.can("Ask to be friends"))
    await four.until(lambda: four.ben.session.people.waiting == 0)


@feature
async def ask_for_friendship_by_name_and_accept(four: Evening) -> None:
    await four.take(four.ann, "People")
    await four.write(four.ann, "Name of a player", "Ben")
    await four.until(lambda: four.ben.session.people.waiting == 1)
    await four.take(four.ben, "People", "Accept: Ann")
    await four.take(four.ann, "Friends")
    await four.until(lambda: four.ann.sees("About Ben"))


@feature
async def hide_that_one_is_here(four: Evening) -> None:
    label = "Friends see that you are here"
    await four.take(four.ben, "People", label)
    await four.until(lambda: (page := four.ben.session.people.page) is not None and page.hidden)
    await four.take(four.ben, label)
    await four.until(lambda: (page := four.ben.session.people.page) is not None and not page.hidden)


@feature
async def mute_and_block(four: Evening) -> None:
    await four.write(four.cid, TALK, "Buy my dice")
    await four.take(four.ann, "Cyd: Buy my dice", "Mute", "Block", "Unblock", "Unmute")
    await four.until(lambda: four.ann.can("Mute"))
    await four.take(four.dora, "Cyd: Buy my dice", "Block")
    await four.until(lambda: four.dora.can("Unblock"))
    four.dora.back()
    await four.take(four.dora, "People", "Blocked", "Unblock: Cyd")
    await four.until(lambda: not four.dora.sees("Unblock: Cyd"))


@feature
async def report_a_line(four: Evening) -> None:
    await four.take(four.ben, "Cyd: Buy my dice", "Report to the host", "Spam", "Send the report")
    await four.until(lambda: four.ben.session.notice == "The host has your report.")


# Tables before the start


@feature
async def open_a_table_and_join_it(four: Evening) -> None:
    await four.write(four.ann, "Name of the table", " of three", enters=False)
    await open_table(four, four.ann, seats=3)
    await four.take(four.ben, "Join Ann's table of three")
    await seated(four, four.ben)


async def open_table(four: Evening, owner: Visitor, *, seats: int) -> None:
    """Let somebody open a table of so many seats."""
    await four.take(owner, "Create table")
    await four.told(owner, lambda table: table.state == "open" and owner.can("Scenario"))
    while owner.table is not None and len(owner.table.seats) != seats:
        before = owner.table.scenario
        await four.take(owner, "Scenario")
        await four.told(owner, lambda table: table.scenario != before)  # noqa: B023 - waited for at once


async def seated(four: Evening, visitor: Visitor) -> None:
    """Wait until somebody has a seat."""
    await four.told(visitor, lambda table: table.seat >= 0)


@feature
async def find_tables_by_words_and_filters(four: Evening) -> None:
    await four.write(four.cid, "Name of a table or of a player", "nothing of the kind")
    await four.until(lambda: not four.cid.sees("Join Ann's table of three"))
    for label in ("Which tables", "Game", "Seats", "Free seats", "Clock", "Rating", "Language"):
        await four.take(four.cid, label if label == "Which tables" else f"{label} filter")
    await four.take(four.cid, "All tables")
    await four.until(lambda: four.cid.can("Join Ann's table of three"))


@feature
async def move_to_an_open_seat(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "About seat 3", "Move here")
    await four.told(four.ben, lambda table: table.seat == 2)


async def go_back(four: Evening, *visitors: Visitor) -> None:
    """Let these people go back to the table where they are."""
    for visitor in visitors:
        await four.take(visitor, "Back to the table")
    await four.until(lambda: not any(visitor.is_in_lobby for visitor in visitors))


@feature
async def change_places_by_agreement(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "About seat 1", "Ask Ann to change places")
    await four.told(four.ann, lambda table: table.seats[2].swap_with == 0)
    await four.take(four.ann, "About seat 3", "Change places with Ben")
    await four.told(four.ben, lambda table: table.seat == 0)


@feature
async def exchange_lock_and_open_seats_as_the_owner(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "About seat 1", "Exchange with seat 3")
    await four.told(four.ann, lambda table: table.seat == 0)
    await four.take(four.ann, "About seat 2", "Lock this seat")
    await four.told(four.ann, lambda table: table.seats[1].locked)
    await four.take(four.ann, "About seat 2", "Open to all")
    await four.told(four.ann, lambda table: not table.seats[1].locked)


@feature
async def leave_a_table_and_come_back_to_a_seat_that_is_kept(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ben, "Leave table")
    await four.told(four.ann, lambda table: not table.seats[2].who)
    await four.take(four.ann, "About seat 3", "Keep for Ben")
    await answer_notice(four, four.ben, "Sit down")
    await four.told(four.ben, lambda table: table.seat == 2)


async def answer_notice(four: Evening, visitor: Visitor, yes: str) -> None:
    """Say yes to the notice at the top of the window."""
    await four.until(lambda: visitor.can(yes))
    if visitor.way == "mouse":
        visitor.take(yes)
    else:
        visitor.hand.press(keys.J, keys.MOD_CTRL)


@feature
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


@feature
async def set_a_date_promise_and_withdraw(four: Evening) -> None:
    await go_back(four, four.ann, four.ben)
    await four.take(four.ann, "Date", "A day later", "Set this date")
    await four.told(four.ben, lambda table: table.begins)
    await four.take(four.ben, "Withdraw")
    await four.told(four.ann, lambda table: not table.seats[2].who)
    await four.take(four.ann, "Date", "No date")
    await four.told(four.ann, lambda table: not table.begins)


@feature
async def change_options_of_a_table(four: Evening) -> None:
    await go_back(four, four.ann)
    for label in ("Staying power", "Private", "Private", "Rated", "Rated"):
        before = four.ann.table
        await four.take(four.ann, label)
        await four.until(lambda: four.ann.table != before)  # noqa: B023 - waited for at once


@feature
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


@feature
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


@feature
async def leave_a_table_of_ones_own(four: Evening) -> None:
    await go_back(four, four.ann)
    await four.take(four.ann, "Leave table", "Leave it")
    await four.until(lambda: four.ann.table is None)


# Matches


@feature
async def play_a_match_that_others_watch(four: Evening) -> None:
    await four.write(four.ann, "Name of the table", " of two", enters=False)
    await open_table(four, four.ann, seats=2)
    await four.take(four.ben, "Join Ann's table of two")
    await seated(four, four.ben)
    await four.write(four.ben, "Say something", "Have fun")
    await four.take(four.ben, "Ready")
    await four.take(four.ann, "Ready", "Start")
    await four.told(four.ann, lambda table: table.state == "live")
    await four.take(four.cid, "On now", "Watch Ann's table of two")
    await four.told(four.cid, lambda table: table.seat < 0)
    await four.take(four.dora, "On now", "Watch the busiest")
    await four.told(four.dora, lambda table: table.seat < 0)


@feature
async def take_a_seat_over_by_agreement(four: Evening) -> None:
    await go_back(four, four.ben, four.cid)
    await four.take(four.cid, "Menu", "Ask to take over the seat of duel.birch")
    await four.take(four.ben, "Allow Cyd")
    await four.told(four.cid, lambda table: table.seat == 1)


@feature
async def pass_a_seat_to_another_device(four: Evening) -> None:
    await go_back(four, four.cid)
    await four.take(four.cid, "Menu", "Play on another device")
    await four.until(lambda: four.cid.session.seat_code is not None)
    assert four.cid.session.seat_code is not None
    await four.write(four.dora, "Code", four.cid.session.seat_code.code, enters=False)
    await four.take(four.dora, "Take my seat by code")
    await four.told(four.dora, lambda table: table.seat == 1)
    await four.take(four.cid, "Connect again", "Stop watching")
    await four.until(lambda: four.cid.table is None)


@feature
async def play_to_the_result_and_save_the_replay(four: Evening) -> None:
    await go_back(four, four.ann, four.dora)
    players = (four.ann, four.dora)
    while not all(player.sees("Save replay") for player in players):
        await four.until(lambda: any(one.can("duel.rest") or one.sees("Save replay") for one in players))
        for player in players:
            if player.can("duel.rest"):
                player.take("duel.rest")
    await four.take(four.ann, "Save replay")
    await four.until(lambda: list(four.folder.rglob("replays/*.replay")))


@feature
async def look_at_results_leaders_and_a_replay(four: Evening) -> None:
    await four.take(four.ann, "Results and ratings", "Best: Duel", "My matches")
    await four.until(lambda: any(label.startswith("Watch replay of") for label in four.ann.app.enabled()))
    await four.take(four.ann, next(label for label in four.ann.app.labels() if label.startswith("Watch replay of")))
    await four.take(four.ann, "To the end", "To the lobby")


@feature
async def look_at_the_matches_of_another(four: Evening) -> None:
    await four.take(four.cid, "Ben: Good evening", "Matches and ratings")
    await four.until(lambda: (found := four.cid.session.results) is not None and found.name == "Ben")


@feature
async def come_back_to_a_result_and_play_again(four: Evening) -> None:
    await four.take(four.ann, "Result of Ann's table of two", "Play again")
    await four.told(four.ann, lambda table: table.state == "open")
    await answer_notice(four, four.dora, "Sit down")
    await four.told(four.dora, lambda table: table.state == "open")
    await four.take(four.dora, "Leave table")
    await four.until(lambda: four.dora.table is None)


@feature
async def find_players_for_a_match(four: Evening) -> None:
    for visitor in (four.cid, four.dora):
        await four.take(visitor, "Find players", "Look for players")
    for visitor in (four.cid, four.dora):
        await four.take(visitor, "Play")
    for visitor in (four.cid, four.dora):
        await four.told(visitor, lambda table: table.state == "live")


@feature
async def begin_a_search_and_end_it(four: Evening) -> None:
    await four.take(four.ben, "Find players", "Look for players", "Stop looking")
    await four.until(lambda: not four.ben.session.match_search.is_on)


# The end


@feature
async def delete_an_account(four: Evening) -> None:
    await four.take(four.dora, "My account", "Delete my account", "Really delete my account")
    await four.until(lambda: four.dora.can("Connect"))


@feature
async def sign_out_everywhere_and_sign_in_by_name(four: Evening) -> None:
    await four.take(four.ben, "My account", "Sign out everywhere", "Really sign out everywhere")
    await four.write(four.ben, "Password", PASSWORD)
    await four.until(lambda: four.ben.navigator.session is not None and four.ben.session.registered_name == "Ben")
