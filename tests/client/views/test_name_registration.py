"""Registering a name and signing in, in the window: a password is not shown, and goes to the server only."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.net.connection import Down, Frame
from client.ui.text_input import TextInput
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.text import text
from protocol.wire.codec import encode
from protocol.wire.from_client import Hello, KeepName
from protocol.wire.from_server import NameKept, Problem, Welcome
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table, Wire
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

PASSWORD, OTHER = "seven grey herons", "nine brown owls"
NEW, AGAIN = "New password, 8 characters at least", "The same once more"


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Bertram", "token", "test", "0.1"), Lobby(()))
    return table


def fill(hand: Hand, label: str, words: str) -> None:
    hand.click_on(label)
    hand.type(words)


def test_a_hidden_field_shows_dots() -> None:
    field = TextInput("secret", hidden=True)
    assert field.window(len, 100) == ("\u2022" * 6, 6)
    field.go(2)
    assert field.window(len, 4) == ("\u2022" * 4, 2)


def test_a_name_is_kept_with_a_password_typed_twice(lobby: Table, hand: Hand) -> None:
    hand.click_on("Keep this name")
    assert "Keep this name now" not in lobby.app.enabled()
    assert "Old password" not in lobby.app.labels()
    fill(hand, NEW, PASSWORD)
    fill(hand, AGAIN, OTHER)
    assert "Keep this name now" not in lobby.app.enabled()
    hand.click_on(AGAIN)
    for _ in OTHER:
        lobby.app.dispatch_event("on_text_motion", keys.MOTION_BACKSPACE)
    hand.type(PASSWORD)
    assert not any(PASSWORD in label for label in lobby.app.labels())
    hand.click_on("Keep this name now")
    assert lobby.last(KeepName) == KeepName(password=PASSWORD)
    lobby.say(NameKept("Bertram"))
    assert "Change password" in lobby.app.enabled()
    assert NEW not in lobby.app.labels()
    assert lobby.session.notice == "You keep the name Bertram here from now on."
    assert PASSWORD not in repr(lobby.profile)


def test_a_refusal_is_shown_in_the_box_which_stays_open(table: Table, hand: Hand) -> None:
    table.say(Welcome("u2", "Bertram", "secret", "here", "0.1"))
    hand.press(keys.F10)
    hand.click_on("Keep this name")
    fill(hand, NEW, PASSWORD)
    fill(hand, AGAIN, PASSWORD)
    hand.click_on("Keep this name now")
    table.say(Problem("password/taken", text("busy")))
    assert table.session.problem.startswith("Too much at once")
    assert NEW in table.app.labels()
    hand.press(keys.ESCAPE)
    assert "Keep this name" in table.app.labels()
    assert NEW not in table.app.labels()


def test_changing_the_password_needs_the_old_one(lobby: Table, hand: Hand) -> None:
    lobby.say(NameKept("Bertram"))
    hand.click_on("Change password")
    fill(hand, NEW, OTHER)
    fill(hand, AGAIN, OTHER)
    assert "Change password now" not in lobby.app.enabled()
    fill(hand, "Old password", PASSWORD)
    hand.press(keys.ENTER)
    assert lobby.last(KeepName) == KeepName(password=OTHER, old=PASSWORD)


def test_signing_in_with_name_and_password(
    app: ReadableApp, tmp_path: Path, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.app.own_session.ReconnectingSocket", lambda address, wake: Wire(address))
    table = Table(app, tmp_path, [])
    table.navigator.disconnect()
    profile = table.navigator.profile
    profile.name, profile.tokens = "Ann", {"example.org:8440": "older"}
    app.show(ConnectScreen(app, table.navigator))
    assert "Sign in" not in app.enabled()
    fill(hand, "Address, such as example.org", "example.org")
    fill(hand, "Password", PASSWORD)
    hand.click_on("Sign in")
    assert table.navigator.session is not None
    table.session = table.navigator.session
    hello = table.last(Hello)
    assert isinstance(hello, Hello)
    assert (hello.name, hello.token, hello.password) == ("Ann", None, PASSWORD)
    no = Problem("session/not-signed-in", text("problem.session/not-signed-in"), fatal=True)
    table.wire.waiting += [Frame(encode(no)), Down("session/not-signed-in", 0)]
    table.settle()
    assert isinstance(app.front, ConnectScreen)
    assert app.front.note.startswith("Name and password do not fit")
    assert table.profile.tokens == {"example.org:8440": "older"}
