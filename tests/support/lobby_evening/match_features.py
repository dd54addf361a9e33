"""Acts of people in an evening around matches: play, watch, results, searches, lessons."""

from __future__ import annotations

from tests.support.lobby_evening.common_acts import answer_notice, go_back, open_table, seated
from tests.support.lobby_evening.evening import Evening


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


async def take_a_seat_over_by_agreement(four: Evening) -> None:
    await go_back(four, four.ben, four.cid)
    await four.take(four.cid, "Menu", "Ask to take over the seat of duel.birch")
    await four.take(four.ben, "Allow Cyd")
    await four.told(four.cid, lambda table: table.seat == 1)


async def pass_a_seat_to_another_device(four: Evening) -> None:
    await go_back(four, four.cid)
    await four.take(four.cid, "Menu", "Play on another device")
    await four.until(lambda: four.cid.session.seat_code.told is not None)
    assert four.cid.session.seat_code.told is not None
    await four.write(four.dora, "Code", four.cid.session.seat_code.told.code, enters=False)
    await four.take(four.dora, "Take my seat by code")
    await four.told(four.dora, lambda table: table.seat == 1)
    await four.take(four.cid, "Connect again", "Stop watching")
    await four.until(lambda: four.cid.table is None)


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


async def look_at_results_leaders_and_a_replay(four: Evening) -> None:
    await four.take(four.ann, "Results and ratings", "Best: Duel", "My matches")
    await four.until(lambda: any(label.startswith("Watch replay of") for label in four.ann.app.enabled()))
    await four.take(four.ann, next(label for label in four.ann.app.labels() if label.startswith("Watch replay of")))
    await four.take(four.ann, "To the end", "Back")


async def look_at_the_matches_of_another(four: Evening) -> None:
    await four.take(four.cid, "Ben: Good evening", "Matches and ratings")
    await four.until(lambda: (found := four.cid.session.results) is not None and found.name == "Ben")


async def come_back_to_a_result_and_play_again(four: Evening) -> None:
    await four.take(four.ann, "Result of Ann's table of two", "Play again")
    await four.told(four.ann, lambda table: table.state == "open")
    await answer_notice(four, four.dora, "Sit down")
    await four.told(four.dora, lambda table: table.state == "open")
    await four.take(four.dora, "Leave table")
    await four.until(lambda: four.dora.table is None)


async def find_players_for_a_match_and_for_a_ranked_one(four: Evening) -> None:
    for visitor in (four.ann, four.ben):
        await four.take(visitor, "Find players", "Ranked: no", "Look for players")
    for visitor in (four.cid, four.dora):
        await four.take(visitor, "Find players", "Look for players")
    for visitor in four.visitors:
        await four.take(visitor, "Play")
    for visitor in four.visitors:
        await four.told(visitor, lambda table: table.state == "live")
    assert [visitor.view.ranked for visitor in four.visitors] == [True, True, False, False]


async def begin_a_search_and_end_it(four: Evening) -> None:
    await four.take(four.ben, "Find players", "Look for players", "Stop looking")
    await four.until(lambda: not four.ben.session.match_search.is_on)


async def learn_to_play_and_leave_the_lesson(four: Evening) -> None:
    await four.take(four.dora, "Learn to play")
    await four.told(four.dora, lambda table: table.lesson and table.state == "live")
    await four.take(four.dora, "Leave lesson", "Take up the lesson")
    await four.until(lambda: four.dora.can("Leave lesson"))
