"""A person in a real window at a real server sees the table of the scenario before the set-up, and sees it change."""

from __future__ import annotations

from pathlib import Path

from arcade import key as keys

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from client.views.lobby.setup_screen import SetupScreen
from engine.rulesets.action_cards import system
from protocol.wire.from_client import ChangeTable
from server.content.systems import install, texts_of
from tests.support.clients.programs import until
from tests.support.clients.windows.joined import SECONDS, join_a_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import running
from tests.support.systems.hand import Hand

NAME = "Picture of the scenario"


async def test_the_picture_comes_follows_the_owners_choice_and_opens(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    navigator = Navigator(app, UserProfile("Bea"), "bea", tmp_path / "client")
    async with running(tmp_path / "data", systems={"action_cards": install(system, texts_of(system))}) as run:
        try:
            ann, session = await join_a_table(app, navigator, run, "harrow_cross")
            await until(app.turned(lambda: isinstance(app.front, SetupScreen) and NAME in app.enabled()), SECONDS)
            table = session.conversation.table
            assert table is not None
            cross = session.previews.of(table)
            assert cross is not None
            await ann.say(ChangeTable(scenario="dyke_end"))
            await until(app.turned(lambda: _scenario(navigator) == "dyke_end" and NAME in app.enabled()), SECONDS)
            table = session.conversation.table
            assert table is not None
            dyke = session.previews.of(table)
            assert dyke is not None
            assert dyke.hash != cross.hash
            assert dyke.left_out == 17
            hand.press(keys.M)
            assert set(app.enabled()) == {"Close"}
        finally:
            navigator.close()


def _scenario(navigator: Navigator) -> str:
    table = navigator.session.conversation.table if navigator.session is not None else None
    return table.scenario if table is not None else ""
