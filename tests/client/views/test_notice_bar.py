"""Notices on every screen: a match that is offered, a seat that is kept, answered by mouse and keys, with a bell."""

from __future__ import annotations

from arcade import key as keys

from client.model.replay.replay_player import ReplayPlayer
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.from_client import ConfirmMatch, JoinTable, StopSeeking
from protocol.wire.order import AnnouncementRow, Announcements
from protocol.wire.order_requests import GetSanctions
from protocol.wire.quick_match import MatchOffered, Seeking
from protocol.wire.seating import Invitation
from tests.support.clients.sessions import Table
from tests.support.examples import replays
from tests.support.systems.hand import Hand

OFFER = MatchOffered("o1", "action_cards", Text("The mill"), 2, 20_000)
SEAT = Invitation(TableId("t9"), "Friday", "action_cards", Text("The mill"), "Ann", again=True)


def rung(table: Table) -> list[str]:
    """Return a list that grows with every ring of the bell for a notice."""
    rings: list[str] = []
    table.app.sounds.clock = lambda: 10.0 * len(rings)
    table.app.sounds.output = lambda name, share: rings.append("ring") if name == "invitation" else None
    return rings


def test_an_offered_match_is_told_on_the_table_and_confirmed_by_mouse(table: Table, hand: Hand) -> None:
    rings = rung(table)
    table.say(Seeking(on=True), OFFER)
    assert isinstance(table.app.front, TableScreen)
    hand.click_on("Play")
    assert table.last(ConfirmMatch) == ConfirmMatch(match="o1")
    table.say(MatchOffered("o1", "action_cards", Text("The mill"), 2, 18_000, 1, mine=True))
    assert "Waiting for the others" not in table.app.enabled()
    assert rings == ["ring"]
    table.say(Seeking(on=False))
    assert "Waiting for the others" not in table.app.labels()


def test_an_offered_match_is_refused_by_keys_though_a_page_is_open(table: Table, hand: Hand) -> None:
    table.say(Seeking(on=True), OFFER)
    table.app.settings_page.toggle()
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    assert table.last(StopSeeking) == StopSeeking()
    table.app.settings_page.toggle()


def test_the_seconds_left_are_shown_as_they_pass(table: Table) -> None:
    table.say(Seeking(on=True), OFFER)
    assert any("20 seconds left" in label for label in table.app.labels())
    table.time += 5
    table.settle()
    assert any("15 seconds left" in label for label in table.app.labels())


def test_the_lobby_shows_an_offer_by_its_own_page(table: Table) -> None:
    table.navigator.to_lobby()
    table.say(Seeking(on=True), OFFER)
    assert isinstance(table.app.front, LobbyScreen)
    assert not any("Do you play? 20 seconds left" in label for label in table.app.labels())


def test_a_kept_seat_is_taken_by_a_key_and_declined_by_a_click(table: Table, hand: Hand) -> None:
    rings = rung(table)
    table.say(SEAT)
    hand.press(keys.J, keys.MOD_CTRL)
    assert table.last(JoinTable) == JoinTable(table=TableId("t9"))
    table.say(SEAT)
    assert rings == ["ring", "ring"]
    hand.click_on("Not now")
    table.settle()
    assert "Not now" not in table.app.labels()


def test_no_bell_rings_where_sound_is_off(table: Table) -> None:
    rings = rung(table)
    table.profile.sound = False
    table.say(SEAT)
    assert rings == []


def test_an_announcement_counts_down_on_every_screen_until_it_is_read_and_comes_again_at_its_end(
    table: Table, hand: Hand
) -> None:
    rings = rung(table)
    rows = (AnnouncementRow("a1", "Maintenance", 1_700_000_000, 600_000), AnnouncementRow("a2", "Club night", 1))
    table.say(Announcements(rows))
    assert isinstance(table.app.front, TableScreen)
    assert "Announcement: Maintenance (in 10:00)" in table.app.labels()
    table.time += 5
    table.settle()
    assert "Announcement: Maintenance (in 9:55)" in table.app.labels()
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    table.settle()
    table.navigator.to_lobby()
    table.settle()
    assert isinstance(table.app.front, LobbyScreen)
    assert "Announcement: Club night" in table.app.labels()
    hand.click_on("Close")
    table.settle()
    assert not [label for label in table.app.labels() if label.startswith("Announcement")]
    table.time += 540
    table.settle()
    assert "Announcement: Maintenance (in 0:55)" in table.app.labels()
    table.time += 60
    table.settle()
    assert "Announcement: Maintenance (now)" in table.app.labels()
    assert rings == ["ring"] * 3
    table.say(Announcements())
    assert not [label for label in table.app.labels() if label.startswith("Announcement")]


def test_an_announcement_is_seen_over_a_replay_and_over_an_open_page(table: Table, hand: Hand) -> None:
    table.app.show(ReplayScreen(table.app, ReplayPlayer(replays.replay())))
    table.say(Announcements((AnnouncementRow("a1", "Club night", 1),)))
    assert isinstance(table.app.front, ReplayScreen)
    assert "Announcement: Club night" in table.app.labels()
    table.app.settings_page.toggle()
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    table.settle()
    assert "Announcement: Club night" not in table.app.labels()
    table.app.settings_page.toggle()


def test_hours_are_told_where_an_announcement_is_for_tomorrow(table: Table) -> None:
    table.say(Announcements((AnnouncementRow("a1", "Maintenance", 1, 86_399_000),)))
    assert "Announcement: Maintenance (in 23 h 59 min)" in table.app.labels()


def test_a_notice_covers_nothing_of_a_page(table: Table, hand: Hand) -> None:
    table.session.moderation.moderates = True
    table.navigator.to_lobby()
    table.settle()
    hand.click_on("Moderate")
    table.say(SEAT)
    table.app.build()
    page, bar = table.app.ui.page, next(spot.rect for spot in table.app.ui.front_spots if spot.label == "Not now")
    assert page is not None
    assert bar.y >= page.top
    assert page.y >= 0
    hand.click_on("Bans and mutes")
    assert table.last(GetSanctions) == GetSanctions()
