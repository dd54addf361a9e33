"""The person's own account in the window, by mouse and by keys: another name, and signing out everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.text import text
from protocol.wire.from_client import DeleteAccount, Logout, Rename
from protocol.wire.from_server import NameKept, Problem, Renamed, Welcome
from protocol.wire.own_data import GetOwnData, OwnDataPart
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

HELLO = Welcome("me", "Bertram", "token", "test", "0.1", accounts=True, own_data=True)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(HELLO, Lobby(()))
    return table


def test_a_name_is_changed_by_mouse_and_asked_for_when_the_program_comes_back(lobby: Table, hand: Hand) -> None:
    hand.click_on("My account")
    assert "Change my name" not in lobby.app.enabled()
    hand.click_on("Another name")
    hand.type("Dora")
    hand.click_on("Change my name")
    assert lobby.last(Rename) == Rename(name="Dora")
    lobby.say(NameKept("Bertram"), Renamed("Dora"))
    session = lobby.session
    assert (session.own_name, session.registered_name, session.conversation.name) == ("Dora", "Dora", "Dora")
    assert lobby.profile.name == "Dora"
    assert session.notice == "You are called Dora now."


def test_a_name_is_changed_by_keys_and_a_refusal_is_shown_on_the_page(lobby: Table, hand: Hand) -> None:
    hand.tab_to("My account")
    hand.press(keys.ENTER)
    hand.tab_to("Another name")
    hand.type("Dora")
    hand.press(keys.ENTER)
    assert lobby.last(Rename) == Rename(name="Dora")
    lobby.say(Problem("rename/taken", text("busy")))
    assert lobby.session.notice.startswith("Too much at once")
    assert "Change my name" in lobby.app.labels()
    # once out of the field, once out of the page
    hand.press(keys.ESCAPE)
    hand.press(keys.ESCAPE)
    assert "Change my name" not in lobby.app.labels()


def test_signing_out_everywhere_takes_two_clicks(lobby: Table, hand: Hand) -> None:
    hand.click_on("My account")
    hand.click_on("Sign out everywhere")
    assert not any(isinstance(message, Logout) for message in lobby.said)
    hand.click_on("Really sign out everywhere")
    assert lobby.last(Logout) == Logout()


def test_an_account_is_deleted_at_a_second_click_and_its_token_forgotten(lobby: Table, hand: Hand) -> None:
    hand.click_on("My account")
    hand.click_on("Delete my account")
    assert not any(isinstance(message, DeleteAccount) for message in lobby.said)
    hand.click_on("Really delete my account")
    assert lobby.last(DeleteAccount) == DeleteAccount()
    lobby.say(Problem("session/deleted", text("session.slow"), fatal=True))
    assert not lobby.profile.tokens
    assert isinstance(lobby.app.front, ConnectScreen)


def test_whoever_keeps_a_name_deletes_the_account_by_its_password_by_keys(lobby: Table, hand: Hand) -> None:
    lobby.say(NameKept("Bertram"))
    hand.tab_to("My account")
    hand.press(keys.ENTER)
    hand.tab_to("Delete my account")
    hand.press(keys.ENTER)
    assert "Really delete my account" not in lobby.app.enabled()
    hand.tab_to("Your password")
    hand.type("seven grey herons")
    assert not any("herons" in label for label in lobby.app.labels())
    hand.tab_to("Really delete my account")
    hand.press(keys.ENTER)
    assert lobby.last(DeleteAccount) == DeleteAccount(password="seven grey herons")


def test_a_server_of_before_changes_no_names(lobby: Table, hand: Hand) -> None:
    lobby.say(Welcome("me", "Bertram", "token", "test", "0.1"))
    lobby.session.has_accounts = False
    hand.click_on("My account")
    hand.click_on("Another name")
    hand.type("Dora")
    assert "Change my name" not in lobby.app.enabled()


def test_own_data_is_asked_for_by_mouse_and_saved_under_the_persons_name(
    lobby: Table, hand: Hand, tmp_path: Path
) -> None:
    lobby.navigator.own_data_folder = lambda: tmp_path / "mine"  # type: ignore[method-assign]  # not the user's own
    lobby.app.show(LobbyScreen(lobby.app, lobby.session, lobby.navigator))
    hand.click_on("My account")
    hand.click_on("Save my data")
    assert lobby.last(GetOwnData) == GetOwnData()
    assert "Save my data" not in lobby.app.enabled()
    lobby.say(OwnDataPart(0, 2, b'{"form":'), OwnDataPart(1, 2, b" 1}"))
    assert (tmp_path / "mine" / "Bertram.json").read_bytes() == b'{"form": 1}'
    assert lobby.session.notice.startswith("Saved Bertram.json in ")
    assert "Save my data" in lobby.app.enabled()


def test_own_data_is_asked_for_by_keys_and_a_refusal_is_shown(lobby: Table, hand: Hand) -> None:
    hand.tab_to("My account")
    hand.press(keys.ENTER)
    hand.tab_to("Save my data")
    hand.press(keys.ENTER)
    assert lobby.last(GetOwnData) == GetOwnData()
    lobby.say(Problem("bound/exports-person", text("busy")))
    assert lobby.session.notice.startswith("Too much at once")
    # parts that nobody waits for are dropped
    lobby.say(OwnDataPart(0, 1, b"{}"))
    assert lobby.session.notice.startswith("Too much at once")
    assert "Save my data" in lobby.app.enabled()
