"""The person's webhook in the window, by mouse and by keys: set, tried, removed, and what is said once it is off."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.text import Text, text
from protocol.wire.from_client import OpenTable
from protocol.wire.from_server import Catalogue, Problem, Welcome
from protocol.wire.table_lists import Lobby
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook, TurnTold, WebhookState
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

ADDRESS = "https://discord.com/api/webhooks/1/secret"
HOSTS = ("discord.com", "hooks.slack.com")
NONE, SET = WebhookState(HOSTS), WebhookState(HOSTS, "discord.com")
WHY = Text("webhook.failed.status", {"host": "discord.com", "status": 404})
WORDS = "discord.com refused the message (answer 404)."
OFF = WebhookState(HOSTS, "discord.com", 10, off=True, why=WHY)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    catalogue = {"webhook.failed.status": "{host} refused the message (answer {status})."}
    table.say(Welcome("me", "Bertram", "token", "test", "0.1", seating=True, webhooks=True), Lobby(()))
    table.say(Catalogue("duel", "en", "h1", catalogue), NONE)
    return table


def shown(lobby: Table) -> str:
    """All words of the window's panels."""
    lobby.app.build()
    return " ".join(line[0][0] for layer in lobby.app.ui.layers.values() for line in layer.letters.lines)


def open_page(hand: Hand) -> None:
    hand.click_on("My account")
    hand.click_on("Tell me elsewhere")


def test_it_is_set_tried_and_removed_by_mouse(lobby: Table, hand: Hand) -> None:
    assert lobby.last(GetWebhook) == GetWebhook()
    open_page(hand)
    assert "discord.com, hooks.slack.com" in shown(lobby)
    assert "You have no webhook." in shown(lobby)
    assert not {"Set", "Send a test", "Remove"} & {*lobby.app.enabled()}
    hand.click_on("Address of the webhook")
    hand.type(f" {ADDRESS} ")
    hand.click_on("Set")
    assert lobby.last(SetWebhook) == SetWebhook(address=ADDRESS, place="127.0.0.1")
    lobby.say(SET)
    assert "You are told at discord.com." in shown(lobby)
    assert "secret" not in shown(lobby)
    hand.click_on("Send a test")
    assert lobby.last(TryWebhook) == TryWebhook()
    assert "Send a test" not in lobby.app.enabled()
    lobby.say(WebhookState(HOSTS, "discord.com", tried=True))
    assert lobby.session.notice == "The test has arrived at discord.com."
    hand.click_on("Remove")
    assert lobby.last(SetWebhook) == SetWebhook(address="", place="127.0.0.1")
    lobby.say(NONE)
    assert "You have no webhook." in shown(lobby)


def test_it_is_set_tried_and_removed_by_keys(lobby: Table, hand: Hand) -> None:
    hand.tab_to("My account")
    hand.press(keys.ENTER)
    hand.tab_to("Tell me elsewhere")
    hand.press(keys.ENTER)
    hand.tab_to("Address of the webhook")
    hand.type(ADDRESS)
    hand.press(keys.ENTER)
    assert lobby.last(SetWebhook) == SetWebhook(address=ADDRESS, place="127.0.0.1")
    lobby.say(SET)
    hand.press(keys.ESCAPE)
    hand.tab_to("Send a test")
    hand.press(keys.ENTER)
    assert lobby.last(TryWebhook) == TryWebhook()
    lobby.say(WebhookState(HOSTS, "discord.com", 1, why=WHY, tried=True))
    assert lobby.session.notice == f"The test has not arrived. {WORDS}"
    assert "the last message did not arrive" in shown(lobby)
    hand.tab_to("Remove")
    hand.press(keys.ENTER)
    assert lobby.last(SetWebhook) == SetWebhook(address="", place="127.0.0.1")
    hand.press(keys.ESCAPE)
    assert "Remove" not in lobby.app.labels()


def test_a_refusal_is_shown_and_the_address_stays(lobby: Table, hand: Hand) -> None:
    open_page(hand)
    hand.click_on("Address of the webhook")
    hand.type("https://evil.example/x")
    hand.press(keys.ENTER)
    lobby.say(Problem("webhook/host", text("busy")))
    assert lobby.session.notice.startswith("Too much at once")
    assert "https://evil.example/x" in shown(lobby)
    assert "Set" in lobby.app.enabled()


def test_one_that_was_switched_off_says_so_on_coming_back_and_why(lobby: Table, hand: Hand) -> None:
    lobby.say(OFF)
    bell = f"You are told nothing elsewhere any more: 10 messages in a row did not arrive. {WORDS}"
    assert bell in lobby.app.labels()
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    lobby.settle()
    assert bell not in lobby.app.labels()
    # the same again is no news
    lobby.say(OFF)
    assert bell not in lobby.app.labels()
    open_page(hand)
    assert f"Switched off: 10 messages in a row did not arrive. {WORDS}" in shown(lobby)
    hand.click_on("Send a test")
    lobby.say(WebhookState(HOSTS, "discord.com", tried=True))
    assert "You are told at discord.com." in shown(lobby)


def test_the_bell_sends_a_test(lobby: Table, hand: Hand) -> None:
    lobby.say(OFF)
    hand.press(keys.J, keys.MOD_CTRL)
    assert lobby.last(TryWebhook) == TryWebhook()
    lobby.say(WebhookState(HOSTS, "discord.com", 11, off=True, why=WHY, tried=True))
    assert lobby.session.notice == f"The test has not arrived. {WORDS}"
    assert not lobby.session.webhook.is_off_told


def test_a_server_that_sends_nowhere_offers_nothing(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Bertram", "token", "test", "0.1"), Lobby(()))
    hand.click_on("My account")
    assert "Tell me elsewhere" in app.labels()
    assert "Tell me elsewhere" not in app.enabled()
    assert not [message for message in table.said if isinstance(message, GetWebhook)]


def test_a_turn_elsewhere_is_told_by_a_bell_that_leads_there(lobby: Table, hand: Hand) -> None:
    lobby.say(TurnTold(TableId("t8"), "Thursday"), TurnTold(TableId("t9"), "Friday"))
    assert "It is your turn at Thursday." in lobby.app.labels()
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    lobby.settle()
    assert "It is your turn at Friday." in lobby.app.labels()
    hand.click_on("Go there")
    assert lobby.last(OpenTable) == OpenTable(table=TableId("t9"))
    assert "It is your turn at Friday." not in lobby.app.labels()
