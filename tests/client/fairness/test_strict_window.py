"""Strict dice in a real window at a real server: the option by mouse and by keyboard, and the mark beside the dice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from arcade import key as keys

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from client.views.table.table_screen import TableScreen
from protocol.wire.from_client import CreateTable
from protocol.wire.from_server import TableView
from tests.support.clients.programs import until
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import running
from tests.support.systems.gamblers import GAMBLERS
from tests.support.systems.hand import Hand

SECONDS = 30.0


@pytest.mark.waits
async def test_the_option_is_chosen_and_dice_bear_the_mark(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    navigator = Navigator(app, UserProfile("Ada"), "ada", tmp_path / "client")

    def table() -> TableView:
        assert navigator.session is not None
        found = navigator.session.conversation.table
        assert found is not None
        return found

    def marked(words: str) -> Callable[[], bool]:
        return app.turned(lambda: words in app.labels())

    def waited() -> bool:
        run.clock.advance(0.1)
        return "Not strict" in app.labels()

    async with running(tmp_path, systems=GAMBLERS) as run:
        try:
            assert navigator.connect_to(f"127.0.0.1:{run.port}") == ""
            assert navigator.session is not None
            session = navigator.session
            await until(app.turned(lambda: session.conversation.systems), SECONDS)
            session.say(CreateTable(system="duel", scenario="two", name="Strict"))
            await until(app.turned(lambda: "Strict dice" in app.enabled()), SECONDS)
            hand.click_on("Strict dice")
            await until(app.turned(lambda: table().strict), SECONDS)
            hand.tab_to("Strict dice")
            hand.press(keys.ENTER)
            await until(app.turned(lambda: not table().strict), SECONDS)
            hand.press(keys.ENTER)
            await until(app.turned(lambda: table().strict), SECONDS)
            ben = await run.client("Ben", adds=True)
            await ben.join(table().code)
            await ben.ready()
            hand.click_on("Ready")
            await until(app.turned(lambda: "Start" in app.enabled()), SECONDS)
            hand.click_on("Start")
            await until(app.turned(lambda: isinstance(app.front, TableScreen)), SECONDS)
            await until(app.turned(lambda: "duel.gamble" in app.enabled()), SECONDS)
            hand.click_on("duel.gamble")
            await until(marked("Strict"), SECONDS)
            await ben.close()
            await until(app.turned(lambda: not table().seats[1].connected), SECONDS)
            hand.click_on("duel.gamble")
            # nobody else adds: the server's clock does not move until it does
            await until(app.turned(waited), SECONDS)
            hand.press(keys.F2)
            await until(app.turned(lambda: any("not strict" in label for label in app.labels())), SECONDS)
        finally:
            navigator.close()
