"""Links in the window, by mouse and by keys: followed, asked about, and copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.app import main
from client.model.session import ClientSession
from client.net.address import Address
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.result_screen import ResultScreen
from protocol.fairness.replay import write
from protocol.game_links import GameLink
from protocol.ids import TableId
from protocol.scene.nodes import Act
from protocol.text import Text, text
from protocol.wire.from_client import GetReplay, GetResults, JoinTable
from protocol.wire.from_server import Delta, FilePart, Problem, Systems, Welcome
from protocol.wire.links import FollowLink, LinkedReplay
from protocol.wire.results import ResultRow, Results
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.programs import until
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays, scenes
from tests.support.fairness.signing import HOST
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits

CODE = "ABCDEFGHJK"
HERE = GameLink("127.0.0.1", 8440, CODE, 7)
ELSEWHERE = GameLink("127.0.0.9", 1, CODE)
HELLO = Welcome("me", "Bertram", "token", "test", "0.1", links=True)


def replay_with_act() -> bytes:
    """Return the file of the example, with act 7 in its step 2."""
    whole = replays.replay()
    frames = [
        replace(frame, acts=(Act(7, "shoot"),)) if isinstance(frame, Delta) and step == 2 else frame
        for step, frame in enumerate(whole.streams["public"])
    ]
    return write(whole._replace(streams={"public": tuple(frames)}), HOST)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    table.navigator.replay_folder = lambda: tmp_path / "replays"  # type: ignore[method-assign]  # not the user's own
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(HELLO, Systems(()), Lobby(()))
    return table


@pytest.fixture
def copied(app: ReadableApp, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    held: list[str] = []
    monkeypatch.setattr(app, "set_clipboard_text", held.append)
    return held


async def shown(table: Table, link: GameLink) -> ReplayScreen:
    """Follow a link to a replay until the window shows it."""
    table.navigator.links.visit(link)
    assert table.last(FollowLink) == FollowLink(code=CODE)
    table.say(LinkedReplay(TableId("t1")))
    assert table.last(GetReplay) == GetReplay(table=TableId("t1"))
    table.say(FilePart("friday.replay", 0, 1, replay_with_act()))
    return await until_shown(table)


async def until_shown(table: Table) -> ReplayScreen:
    """Wait until the window shows the replay that has come."""

    async def is_there() -> bool:
        table.settle()
        return isinstance(table.app.front, ReplayScreen)

    await until(is_there)
    assert isinstance(table.app.front, ReplayScreen)
    return table.app.front


async def test_a_link_to_an_act_of_a_replay_opens_it_there_and_its_own_link_is_copied(
    lobby: Table, hand: Hand, copied: list[str]
) -> None:
    screen = await shown(lobby, HERE)
    assert screen.player.step == 2
    hand.click_on("Copy the link")
    hand.tab_to("Copy the command")
    hand.press(keys.ENTER)
    assert copied == [f"eschaton://127.0.0.1/{CODE}/7", f"eschaton play 127.0.0.1 {CODE} 7"]
    hand.press(keys.LEFT, keys.MOD_CTRL)
    hand.click_on("Copy the link")
    assert copied[-1] == f"eschaton://127.0.0.1/{CODE}"
    hand.click_on("Back")
    lobby.settle()
    assert isinstance(lobby.app.front, LobbyScreen)


async def test_the_replay_of_a_finished_table_is_opened_from_its_row_in_the_lobby(lobby: Table, hand: Hand) -> None:
    lobby.say(Lobby((TableRow(TableId("t1"), "Done", "action_cards", Text("mill"), "finished", 6, 6, mine=True),)))
    hand.click_on("Watch replay of Done")
    assert lobby.last(GetReplay) == GetReplay(table=TableId("t1"))
    lobby.say(FilePart("friday.replay", 0, 1, replay_with_act()))
    screen = await until_shown(lobby)
    assert "Copy the link" not in lobby.app.labels(), "the row has no code"
    assert screen.player.step == 0
    hand.tab_to("Back")
    hand.press(keys.ENTER)
    lobby.settle()
    assert isinstance(lobby.app.front, LobbyScreen)


async def test_the_replay_is_opened_from_the_result_and_leads_back_there(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    table = at_table(app, tmp_path, finished=True)
    table.navigator.replay_folder = lambda: tmp_path / "replays"  # type: ignore[method-assign]  # not the user's own
    table.say(replace(scenes.table_view(1), state="finished", replay=True))
    table.settle()
    assert isinstance(table.app.front, ResultScreen)
    hand.click_on("Watch replay")
    table.say(FilePart("friday.replay", 0, 1, replay_with_act()))
    await until_shown(table)
    hand.click_on("Back")
    table.settle()
    assert isinstance(table.app.front, ResultScreen)


async def test_a_replay_that_does_not_come_opens_no_later_one(lobby: Table) -> None:
    lobby.navigator.links.watch(TableId("t1"))
    lobby.say(Problem("replay/none", Text("replay.none")))
    lobby.settle()
    lobby.session.replays.fetch(TableId("t2"), lobby.navigator.replay_folder())
    lobby.say(FilePart("friday.replay", 0, 1, replay_with_act()))
    lobby.settle()
    assert lobby.session.replays.saved is not None
    assert not lobby.navigator.links.is_due


async def test_a_replay_that_is_damaged_is_told_and_the_same_one_is_kept_once(lobby: Table, tmp_path: Path) -> None:
    await shown(lobby, HERE)
    lobby.navigator.leave_replay()
    screen = await shown(lobby, GameLink("127.0.0.1", 8440, CODE, 99))
    assert screen.player.step == 0
    assert [path.name for path in (tmp_path / "replays").iterdir()] == ["friday.replay"]
    lobby.navigator.leave_replay()
    lobby.navigator.links.visit(HERE)
    lobby.say(LinkedReplay(TableId("t2")))
    lobby.say(FilePart("bad.replay", 0, 1, b"eschaton replay\n no"))

    async def is_told() -> bool:
        lobby.settle()
        return "bad.replay:" in lobby.session.notice

    await until(is_told)
    assert isinstance(lobby.app.front, LobbyScreen)


def test_a_server_that_is_not_known_is_shown_and_asked_about(lobby: Table, hand: Hand) -> None:
    lobby.navigator.links.visit(ELSEWHERE)
    assert lobby.navigator.session is lobby.session
    title = lobby.app.confirmation
    assert title is not None
    assert "127.0.0.9:1" in title.title
    assert ELSEWHERE.words in title.about
    hand.press(keys.ENTER)
    assert lobby.app.confirmation is not None, "Enter alone does not go there"
    hand.press(keys.ESCAPE)
    assert lobby.app.confirmation is None
    assert lobby.navigator.session is lobby.session
    lobby.navigator.links.visit(ELSEWHERE)
    hand.press(keys.Y)
    session = lobby.navigator.session
    assert isinstance(session, ClientSession)
    assert session.address == Address("127.0.0.9", 1, secure=False)
    assert lobby.navigator.plan.join == CODE
    lobby.navigator.disconnect()


def test_one_who_sits_at_a_table_is_asked_before_another_known_server_is_gone_to(table: Table, hand: Hand) -> None:
    table.profile.tokens["127.0.0.9:1"] = "secret"
    table.navigator.links.visit(ELSEWHERE)
    assert table.navigator.session is table.session
    hand.click_on("No")
    assert table.navigator.session is table.session


def test_other_computers_are_gone_to_through_tls_alone(lobby: Table) -> None:
    lobby.navigator.links.visit(GameLink("example.org", 80, CODE))
    assert lobby.app.confirmation is not None
    assert lobby.navigator.session is lobby.session
    seen: list[Address] = []
    lobby.navigator.connect = lambda address, *_: seen.append(address)  # type: ignore[method-assign]  # no network
    lobby.app.confirmation.act()
    assert seen == [Address("example.org", 80, secure=True)]


def test_a_code_that_leads_nowhere_is_told_and_a_server_of_before_takes_it_for_an_invitation(lobby: Table) -> None:
    lobby.navigator.links.visit(HERE)
    lobby.say(Problem("table/unknown-code", text("busy")))
    assert lobby.session.notice
    lobby.session.knows_links = False
    lobby.navigator.links.visit(HERE)
    assert lobby.last(JoinTable) == JoinTable(code=CODE)


def test_the_link_of_a_table_is_copied_in_its_menu_and_a_private_computer_has_none(
    table: Table, hand: Hand, copied: list[str]
) -> None:
    table.say(HELLO, replace(scenes.table_view(1), code=CODE))
    hand.press(keys.F10)
    hand.click_on("Copy the link")
    hand.click_on("Copy the command")
    assert copied == [f"eschaton://127.0.0.1/{CODE}", f"eschaton play 127.0.0.1 {CODE}"]
    table.session.address = Address("127.0.0.1", 4711, secure=False, name="this computer")
    table.app.refresh()
    assert "Copy the link" not in table.app.labels()
    assert "No link: only this computer reaches this server." in table.app.labels()


def test_a_replay_in_the_list_of_results_is_watched_by_keys(lobby: Table, hand: Hand) -> None:
    row = ResultRow(3, TableId("t1"), "Bridge", "duel", text("mill"), 1_700_000_000, text("done"), (), code=CODE)
    hand.click_on("Results and ratings")
    assert isinstance(lobby.last(GetResults), GetResults)
    lobby.say(Results("me", "Bertram", results=(replace(row, replay=True),)))
    hand.tab_to(next(label for label in lobby.app.labels() if label.startswith("Watch replay of Bridge")))
    hand.press(keys.ENTER)
    assert lobby.last(FollowLink) == FollowLink(code=CODE)


@pytest.mark.parametrize("words", ["eschaton://x.org/ABCDEFGHJK?x", "--profile=evil", "--help", "/etc/passwd", ""])
def test_what_is_no_link_opens_nothing_and_is_no_option(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main.commands(["open", "--", words])
    assert end.value.code == main.WRONG
    assert "no link" in capsys.readouterr().err
