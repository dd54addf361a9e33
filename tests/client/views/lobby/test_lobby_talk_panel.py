"""The lobby's chat in the window: read, written, by mouse and by keys, with older pages as one turns to them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from arcade import key as keys

from client.views.lobby.lobby_screen import LobbyScreen
from protocol.wire.from_client import Chat, GetLobbyChat, GetPerson
from protocol.wire.from_server import ChatLine, LobbyChat, Welcome
from protocol.wire.people import PersonCard
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

HELLO = Welcome("me", "Bertram", "token", "test", "0.1", people=True, lobby_chat=True)
FIELD = "Say something in the lobby (Ctrl+T)"


def line(number: int, text: str = "", at: int = 1_700_000_000) -> ChatLine:
    return ChatLine("ben", "Ben", "player", text or f"line {number}", at, where="lobby", number=number)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    table.session.today = lambda: date.fromtimestamp(1_700_000_000)
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(HELLO, Lobby(()))
    return table


def asked(lobby: Table) -> list[GetLobbyChat]:
    lobby.settle()
    return [message for message in lobby.said if isinstance(message, GetLobbyChat)]


def test_a_line_is_written_by_keys_alone_and_read_with_those_of_others(lobby: Table, hand: Hand) -> None:
    assert lobby.last(GetLobbyChat) == GetLobbyChat()
    lobby.say(LobbyChat())
    hand.press(keys.T, keys.MOD_CTRL)
    hand.type("Hello")
    hand.press(keys.ENTER)
    assert lobby.last(Chat) == Chat(text="Hello", where="lobby")
    lobby.say(line(1), line(2, "long ago", at=1_600_000_000), line(1))
    said = [label for label in lobby.app.labels() if label.startswith("Ben")]
    assert said == ["Ben (13 Sept 2020): long ago", "Ben: line 1"]


def test_a_click_on_a_line_opens_the_card_of_who_said_it_and_muting_them_asks_anew(lobby: Table, hand: Hand) -> None:
    lobby.say(LobbyChat((line(1),)))
    hand.click_on("Ben: line 1")
    assert lobby.last(GetPerson) == GetPerson(who="ben")
    lobby.said.clear()
    lobby.say(PersonCard("ben", "Ben", muted=True))
    assert asked(lobby) == [GetLobbyChat()]
    lobby.say(LobbyChat())
    hand.press(keys.ESCAPE)
    assert "Ben: line 1" not in lobby.app.labels()


def test_older_lines_are_asked_for_once_when_one_turns_to_the_first(lobby: Table, hand: Hand) -> None:
    lobby.say(LobbyChat(tuple(map(line, range(51, 101))), 51))
    lobby.said.clear()
    hand.point_at(lobby.app.find("Ben: line 100"))
    for _ in range(12):
        hand.press(keys.PAGEUP)
        lobby.app.build()
    assert asked(lobby) == [GetLobbyChat(before=51)]
    lobby.say(LobbyChat(tuple(map(line, range(1, 51)))))
    for _ in range(12):
        hand.press(keys.PAGEUP)
        lobby.app.build()
    assert "Ben: line 1" in lobby.app.labels()
    assert len(asked(lobby)) == 1


def test_who_comes_back_to_the_lobby_asks_for_what_was_said_meanwhile(lobby: Table) -> None:
    lobby.said.clear()
    lobby.app.show(LobbyScreen(lobby.app, lobby.session, lobby.navigator))
    assert asked(lobby) == [GetLobbyChat()]


def test_a_server_without_such_a_chat_is_asked_nothing_and_shows_no_field(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Bertram", "token", "test", "0.1"), Lobby(()))
    assert asked(table) == []
    assert FIELD not in app.labels()
