"""Notices are told once, where they belong, and go; whoever waits for the server has a way back."""

from __future__ import annotations

from arcade import key as keys

from client.model.session import NOTICE_SECONDS
from client.net.connection import Down
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.table.table_screen import TableScreen
from protocol.text import text
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.from_server import Problem, Systems
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

MILL = ScenarioChoice("mill", text("mill"), text("about"), 4, ())
SYSTEMS = Systems((SystemChoice("action_cards", text("ac"), (MILL,), ("level1",)),))


def words_on(table: Table) -> str:
    """Return all that stands on the panels and popups."""
    table.app.build()
    layers = table.app.ui.layers
    return " ".join(key[0] for name in ("panels", "popup") for key, _, _ in layers[name].letters.lines)


def test_a_notice_stays_with_its_screen(table: Table) -> None:
    table.navigator.to_lobby()
    table.settle()
    assert isinstance(table.app.front, LobbyScreen)
    table.say(SYSTEMS)
    table.session.notice = "The code was copied."
    table.session.changes += 1
    table.settle()
    assert "The code was copied." in words_on(table)
    table.navigator.to_table()
    table.settle()
    assert isinstance(table.app.front, TableScreen)
    assert "copied" not in words_on(table)
    table.navigator.to_lobby()
    table.settle()
    assert "copied" not in words_on(table)


def test_a_notice_goes_after_a_while(table: Table) -> None:
    table.navigator.to_lobby()
    table.settle()
    table.session.notice = "The code was copied."
    table.settle()
    table.time += NOTICE_SECONDS + 1
    table.settle()
    assert table.session.notice == ""


def test_a_refused_password_is_told_once(table: Table, hand: Hand) -> None:
    table.navigator.to_lobby()
    table.settle()
    hand.click_on("Keep this name")
    table.say(Problem("password/common", text("password.common")))
    assert "password" in words_on(table)
    hand.press(keys.ESCAPE)
    table.settle()
    assert table.session.notice == ""


def test_what_the_server_is_asked_while_it_is_away_has_a_reason_and_a_way_back(table: Table, hand: Hand) -> None:
    hand.click_on("Move a group")
    hand.click_on("Iron Shells 1")
    assert "Asking the table…" in words_on(table)
    table.wire.waiting.append(Down("the connection was lost", 1006))
    table.settle()
    assert "This waits for the server" in words_on(table)
    hand.click_on("Back")
    driver = table.app.front.controller.driver if isinstance(table.app.front, TableScreen) else None
    assert driver is not None
    assert driver.stage == "filling"
