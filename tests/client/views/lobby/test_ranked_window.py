"""A ranked table in a real window at a real server: made by mouse and by keyboard, found in the lobby, and played."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from client.views.result_screen import ResultScreen
from protocol.wire.from_client import CreateTable, KeepName
from protocol.wire.from_server import TableView
from tests.support.clients.programs import until
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import Client
from tests.support.servers.registration import PASSWORD, cheaply, keeps
from tests.support.systems.hand import Hand

SECONDS = 30.0


def shown(app: ReadableApp) -> str:
    """Return all words in sight."""
    app.build()
    return "\n".join(key[0] for layer in app.ui.layers.values() for key, _, _ in layer.letters.lines)


@pytest.mark.waits
async def test_a_ranked_table_is_made_found_and_played(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    navigator = Navigator(app, UserProfile("Ada"), "ada", tmp_path / "client")

    def table() -> TableView:
        assert navigator.session is not None
        found = navigator.session.conversation.table
        assert found is not None
        return found

    async def rest(ben: Client) -> None:
        for turn in range(6):
            if turn % 2:
                await until(app.turned(lambda: ben.offers("rest")), SECONDS)
                assert await ben.intend("rest") == ""
            else:
                await until(app.turned(lambda: "duel.rest" in app.enabled()), SECONDS)
                hand.click_on("duel.rest")

    async with cheaply(tmp_path) as run:
        try:
            assert navigator.connect_to(f"127.0.0.1:{run.port}") == ""
            assert navigator.session is not None
            session = navigator.session
            await until(app.turned(lambda: session.conversation.systems), SECONDS)
            session.say(CreateTable(system="duel", scenario="two", name="Title fight"))
            await until(app.turned(lambda: "Ranked" in app.enabled()), SECONDS)
            hand.click_on("Ranked")
            await until(app.turned(lambda: "keep their name" in session.notice), SECONDS)
            assert not table().ranked
            session.say(KeepName(password=PASSWORD))
            session.notice = ""
            await until(app.turned(lambda: session.notice), SECONDS)
            hand.tab_to("Ranked")
            hand.press(keys.ENTER)
            await until(app.turned(lambda: table().ranked and "Time" not in app.enabled()), SECONDS)
            assert "Staying power" in app.enabled()
            ben = Client(run.port, "Ben", address="127.0.0.2", adds=True)
            await ben.connect()
            run.clients.append(ben)
            await keeps(ben)
            await ben.join(table().code)
            await ben.ready()
            hand.click_on("Lobby")
            await until(app.turned(lambda: ", ranked" in shown(app)), SECONDS)
            navigator.to_table()
            await until(app.turned(lambda: "Ready" in app.enabled()), SECONDS)
            hand.click_on("Ready")
            await until(app.turned(lambda: "Start" in app.enabled()), SECONDS)
            hand.click_on("Start")
            await rest(ben)
            await until(
                app.turned(lambda: isinstance(app.front, ResultScreen) and "Ranked match." in shown(app)), SECONDS
            )
        finally:
            navigator.close()
