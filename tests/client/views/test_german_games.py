"""The games with army lists in German: no line of a table at play or of a list is cut off at the usual size. Tables of
the card game: test_languages_fit.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from client.views.lobby.setup_screen import SetupScreen
from client.views.table.table_screen import TableScreen
from engine.core.rules.army_lists import lists_of
from protocol.ids import NodeId
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.from_server import Catalogue, ListShown, Systems
from server.content.systems import Installed, find_systems, load
from tests.client.views.test_languages_fit import cut_off
from tests.support.clients.sessions import Table
from tests.support.clients.windows.deeds import SET_UP
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.languages.speaking import speaking

pytestmark = pytest.mark.waits
GERMAN = "de"
MINE = 1
SCENARIOS = {"apocalypse_earth": "meeting_engagement", "one_page": "crossroads_3000"}
PERSON = "Player"
"""Beginning of the names of people, which are too long for some places in any language."""


@pytest.fixture(scope="module")
def games() -> dict[str, Installed]:
    return load(find_systems(list(SCENARIOS)).values())


def cut(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return sorted(line for line in cut_off(table, monkeypatch) if PERSON not in line)


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_line_of_a_table_at_play_is_cut_off(
    app: ReadableApp, tmp_path: Path, games: dict[str, Installed], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with speaking(GERMAN):
        local = LocalTable(app, tmp_path, games[name], SCENARIOS[name], 3, SET_UP)
        local.table.say(games[name].catalogue(GERMAN))
        hand = GestureHand(local)
        hand.until(lambda: hand.view.gestures.prompt is not None and hand.view.controller.driver is not None)
        front: Any = app.front
        assert isinstance(front, TableScreen)
        shown = cut(local.table, monkeypatch)
        own = sorted(id for id in front.model.top.groups if id.startswith("group/0."))
        for group in map(NodeId, own[:3]):
            front.gestures.focus(group)
            hand.until(lambda: front.gestures.survey.is_done)
            shown += cut(local.table, monkeypatch)
        assert sorted(set(shown)) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_line_of_an_army_list_is_cut_off(
    table: Table, games: dict[str, Installed], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed, view = games[name], scenes.table_view(MINE, "open")
    lists = lists_of(installed.system)
    info = next(info for info in installed.scenarios.values() if info.points)
    armies = tuple([FactionChoice(army.id, army.name, army.lines) for army in info.factions])
    scenario = ScenarioChoice(view.scenario, info.name, info.about, 2, armies, points=info.points)
    assert lists is not None
    with speaking(GERMAN):
        table.say(Catalogue(view.system, GERMAN, "e" * 16, dict(installed.catalogue(GERMAN).entries)))
        table.say(Systems((SystemChoice(view.system, Text("x"), (scenario,), ("random",)),)), view)
        screen = SetupScreen(table.app, table.session, table.navigator)
        table.app.show(screen)
        screen.lists.open()
        for army in lists.factions(installed.content):
            code = lists.build(installed.content, army, info.points, 3)
            table.say(ListShown(MINE, lists.form(installed.content, code)))
            assert cut(table, monkeypatch) == [], army
