"""A rule that raises: the act is refused, that match stays as it was, and every other match goes on."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from server.content.systems import install
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.faults.kills.crash_server import ENDLESS, UNHURRIED
from tests.support.runs.longrun import Figures, LongRun
from tests.support.systems.duel import Duel


async def stumble_again_and_again(run: Running, matches: int, faults: int) -> dict[str, float]:
    """At one match an act raises, again and again, while every other one is played on."""
    ann, ben = await two_players(run, seconds=3600)
    others = [await two_players(run, seconds=3600) for _ in range(matches - 1)]
    picture = ann.scene.hashes, ben.scene.hashes
    played = 0

    async def play(pair: tuple[Client, Client]) -> None:
        nonlocal played
        for number in range(faults):
            player = pair[number % 2]
            await player.my_turn("rest")
            assert await player.intend("rest") == ""
            played += 1

    async def stumble() -> None:
        for _ in range(faults):
            assert await ann.intend("stumble") == "rules/fault"

    await asyncio.gather(stumble(), *map(play, others))
    for player in (ann, ben):
        await player.say(say.Resync())
        await player.until(lambda: player.scene.is_whole)  # noqa: B023 - awaited at once
    assert (ann.scene.hashes, ben.scene.hashes) == picture
    logged = [line for line in run.lines if line["level"] == "error"]
    assert len(logged) == faults
    assert len({line["error"] for line in logged}) == faults
    assert await ann.intend("focus") == ""
    assert played == (matches - 1) * faults
    return {"faults": faults, "acts_elsewhere": played, "matches": matches}


async def bugs(folder: Path, matches: int, faults: int) -> dict[str, float]:
    """A server with the faulty duel."""
    folder.mkdir(exist_ok=True)
    system = Duel(faulty=True)
    systems = {"duel": install(system, {"duel.toml": ENDLESS.replace("endless", "two")})}
    async with running(folder, systems=systems, limits=UNHURRIED) as run:
        return await stumble_again_and_again(run, matches, faults)


async def test_a_bug_in_one_match_of_six(tmp_path: Path) -> None:
    await bugs(tmp_path, matches=6, faults=12)


def batch(folder: Path, seed: int) -> Figures:
    return asyncio.run(bugs(folder / str(seed), matches=20, faults=100))


@pytest.mark.long("rule-bugs")
def test_long_bugs_in_one_match_of_twenty(tmp_path: Path) -> None:
    total = LongRun("rule-bugs", batches=10).complete(partial(batch, tmp_path))
    assert total["faults"] == 1_000
