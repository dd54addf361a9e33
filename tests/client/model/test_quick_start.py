"""A quick start at a server that refuses what comes too soon: each step is taken again, a few times."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.model.arrival_plan import ArrivalPlan
from client.model.quick_start import MOST_TRIES, PAUSE
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.text import text
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.from_client import CreateTable, FromClient, OpenTable, StartMatch
from protocol.wire.from_server import Problem, Systems, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes

Arrive = Callable[[TableRow], Table]

MILL = ScenarioChoice("mill", text("mill"), text("about"), 4, ())
SYSTEMS = Systems((SystemChoice("action_cards", text("ac"), (MILL,), ("level1",)),))
RUNNING = TableRow(TableId("t1"), "Mine", "action_cards", text("mill"), "live", 2, 2, mine=True)
OTHER = replace(RUNNING, mine=False)
BUSY = Problem("busy", text("busy"))


@pytest.fixture
def arrive(app: ReadableApp, tmp_path: Path) -> Arrive:
    def _arrive(row: TableRow) -> Table:
        table = Table(app, tmp_path, [])
        table.navigator.plan = ArrivalPlan(quick=True)
        app.show(LobbyScreen(app, table.session, table.navigator))
        table.say(Welcome("me", "Bertram", "token", "test", "0.1"), SYSTEMS, Lobby((row,)))
        return table

    return _arrive


def times(table: Table, kind: type[FromClient]) -> int:
    table.settle()
    return sum(isinstance(message, kind) for message in table.said)


@pytest.mark.parametrize(("row", "step"), [(RUNNING, OpenTable), (OTHER, CreateTable)])
def test_what_came_too_soon_is_asked_again_after_a_pause(arrive: Arrive, row: TableRow, step: type[FromClient]) -> None:
    table = arrive(row)
    table.say(BUSY)
    table.time += PAUSE / 2
    assert times(table, step) == 1
    table.time += PAUSE / 2
    assert times(table, step) == 2
    assert not table.session.notice, "the refusal is still told"


def test_the_refusal_stands_after_the_last_try(arrive: Arrive) -> None:
    table = arrive(RUNNING)
    for _ in range(MOST_TRIES + 2):
        table.say(BUSY)
        table.time += PAUSE
        table.settle()
    assert times(table, OpenTable) == MOST_TRIES
    assert table.session.notice.startswith("Too much at once")


def test_another_refusal_ends_the_quick_start(arrive: Arrive) -> None:
    table = arrive(OTHER)
    table.say(Problem("bound/openings-person", text("busy")))
    table.time += PAUSE
    assert times(table, CreateTable) == 1
    table.say(replace(scenes.table_view(0, "open"), owner="me"))
    assert times(table, StartMatch) == 0, "a table that the person made later was started"


def test_the_start_of_a_new_table_is_asked_again_until_the_match_runs(arrive: Arrive) -> None:
    table = arrive(OTHER)
    made = replace(scenes.table_view(0, "open"), owner="me")
    table.say(made)
    table.say(BUSY)
    table.time += PAUSE
    assert times(table, StartMatch) == 2
    table.say(BUSY, replace(made, state="live"))
    table.time += PAUSE
    assert times(table, StartMatch) == 2
    assert table.navigator.quick is None


@pytest.fixture
def returned(app: ReadableApp, tmp_path: Path) -> Table:
    """Program of a learner who was away when the guided match ended: it is not in the list of what is on."""
    table = Table(app, tmp_path, [])
    table.session.profile.lessons["t1"] = ["move"]
    table.navigator.plan = ArrivalPlan(quick=True)
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Bertram", "token", "test", "0.1"), SYSTEMS, Lobby(()))
    return table


def test_the_result_of_a_guided_match_that_ended_while_one_was_away_is_shown(returned: Table) -> None:
    returned.say(BUSY)
    returned.time += PAUSE
    assert (times(returned, OpenTable), times(returned, CreateTable)) == (2, 0)
    returned.say(replace(scenes.table_view(0, "finished"), id=TableId("t1"), lesson="first"))
    returned.session.lessons.chose("move")
    assert returned.session.profile.lessons == {}
    assert returned.navigator.quick is None


def test_a_guided_match_that_the_server_does_not_know_is_asked_for_once(returned: Table) -> None:
    returned.say(Problem("table/unknown", text("unknown")))
    assert (times(returned, OpenTable), times(returned, CreateTable)) == (1, 1)
    assert returned.session.profile.lessons == {}


def test_the_result_of_a_guided_match_that_ended_in_the_pause_is_shown(arrive: Arrive) -> None:
    table = arrive(RUNNING)
    table.session.profile.lessons["t1"] = ["move"]
    table.say(BUSY, Lobby(()))
    table.time += PAUSE
    assert (times(table, OpenTable), times(table, CreateTable)) == (2, 0)
