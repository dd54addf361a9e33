"""A person in a real window at a real server reads the pages of the factions, one made by its host, and takes one."""

from __future__ import annotations

from pathlib import Path

from arcade import key as keys

from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from client.views.lobby.setup_screen import SetupScreen
from engine.rulesets.action_cards import system
from server.content.systems import install, texts_of
from tests.support.clients.programs import until
from tests.support.clients.windows.joined import SECONDS, join_a_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import running
from tests.support.systems.hand import Hand

OWN = """
[faction]
id = "undertow"
name = "The Undertow"
size = 2
move = 10
glyph = "hood"
background = "They came with the tide.\\n\\nHow they play: from below."
strong = "Harpoons of three dice."
weak = "Only four of them."
kill = { open = 7, cover = 11, building = 13 }

[[faction.weapon]]
id = "harpoon"
name = "harpoon"
dice = 3

[[faction.figure]]
id = "drowned"
name = "drowned one"
weapons = ["harpoon"]
glyph = "hood"

[[faction.squad]]
count = 2
figures = ["drowned", "drowned"]
"""


async def test_pages_of_shipped_factions_and_of_the_hosts_own_are_read_and_one_is_taken(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    navigator = Navigator(app, UserProfile("Bea"), "bea", tmp_path / "client")
    systems = {"action_cards": install(system, {**texts_of(system), "mine.toml": OWN})}
    async with running(tmp_path / "data", systems=systems) as run:
        try:
            _, session = await join_a_table(app, navigator, run, "harrow_cross")
            await until(app.turned(lambda: isinstance(app.front, SetupScreen) and "Factions" in app.enabled()), SECONDS)
            hand.press(keys.F)
            hand.click_on("About Kite Post")
            await until(app.turned(lambda: session.factions.of("action_cards", "kites") is not None), SECONDS)
            assert "How they play: over everything." in _words(app)
            hand.click_on("About The Undertow")
            await until(app.turned(lambda: session.factions.of("action_cards", "undertow") is not None), SECONDS)
            told = _words(app)
            for said in ("How they play: from below.", "Harpoons of three dice.", "Only four of them.", "Drowned one"):
                assert said in told
            hand.click_on("Play The Undertow")
            await until(app.turned(lambda: _faction(navigator) == "undertow"), SECONDS)
        finally:
            navigator.close()


def _words(app: ReadableApp) -> str:
    app.refresh()
    app.build()
    return " ".join(key.text for key, _, _ in app.ui.layers["popup"].letters.lines)


def _faction(navigator: Navigator) -> str:
    table = navigator.session.conversation.table if navigator.session is not None else None
    return next((seat.faction for seat in table.seats if seat.seat == table.seat), "") if table is not None else ""
