"""The window: events through its queue, at places found by visible labels."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.ui.theme import SEAT_COLOURS
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.result_screen import ResultScreen
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId, TableId
from protocol.scene.nodes import Cue
from protocol.text import Text, text
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.from_client import (
    Chat,
    CreateTable,
    GetHistory,
    GetProof,
    GetReplay,
    GetSeatCode,
    Hello,
    Intent,
    JoinTable,
    Logout,
    Tip,
    TokenKept,
    UseSeatCode,
)
from protocol.wire.from_server import FilePart, History, Problem, Reject, SeatCode, Systems, ToldFrame, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits


def view_of(table: Table) -> TableScreen:
    view = table.app.front
    assert isinstance(view, TableScreen)
    return view


def test_a_group_is_moved_with_the_mouse(table: Table, hand: Hand) -> None:
    hand.click_on("Move a group")
    hand.click_on("group/11")
    assert table.answer_detail(scenes.LEAD).fields == {"group": ["group/11"]}
    hand.click_on("piece/13")
    table.answer_detail(scenes.TO)
    board = view_of(table).board.camera
    hand.click(board.to_window(5900, 900))
    point = table.answer_detail(scenes.placement((5900, 900))).fields["to"]
    assert isinstance(point, list)
    ghost = board.to_window(*scenes.placement((5900, 900)).default[NodeId("piece/14")])
    hand.drag(ghost, (ghost[0] + 12, ghost[1] + 12))
    hand.click_on("Done")
    intent = table.intent()
    assert intent.choice == "move"
    assert intent.fields["group"] == ["group/11"]
    assert intent.fields["lead"] == ["piece/13"]
    places = intent.fields["place"]
    assert isinstance(places, dict)
    assert places["piece/14"] != list(scenes.placement((5900, 900)).default[NodeId("piece/14")])


def test_a_default_placement_is_accepted_with_enter(table: Table, hand: Hand) -> None:
    hand.press(keys.KEY_1)
    hand.click_on("Iron Shells 1")
    table.answer_detail(scenes.LEAD)
    hand.click_on("Figure 1 of Iron Shells 1")
    table.answer_detail(scenes.TO)
    hand.click(view_of(table).board.camera.to_window(5900, 900))
    table.answer_detail(scenes.placement((5900, 900)))
    hand.press(keys.ENTER)
    assert "place" not in table.intent().fields


def test_the_keyboard_alone_is_enough(table: Table, hand: Hand) -> None:
    hand.press(keys.S)
    hand.press(keys.TAB)
    hand.press(keys.ESCAPE)
    hand.press(keys.E)
    assert table.intent().choice == "end"


def test_space_ends_no_card(table: Table, hand: Hand) -> None:
    for _ in range(3):
        hand.press(keys.SPACE)
    table.settle()
    assert not [message for message in table.said if isinstance(message, Intent)]


def test_a_barred_target_says_why(table: Table, hand: Hand) -> None:
    hand.click_on("Shoot")
    hand.click_on("Iron Shells 1")
    hand.click_on("group/1")
    driver = view_of(table).controller.driver
    assert driver is not None
    assert driver.note == text("why.sight", blocker=text("kind.trees"))
    spot = table.app.hot_at(*table.app.find("Task Force 1"))
    assert spot is not None
    assert "Trees is in the way." in spot.tip


def test_undo_is_greyed_with_its_reason(table: Table, hand: Hand) -> None:
    assert "Undo" not in table.app.enabled()
    spot = table.app.hot_at(*table.app.find("Undo"))
    assert spot is not None
    assert spot.tip == "Dice have been rolled since."
    hand.press(keys.Z, keys.MOD_CTRL)
    table.settle()
    assert not [message for message in table.said if not isinstance(message, Hello | TokenKept | Tip | GetProof)]


def test_a_number_by_keys(table: Table, hand: Hand) -> None:
    hand.click_on("Offer points")
    hand.press(keys.PLUS)
    hand.click_on("More")
    hand.press(keys.MINUS)
    hand.press(keys.ENTER)
    assert table.intent().fields == {"points": 3}


def test_a_refusal_is_told_and_play_goes_on(table: Table, hand: Hand) -> None:
    hand.click_on("End the card")
    assert view_of(table).controller.busy
    table.say(Reject(table.intent().id, "shoot/no-line-of-sight", text("why.dice")))
    driver = view_of(table).controller.driver
    assert driver is not None
    assert driver.note == "Dice have been rolled since."
    assert "Shoot" in table.app.enabled()


def test_the_ruler_and_the_line_of_sight(table: Table, hand: Hand) -> None:
    view = view_of(table)
    hand.press(keys.R)
    hand.drag(view.board.camera.to_window(1000, 1000), view.board.camera.to_window(2000, 1000))
    assert view.board.tool is not None
    assert view.board.tool.kind == "ruler"
    assert view.board.tool.end is not None
    hand.press(keys.L)
    assert view.board.tool.kind == "sight"
    hand.press(keys.ESCAPE)
    assert view.board.tool is None


def test_the_wheel_zooms_and_home_shows_all(table: Table, hand: Hand) -> None:
    view = view_of(table)
    x, y = view.layout.board.centre
    table.app.dispatch_event("on_mouse_scroll", round(x), round(y), 0, 2)
    table.app.dispatch_events()
    assert view.board.camera.zoom > 1
    hand.press(keys.HOME)
    assert view.board.camera.zoom == 1


def page(first: int, last: int) -> History:
    frames = [ToldFrame((), (Cue("note", text(f"entry.{n}")),)) for n in range(first, last)]
    return History(TableId("t1"), first, tuple(frames))


def test_older_history_is_asked_for_once_the_log_is_scrolled_to_its_top(table: Table) -> None:
    view = view_of(table)

    def scroll(steps: int) -> None:
        table.app.build()
        rect = view.layout.feed
        table.app.dispatch_event("on_mouse_scroll", round(rect.x + 60), round(rect.y + 20), 0, steps)
        table.app.dispatch_events()
        table.app.build()
        table.settle()

    def asked() -> list[int | None]:
        return [message.before for message in table.said if isinstance(message, GetHistory)]

    table.say(page(40, 70))
    table.settle()
    scroll(2)
    assert asked() == []
    scroll(200)
    scroll(200)
    assert asked() == [40]
    table.say(page(10, 40))
    table.settle()
    assert asked() == [40]
    scroll(200)
    assert asked() == [40, 10]
    table.say(page(0, 10))
    table.settle()
    scroll(200)
    assert asked() == [40, 10]
    assert table.session.feed.log[0].text == "entry.0"


def test_chat_by_key(table: Table, hand: Hand) -> None:
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("Hello there")
    hand.press(keys.ENTER)
    said = table.last(Chat)
    assert isinstance(said, Chat)
    assert said.text == "Hello there"


def test_help_opens_and_any_click_closes_it(table: Table, hand: Hand) -> None:
    hand.press(keys.F1)
    assert "Move a group" not in table.app.labels()
    hand.click((640, 400))
    assert "Move a group" in table.app.labels()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (960, 640)])
def test_nothing_that_can_be_clicked_lies_on_something_else(table: Table, size: tuple[int, int]) -> None:
    table.app.ui.begin(size)
    view_of(table).build(table.app.ui)
    table.app.ui.end()
    buttons = [spot for spot in table.app.ui.hotspots if spot.act is not None or spot.input is not None]
    overlapping = [(a.label, b.label) for a, b in combinations(buttons, 2) if a.rect.overlaps(b.rect)]
    assert overlapping == []
    table.app.refresh()


def test_figures_are_drawn_in_their_factions_colours(table: Table) -> None:
    table.app.build()
    for piece, seat in (("piece/1", 0), ("piece/13", 1), ("piece/22", 2)):
        colour = table.pixel(table.app.find(piece))
        assert all(abs(a - b) < 40 for a, b in zip(colour, SEAT_COLOURS[seat][:3], strict=True)), (piece, colour)


def test_terrain_is_drawn_where_it_is(table: Table) -> None:
    table.app.build()
    river = view_of(table).board.camera.to_window(3560, 3400)
    red, _, blue = table.pixel(river)
    assert blue > red + 30


def test_a_ghost_is_shown_where_the_figure_will_stand(table: Table, hand: Hand) -> None:
    hand.click_on("Move a group")
    hand.click_on("group/11")
    table.answer_detail(scenes.LEAD)
    hand.click_on("piece/13")
    table.answer_detail(scenes.TO)
    place = view_of(table).board.camera.to_window(5900, 1000)
    before = table.pixel(place)
    hand.point_at(place)
    assert table.pixel(place) != before


def test_text_grows_with_ctrl_plus(table: Table, hand: Hand) -> None:
    hand.press(keys.EQUAL, keys.MOD_CTRL)
    assert table.app.ui.scale == 1.1
    assert table.profile.text_scale == 110


def test_a_seat_code_is_shown_on_request_and_used_in_the_lobby(table: Table, hand: Hand) -> None:
    hand.press(keys.F10)
    hand.click_on("Play on another device")
    assert table.last(GetSeatCode) == GetSeatCode()
    assert table.session.conversation.table is not None
    table.say(SeatCode(table.session.conversation.table.id, "ABCDE23456", 600))
    assert "Copy seat code ABCDE23456" in table.app.labels()
    hand.click_on("To the lobby")
    table.say(SYSTEMS)
    hand.click_on("Code")
    hand.type("abcde23456")
    hand.click_on("Take my seat by code")
    assert table.last(UseSeatCode) == UseSeatCode(code="abcde23456")


def test_logging_out_is_asked_twice_and_forgets_the_token(table: Table, hand: Hand) -> None:
    table.say(Welcome("u2", "Bertram", "secret", "here", "0.1"))
    assert table.profile.tokens
    hand.press(keys.F10)
    hand.click_on("To the lobby")
    table.settle()
    hand.click_on("My account")
    hand.click_on("Sign out everywhere")
    assert not [message for message in table.said if isinstance(message, Logout)]
    hand.click_on("Really sign out everywhere")
    assert table.last(Logout) == Logout()
    table.say(Problem("session/logged-out", text("session.slow"), fatal=True))
    assert not table.profile.tokens
    assert isinstance(table.app.front, ConnectScreen)


def test_a_seat_that_moved_to_another_device_is_told(table: Table) -> None:
    table.say(Problem("session/moved", text("session.taken_over"), fatal=True))
    assert "Connect again" in table.app.enabled()


def test_taken_over_by_another_window_and_taken_back(table: Table) -> None:
    table.say(Problem("session/taken-over", text("session.taken_over"), fatal=True))
    assert set(table.app.labels()) == {"Take it back", "Close"}


@pytest.mark.parametrize("state", ["open", "live", "finished"])
def test_taken_over_is_told_at_every_table_and_over_the_menu(
    app: ReadableApp, tmp_path: Path, hand: Hand, state: str
) -> None:
    table = at_table(app, tmp_path, finished=state == "finished")
    if state == "open":
        table.say(scenes.table_view(1, "open"))
    elif state == "live":
        hand.press(keys.F10)
    table.say(Problem("session/moved", text("session.taken_over"), fatal=True))
    assert set(table.app.labels()) == {"Connect again", "Close"}


def test_the_result_and_its_replay(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = at_table(app, tmp_path, finished=True)
    assert isinstance(app.front, ResultScreen)
    table.navigator.replay_folder = lambda: tmp_path / "replays"  # type: ignore[method-assign]  # not the user's own
    hand.click_on("Save replay")
    assert isinstance(table.last(GetReplay), GetReplay)
    table.say(FilePart("friday.replay", 0, 1, b"data"))
    assert (tmp_path / "replays" / "friday.replay").read_bytes() == b"data"
    hand.click_on("Look at the table")
    table.settle()
    assert isinstance(app.front, TableScreen)


def test_the_result_says_that_the_replay_is_on_its_way(app: ReadableApp, tmp_path: Path) -> None:
    table = at_table(app, tmp_path, finished=True)
    over = scenes.table_view(state="live")
    for view, is_told in (
        (over, False),
        (replace(over, replay_coming=True), True),
        (replace(over, replay=True), False),
    ):
        table.say(view)
        assert ("Save replay" in app.enabled()) == view.replay
        app.build()
        shown = " ".join(key[0] for key, _, _ in app.ui.layers["panels"].letters.lines)
        assert ("The replay is on its way" in shown) == is_told


MILL = ScenarioChoice("mill", text("mill"), text("about"), 4, ())
SYSTEMS = Systems((SystemChoice("action_cards", text("ac"), (MILL,), ("level1",)),))
ROWS = (
    TableRow(TableId("t1"), "Mine", "action_cards", text("mill"), "live", 4, 4, mine=True, turn=True),
    TableRow(TableId("t2"), "Open one", "action_cards", text("mill"), "open", 4, 1, waits=("Ada",)),
    TableRow(
        TableId("t3"), "Done", "action_cards", text("mill"), "finished", 4, 4, mine=True, result=text("result.why")
    ),
)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Bertram", "token", "test", "0.1"), SYSTEMS, Lobby(ROWS))
    return table


def test_the_lobby_lists_my_tables_first(lobby: Table) -> None:
    labels = lobby.app.labels()
    assert labels["Open Mine"][1] > labels["Join Open one"][1] > labels["Watch replay of Done"][1]
    assert lobby.profile.tokens == {"127.0.0.1:8440": "token"}


def test_joining_by_code(lobby: Table, hand: Hand) -> None:
    assert "Join by code" not in lobby.app.enabled()
    hand.click_on("Code")
    hand.type("K7Q4XZ")
    hand.click_on("Join by code")
    joined = lobby.last(JoinTable)
    assert isinstance(joined, JoinTable)
    assert joined.code == "K7Q4XZ"


def test_a_new_table_is_made(lobby: Table, hand: Hand) -> None:
    hand.click_on("Private")
    hand.click_on("Create table")
    lobby.settle()
    made = lobby.said[-1]
    assert isinstance(made, CreateTable)
    assert made.private
    assert made.scenario == "mill"
    assert made.name == "Bertram's table"
    lobby.navigator.quick_start()
    quick = lobby.last(CreateTable)
    assert isinstance(quick, CreateTable)
    assert (quick.name, quick.scenario) == (made.name, "mill")


def test_an_address_that_is_none_is_explained(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = Table(app, tmp_path, [])
    table.navigator.session = None
    app.show(view := ConnectScreen(app, table.navigator))
    hand.click_on("Address, such as example.org")
    hand.type("ws://example.org")
    hand.press(keys.ENTER)
    assert "Without encryption" in view.note


def test_a_spectator_sees_how_all_stand(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    frames = scenes.table_frames(-1)[:-1]
    table = Table(app, tmp_path, frames)
    assert "Undo" not in table.app.enabled()
    hand.click_on("Chat")
    assert "Say something (Ctrl+T)" not in table.app.labels()
    assert table.app.find("seat Iron Shells")


def test_group_names_do_not_cover_each_other(table: Table) -> None:
    table.app.build()
    names = [spot.rect for spot in table.app.ui.hotspots if spot.label.rpartition(" ")[0] in scenes.FACTIONS]
    assert len(names) >= 10
    assert not any(a.overlaps(b) for a, b in combinations(names, 2))


def test_who_is_banned_reads_until_when_and_what_it_means_at_the_address_field(table: Table) -> None:
    banned = Text("problem.session/banned", {"until": Text("order.for_ever")})
    table.say(Problem("session/banned", banned, fatal=True))
    assert isinstance(table.app.front, ConnectScreen)
    assert table.app.front.note.startswith("You are banned from this server for ever. You neither play")
    assert table.navigator.session is None, "nothing connects again by itself"
