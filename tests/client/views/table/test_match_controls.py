"""Votes, rests, conceding, late seats and warnings in the window: keys, buttons, and what is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import asdict, replace

from client.model.lobby.table_changes import table_changes
from client.views.result_screen import ResultScreen
from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.text import text
from protocol.wire.from_client import CallVote, CastVote, ChangeTable, Concede, JoinTable, ListTables, OpenTable
from protocol.wire.from_server import Clocks, ClockView, ClockWarning, TableView, VoteView
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

TABLE = TableId("t1")

VOTE = VoteView("bot", 0, -1, (1, 3), (), (), 32_000)


def seated(**changes: object) -> TableView:
    return replace(scenes.table_view(1), **changes)


def with_seat(view: TableView, number: int, **changes: object) -> TableView:
    seats = list(view.seats)
    seats[number] = replace(seats[number], **changes)
    return replace(view, seats=tuple(seats))


def test_a_vote_is_taken_part_in_by_button_and_by_key(table: Table, hand: Hand) -> None:
    table.say(seated(vote=VOTE))
    assert "vote: Shall a bot play for Ada until they are back?" in table.app.labels()
    hand.click_on("Yes")
    assert table.last(CastVote) == CastVote(yes=True)
    hand.press(keys.F4)
    assert table.last(CastVote) == CastVote(yes=False)
    table.say(seated(vote=replace(VOTE, yes=(1,), no=(3,))))
    assert {"Bertram votes yes", "Chris votes no"} <= table.app.labels().keys()


def test_who_is_not_asked_has_no_buttons(table: Table) -> None:
    table.say(seated(vote=replace(VOTE, asked=(0, 3), seat=1)))
    assert "Yes" not in table.app.labels()


def test_pause_adjourn_and_end_are_asked_for_by_keys_and_from_the_menu(table: Table, hand: Hand) -> None:
    for key, what in ((keys.F5, "pause"), (keys.F6, "adjourn"), (keys.F7, "end")):
        hand.press(key)
        if what == "end":
            hand.click_on("Ask the others")
        asked = table.last(CallVote)
        assert isinstance(asked, CallVote)
        assert asked.what == what
    hand.press(keys.F10)
    hand.click_on("Pause")
    asked = table.last(CallVote)
    assert isinstance(asked, CallVote)
    assert asked.what == "pause"
    assert "Pause" not in table.app.labels()


def test_a_paused_table_says_so_and_offers_to_go_on(table: Table, hand: Hand) -> None:
    table.say(seated(rest="paused"))
    hand.click_on("Go on")
    asked = table.last(CallVote)
    assert isinstance(asked, CallVote)
    assert asked.what == "resume"
    assert [line.text for line in table.session.feed.log][-1] == "The match is paused."


def test_a_match_under_changed_rules_says_so_and_is_played_on_by_vote(table: Table, hand: Hand) -> None:
    table.say(seated(parked="comparing"))
    assert "Play on" not in table.app.labels()
    table.say(seated(parked="other_rules"))
    assert "The rules have changed" in [line.text for line in table.session.feed.log][-1]
    hand.click_on("Play on")
    assert table.last(CallVote) == CallVote(what="play_on")
    before = len(table.said)
    hand.press(keys.F5)
    assert table.last(CallVote) == CallVote(what="play_on")
    assert len(table.said) > before
    vote = VoteView("play_on", -1, 0, (0, 1), (0,), (), 32_000)
    table.say(seated(parked="other_rules", vote=vote))
    assert any("play on under the new rules" in label for label in table.app.labels())
    table.say(seated(parked="comparing"))
    table.say(seated())
    assert [line.text for line in table.session.feed.log][-1] == "The match goes on."
    assert not any("not been carried" in line.text for line in table.session.feed.log)


def test_conceding_is_asked_twice(table: Table, hand: Hand) -> None:
    hand.press(keys.F8)
    hand.click_on("Play on")
    hand.press(keys.F8)
    hand.press(keys.ESCAPE)
    assert not any(isinstance(message, Concede) for message in table.said)
    hand.press(keys.F10)
    hand.click_on("Concede")
    hand.click_on("A bot plays on")
    assert table.last(Concede) == Concede()
    hand.press(keys.F8)
    hand.click_on("My figures leave")
    assert table.last(Concede) == Concede(figures=True)


def test_a_bot_in_my_seat_makes_way_at_a_click(table: Table, hand: Hand) -> None:
    table.say(with_seat(seated(), 1, bot="level1"))
    hand.click_on("I am back")
    assert table.last(OpenTable) == OpenTable(table=TABLE)


def test_a_spectator_takes_a_bots_seat(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = at_table(app, tmp_path, seat=-1)
    hand.press(keys.F10)
    hand.click_on("Play Burrowers")
    assert table.last(JoinTable) == JoinTable(table=TABLE, seat=2)


def test_a_warning_rings_once_and_is_seen_until_the_time_is_up(table: Table) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    rings: list[int] = []
    view.controls.ring = lambda: rings.append(1)
    table.say(seated(clocks=(ClockView(1, 50_000, 10_000),)), ClockWarning(TABLE, (1,), 9_000))
    table.say(seated(clocks=(ClockView(1, 51_000, 9_000),)))
    assert rings == [1]
    assert view.controls.seconds_left() == pytest.approx(9)
    table.time += 10
    table.settle()
    assert view.controls.seconds_left() == 0


def test_clocks_that_come_alone_run_from_then_on(table: Table) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    table.say(seated(clocks=(ClockView(1, 50_000, 10_000),)))
    table.time += 8
    table.say(Clocks(TABLE, (ClockView(2, 0, 60_000),)))
    assert view.model.clock(1) is None
    assert view.model.clock(2) == ClockView(2, 0, 60_000)
    assert view.model.elapsed == pytest.approx(8)
    assert view.model.clocks_elapsed == 0


def test_others_are_not_warned_of_my_time(table: Table) -> None:
    table.say(ClockWarning(TABLE, (3,), 9_000))
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert view.controls.seconds_left() == 0


@pytest.mark.parametrize(
    ("button", "expected"),
    [
        ("Bank", {"bank": 1200}),
        ("Reactions", {"reaction_seconds": 5}),
        ("By mail", {"mail": True}),
        ("Late players", {"late": False}),
        ("Spectators' words", {"watchers_heard": True}),
        ("Time", {"seconds": 120}),
        ("Private", {"private": False}),
    ],
)
def test_the_owner_sets_the_table_up(table: Table, hand: Hand, button: str, expected: dict[str, object]) -> None:
    table.say(seated(state="open", owner="who1"))
    hand.click_on(button)
    message = table.last(ChangeTable)
    assert {name: value for name, value in asdict(message).items() if value is not None} == expected


def test_the_lobby_shows_rests_and_seats_of_bots(table: Table, hand: Hand) -> None:
    rows = (
        TableRow(TABLE, "Friday", "action_cards", text("mill"), "live", 6, 6, mine=True, rest="adjourned"),
        TableRow(TableId("t2"), "Sunday", "action_cards", text("mill"), "live", 6, 6, bots=2),
    )
    table.say(Lobby(rows))
    table.navigator.to_lobby()
    table.settle()
    # who is at a table is told of others only when he asks
    assert table.last(ListTables) == ListTables()
    hand.click_on("Play for a bot at Sunday")
    assert table.last(JoinTable) == JoinTable(table=TableId("t2"))


def test_an_ended_match_has_its_own_result(table: Table) -> None:
    table.say(seated(state="finished", result=text("result.ended"), replay=True))
    assert isinstance(table.app.front, ResultScreen)
    assert "Save replay" in table.app.enabled()


def test_the_log_tells_who_comes_and_goes() -> None:
    before = with_seat(seated(), 0, connected=True)
    away = with_seat(before, 0, connected=False)
    stood_in = with_seat(away, 0, bot="level1")
    asked = replace(away, vote=VOTE)
    lines = [
        line.text
        for old, new in ((before, away), (away, stood_in), (stood_in, before), (asked, away), (asked, stood_in))
        for line in table_changes(old, new)
    ]
    assert lines == [
        "The link to Ada is lost.",
        "A bot plays for Ada.",
        "Ada is back and plays.",
        "The vote to let a bot play has not been carried.",
        "A bot plays for Ada.",
    ]
