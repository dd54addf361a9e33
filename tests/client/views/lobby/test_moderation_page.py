"""The page of moderators in the window, by mouse and by keys, and that nobody else sees anything of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.from_server import ChatLine, Problem, Welcome
from protocol.wire.order import (
    AnnouncementRow,
    Announcements,
    AuditPage,
    AuditRow,
    Moderating,
    OrderDone,
    ReportedWords,
    ReportPage,
    ReportRow,
    SanctionPage,
    SanctionRow,
)
from protocol.wire.order_requests import (
    Announce,
    CloseTable,
    GetAudit,
    GetReports,
    GetSanctions,
    LiftSanction,
    RemovePerson,
    RenamePerson,
    Sanction,
    TakeBackAnnouncement,
)
from protocol.wire.people import PersonCard
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

AT = 1_700_000_000
MODERATOR = Welcome("mo", "Mo", "token", "test", "0.1", people=True, lobby_chat=True, reports=True, moderates=True)
LINES = tuple(ReportedWords(f"u{n % 2}", ("Ann", "Ben")[n % 2], f"line {n}", AT + n) for n in range(41))
REPORTS = ReportPage(
    (
        ReportRow(9, "u0", "Ann", "u1", "Ben", "abuse", "All evening", AT + 50, LINES, 20, TableId("t5")),
        ReportRow(8, "u2", "Cid", "u3", "Dot", "name", "", AT),
    ),
    8,
)
OPEN = TableRow(TableId("t5"), "A rude name", "action_cards", Text("The mill"), "open", 4, 1)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(MODERATOR, Lobby((OPEN, replace(OPEN, id=TableId("t6"), name="Over", state="finished"))))
    return table


def test_a_reported_line_is_read_with_those_around_it_and_its_speaker_banned_by_mouse(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    assert lobby.last(GetReports) == GetReports()
    lobby.say(REPORTS)
    labels = lobby.app.labels()
    assert [label for label in labels if label.endswith(("Ben: line 19", "Ann: line 20"))]
    assert not [label for label in labels if label.endswith(": line 3")]
    hand.click_on("Act on Ben")
    hand.click_on("Ban")
    hand.click_on("30 days")
    hand.click_on("And their networks")
    hand.click_on("Why? Other moderators and the host read it")
    hand.type("Abuse in the talk")
    hand.click_on("Ban Ben")
    wanted = Sanction(who="u1", what="ban", reason="Abuse in the talk", seconds=30 * 86_400, also=["network"])
    assert lobby.last(Sanction) == wanted
    lobby.said.clear()
    lobby.say(OrderDone("ban", "Ben"))
    assert lobby.session.notice == "Ben is banned."
    assert lobby.last(GetReports) == GetReports(), "the page asks anew"
    assert "Act on Ben" in lobby.app.enabled()


def tip_of(table: Table, label: str) -> str:
    """Return what the mouse over the thing with this label is told."""
    spot = table.app.hot_at(*table.app.find(label))
    assert spot is not None
    return spot.tip


@pytest.mark.parametrize("scale", [100, 200])
def test_a_long_report_is_read_whole(lobby: Table, hand: Hand, scale: int) -> None:
    long = ("word and more " * 28)[:400]
    reported = ReportedWords("u0", "Ann", long, AT)
    row = replace(REPORTS.rows[0], words=long, lines=(*LINES[:9], reported, *LINES[9:]), place=9)
    hand.click_on("Moderate")
    lobby.say(ReportPage((row,)))
    lobby.app.scale_text(scale)
    assert long in tip_of(lobby, f"“{long}”")
    [line] = [label for label in lobby.app.labels() if label.endswith(f"Ann: {long}")]
    assert (tip_of(lobby, line) == line) == (scale == 200), "a line that is cut off is read in its tip"
    drawn = " ".join(key.text for key, _, _ in lobby.app.ui.layers["popup"].letters.lines)
    assert drawn.count("word and more") > 20


def test_the_first_line_in_sight_is_drawn_however_small_the_window(lobby: Table, hand: Hand) -> None:
    long = ("word and more " * 28)[:400]
    row = replace(REPORTS.rows[0], words=long, lines=(ReportedWords("u0", "Ann", long, AT),) * 5, place=0)
    hand.click_on("Moderate")
    lobby.say(ReportPage((row,)))
    lobby.app.scale_text(200)
    lobby.app.describe((800, 600))
    labels = [spot.label for spot in lobby.app.ui.hotspots[lobby.app.ui.modal :]]
    assert [label for label in labels if label.endswith(f"Ann: {long}")]


def test_a_person_is_muted_from_their_card_by_keys_alone(table: Table, hand: Hand) -> None:
    table.say(MODERATOR, scenes.table_view(1), ChatLine("eve", "Eve", "watcher", "Buy!", 5))
    hand.click_on("Chat")
    hand.click_on("Eve: Buy!")
    table.say(PersonCard("eve", "Eve"))
    hand.tab_to("Moderate")
    hand.press(keys.ENTER)
    hand.tab_to("1 hour")
    hand.press(keys.ENTER)
    hand.tab_to("Why? Other moderators and the host read it")
    hand.press(keys.ENTER)
    assert not [message for message in table.said if isinstance(message, Sanction)], "not without a reason"
    hand.type("spam")
    hand.press(keys.ENTER)
    assert table.last(Sanction) == Sanction(who="eve", what="mute", reason="spam", seconds=3600)
    table.say(Problem("order/moderator", Text("no")))
    assert "Mute Eve" in table.app.enabled(), "what is refused can be tried again"
    table.say(OrderDone("mute", "Eve"), PersonCard("eve", "Eve"))
    assert "Mute Eve" not in table.app.labels()
    assert "Moderate" in table.app.enabled()


def test_a_person_is_removed_and_renamed_from_their_card(table: Table, hand: Hand) -> None:
    table.say(MODERATOR, scenes.table_view(1), ChatLine("eve", "Eve", "watcher", "Buy!", 5))
    hand.click_on("Chat")
    hand.click_on("Eve: Buy!")
    table.say(PersonCard("eve", "Eve"))
    hand.click_on("Moderate")
    hand.click_on("Remove from tables")
    hand.click_on("Why? Other moderators and the host read it")
    hand.type("cheats")
    hand.click_on("Remove Eve")
    assert table.last(RemovePerson) == RemovePerson(who="eve", reason="cheats")
    hand.click_on("Rename")
    assert "Rename Eve" not in table.app.enabled()
    hand.click_on("The new name")
    hand.type("Lamb")
    hand.press(keys.ENTER)
    assert table.last(RenamePerson) == RenamePerson(who="eve", name="Lamb", reason="cheats")
    hand.press(keys.ESCAPE)
    assert "Mute" in table.app.labels(), "the card again"


def test_lines_before_and_after_come_into_sight_by_keys(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    lobby.say(REPORTS)

    def seen(number: int) -> bool:
        return any(label.endswith(f": line {number}") for label in lobby.app.labels())

    assert not seen(0)
    for _ in range(4):
        hand.press(keys.PAGEUP)
    assert seen(0)
    for _ in range(12):
        hand.press(keys.PAGEDOWN)
    assert seen(40)


def test_a_reported_person_and_who_reports_are_acted_on_and_older_reports_asked_for(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    lobby.say(REPORTS)
    hand.press(keys.KEY_2)
    assert "Close the table" not in lobby.app.labels(), "a person is reported, and no line"
    hand.click_on("Act on Cid")
    assert "Mute Cid" in lobby.app.labels()
    hand.press(keys.ESCAPE)
    hand.click_on("Older")
    assert lobby.last(GetReports) == GetReports(before=8)
    lobby.say(ReportPage())
    assert "Act on Cid" not in lobby.app.labels()
    assert "Older" not in lobby.app.enabled()


def test_a_ban_is_lifted_with_a_reason_by_keys(lobby: Table, hand: Hand) -> None:
    hand.tab_to("Moderate")
    hand.press(keys.ENTER)
    hand.tab_to("Bans and mutes")
    hand.press(keys.ENTER)
    assert lobby.last(GetSanctions) == GetSanctions()
    row = SanctionRow("s1", "ban", "u1", "Ben", "spam", "", AT, 0, ("name",))
    lobby.say(SanctionPage((row,) * 12, 0, 13))
    hand.press(keys.KEY_0)
    hand.press(keys.KEY_1)
    assert "Lift: Ben banned for ever" not in lobby.app.enabled()
    hand.tab_to("Why? Other moderators and the host read it")
    hand.type("a mistake")
    hand.press(keys.ENTER)
    assert lobby.last(LiftSanction) == LiftSanction(id="s1", reason="a mistake")
    lobby.say(OrderDone("lift", "Ben"), SanctionPage((row,) * 12, 0, 13))
    hand.click_on("More")
    assert lobby.last(GetSanctions) == GetSanctions(first=12)


def test_a_page_of_bans_beyond_the_last_gives_way_to_that(lobby: Table, hand: Hand) -> None:
    row = SanctionRow("s1", "ban", "u1", "Ben", "spam", "", AT, 0, ("name",))
    hand.click_on("Moderate")
    hand.click_on("Bans and mutes")
    lobby.say(SanctionPage((row,) * 12, 0, 25))
    hand.click_on("More")
    lobby.say(SanctionPage((row,) * 12, 12, 25))
    hand.click_on("More")
    lobby.say(SanctionPage((row,), 24, 25))
    lobby.say(OrderDone("lift", "Ben"))
    assert lobby.last(GetSanctions) == GetSanctions(first=24)
    lobby.say(SanctionPage((), 24, 24))
    assert lobby.last(GetSanctions) == GetSanctions(first=12)
    lobby.say(SanctionPage((row,) * 12, 12, 24))
    assert "More" not in lobby.app.enabled()
    assert "Earlier" in lobby.app.enabled()


def test_a_table_is_closed_from_the_list_of_those_that_go_on(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    hand.click_on("Tables")
    assert "Close Over" not in lobby.app.labels()
    hand.click_on("Close A rude name")
    hand.click_on("Why? Other moderators and the host read it")
    hand.type("a rude name")
    hand.press(keys.ENTER)
    assert lobby.last(CloseTable) == CloseTable(table=TableId("t5"), reason="a rude name")


def test_something_is_announced_with_a_countdown_and_taken_back(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    hand.click_on("Announcements")
    assert "Announce" not in lobby.app.enabled()
    hand.click_on("What everybody reads, such as: Maintenance. All matches go on afterwards.")
    hand.type("Maintenance")
    hand.click_on("In 10 min")
    hand.click_on("Announce")
    assert lobby.last(Announce) == Announce(text="Maintenance", seconds=600)
    row = AnnouncementRow("a1", "Maintenance", AT, 600_000)
    lobby.say(Announcements((row,)), OrderDone("announce", "Maintenance"))
    assert not [label for label in lobby.app.labels() if label.startswith("Announcement:")], "it is their own"
    lobby.time += 61
    lobby.settle()
    assert "Maintenance (in 8:59)" in lobby.app.labels()
    hand.click_on("Take back: Maintenance")
    assert lobby.last(TakeBackAnnouncement) == TakeBackAnnouncement(id="a1")


def test_the_audit_list_says_who_did_what_and_why(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    hand.click_on("What was done")
    rows = (
        AuditRow(9, "lift", AT, "Mo", "u1", "Ben", detail="ban", reason="a mistake"),
        AuditRow(8, "ban", AT, "", "u1", "Ben", reason="spam"),
        AuditRow(7, "from the future", AT, "Mo"),
    )
    lobby.say(AuditPage(rows, 7))
    labels = " ".join(lobby.app.labels())
    for words in ("Mo lifted the ban of Ben", "The host banned Ben for ever", "Mo did something that this program"):
        assert words in labels
    hand.click_on("Older")
    assert lobby.last(GetAudit) == GetAudit(before=7)


def test_nobody_else_sees_anything_of_it_nor_who_is_dismissed(lobby: Table, hand: Hand) -> None:
    hand.click_on("Moderate")
    lobby.say(REPORTS, Moderating(moderates=False))
    assert "Act on Ben" not in lobby.app.labels()
    assert "Moderate" not in lobby.app.labels()
    lobby.session.people.look_at("eve")
    lobby.app.front.people.look_at("eve")  # type: ignore[union-attr]
    lobby.say(PersonCard("eve", "Eve"))
    assert "Block" in lobby.app.labels()
    assert "Moderate" not in lobby.app.labels()
    lobby.say(Moderating(moderates=True))
    assert "Moderate" in lobby.app.labels()
