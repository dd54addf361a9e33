"""A match that is over is not kept in memory where nobody looks at it, nor its table, however it ended and whoever left
when."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from engine.core.match.match import Match
from protocol.wire import from_client as say
from server.lobby.matches.abandoned_matches import PARKED_SECONDS
from server.lobby.table.live_table import LiveTable
from server.match.host import MatchHost
from server.match.step import Stepper
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players, until_put_away
from tests.support.doubles.gated_store import GatedStore
from tests.support.servers.hours import HOUR, hours
from tests.support.systems.duel_state import DuelState

KINDS = (LiveTable, MatchHost, Stepper, Match, DuelState)
MATCHES = 10


@pytest.fixture(autouse=True)
def others_apart() -> None:
    """Leave out of sight what earlier tests have left, and out of later collections, too: it stays to the end."""
    gc.collect()
    gc.freeze()


def alive() -> list[Any]:
    """Tables, hosts, matches and boards that are still held by something."""
    gc.collect()
    return [thing for thing in gc.get_objects() if issubclass(type(thing), KINDS)]


async def until_forgotten() -> None:
    """Wait until nothing of any match is left."""

    async def is_so() -> bool:
        return not alive()

    await until(is_so)


async def last_act(run: Running) -> tuple[Client, Client]:
    """Ann and Ben, of whom Ben has the last act."""
    ann, ben = await two_players(run)
    for turn in range(5):
        player = (ann, ben)[turn % 2]
        await player.my_turn()
        assert await player.intend("rest") == ""
    await ben.my_turn()
    return ann, ben


async def until_alone(run: Running) -> None:
    """Wait until nobody is connected."""

    async def is_so() -> bool:
        return not run.server.lobby.sessions()

    await until(is_so)


async def test_of_ten_matches_whose_end_nobody_saw_nothing_is_left(tmp_path: Path) -> None:
    store = GatedStore()
    async with running(tmp_path, store=store) as run:
        for _ in range(MATCHES):
            ann, ben = await last_act(run)
            assert ben.prompt is not None
            store.gate.clear()
            store.reached.clear()
            await ben.say(say.Intent(id=b"the last act....", prompt=ben.prompt.id, choice="rest"))
            await store.reached.wait()
            await ann.close()
            await ben.close()
            await until_alone(run)
            store.gate.set()
        await until_put_away(store)
        await until_forgotten()
        assert [live.record.state for live in run.server.lobby.tables()] == ["finished"] * MATCHES


async def test_a_parked_match_that_is_opened_for_nobody_is_forgotten(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await last_act(run)
        run.server.lobby.tables()[0].parked()
        await ann.close()
        await ben.close()
        await until_alone(run)
        assert alive()
        await hours(run.clock, int(PARKED_SECONDS / HOUR) + 2)
        await until_forgotten()
        assert [live.record.state for live in run.server.lobby.tables()] == ["finished"]
