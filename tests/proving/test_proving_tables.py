"""Tables of the proving game on the server: one seat against the game, and a phase that each seat ends for itself."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from server.cli.simulation.simulate import play
from server.content.systems import Installed
from tests.proving.test_proving_server import start, stored, watch_to_the_end
from tests.support.clients.wire import Client, Running, running
from tests.support.proving import events
from tests.support.twins.stubs import NUMBERS, KnownNumbers


@pytest.fixture(autouse=True)
def known_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds of matches in every run."""
    numbers = KnownNumbers()
    for name in NUMBERS:
        monkeypatch.setattr(secrets, name, getattr(numbers, name))


async def table(run: Running, scenario: str) -> Client:
    """Let Ann open a table of a scenario of the proving game."""
    ann = await run.client("Ann")
    await ann.say(say.CreateTable(system="proving", scenario=scenario, name="Ground", private=False))
    await ann.arrived()
    await ann.say(say.ChangeTable(reaction_seconds=0, bank=0, solo_clock=True))
    return ann


def clocks(client: Client) -> dict[int, int]:
    """Return the seconds left to each seat that the table waits for."""
    shown = client.talk.table.clocks if client.talk.table is not None else ()
    return {clock.seat: clock.left // 1000 for clock in shown}


@pytest.mark.parametrize("seats", [1, 3])
def test_bots_play_it_and_its_replay_checks(proving: dict[str, Installed], seats: int) -> None:
    installed = proving["proving"]
    scenario = {1: "alone", 3: "drill"}[seats]
    assert play(installed, installed.scenarios[scenario], ("random",) * seats, 5, 0).finished


@pytest.mark.waits(times=200)
async def test_one_person_plays_alone_against_the_game(tmp_path: Path, proving: dict[str, Installed]) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await table(run, "alone")
        assert ann.talk.table is not None
        assert len(ann.talk.table.seats) == 1
        await start(ann)
        await ann.my_turn("hide")
        assert await ann.intend("hide", cell=[1, 1]) == ""
        await ann.my_turn("ready")
        assert await ann.intend("shift", unit=["piece/u00"], cell=[0, 2]) == ""
        assert await ann.intend("core:undo") == ""
        assert await ann.intend("ready") == ""
        await ann.my_turn("end")
        assert await ann.intend("end") == ""
        name = ann.talk.table.id
        await watch_to_the_end(run, ann, 70)
        steps = await stored(tmp_path, name, proving)
    happened = [type(entry) for step in steps for entry in step.entries]
    assert happened.count(events.TurnBegun) == 5
    assert events.Shifted in happened, "the game acts, too"


@pytest.mark.waits(times=200)
async def test_each_seat_prepares_by_its_own_clock_and_undoes_its_own_acts(
    tmp_path: Path, proving: dict[str, Installed]
) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await table(run, "drill")
        await ann.say(say.AddBot(kind="random", seat=2))
        assert ann.talk.table is not None
        ben = await run.client("Ben")
        await ben.say(say.JoinTable(code=ann.talk.table.code))
        await ben.arrived()
        await ben.ready()
        await start(ann)
        for client, cell in ((ann, [1, 1]), (ben, [8, 2])):
            await client.my_turn("hide")
            assert await client.intend("hide", cell=cell) == ""
        await ann.my_turn("ready")
        await ben.my_turn("ready")
        run.clock.advance(20)
        assert await ann.intend("shift", unit=["piece/u00"], cell=[0, 2]) == ""
        assert await ben.intend("face", unit=["piece/u10"], facing=60) == ""
        run.clock.advance(10)
        assert await ann.intend("core:undo") == ""
        assert await ann.intend("shift", unit=["piece/u00"], cell=[1, 3]) == ""
        await ann.until(lambda: clocks(ann).get(0) == 80 and clocks(ann).get(1) == 80)
        assert await ann.intend("ready") == ""
        await ben.until(lambda: 0 not in clocks(ben))
        assert clocks(ben)[1] == 80, "what Ann does gives Ben no time"
        run.clock.advance(81)
        await ann.my_turn("end")
