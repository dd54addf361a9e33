"""The game in plain text, in processes of its own: three acts of each system through pipes, and a whole match in a
pseudo-terminal."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.content.systems import find_systems
from tests.support.clients.plain.player import PlainPlayer, TerminalPlayer
from tests.support.clients.plain.robot import PlainRobot
from tests.support.clients.programs import ServerProgram

GAMES = sorted(find_systems())


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProgram]:
    server = ServerProgram(tmp_path / "server")
    server.log.parent.mkdir()
    await server.start()
    try:
        yield server
    finally:
        await server.end()


@pytest.mark.waits
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_three_acts_are_played_and_told_through_pipes(server: ServerProgram, tmp_path: Path, game: str) -> None:
    player = PlainPlayer(tmp_path, "player", server.port)
    await player.start()
    try:
        await player.until("The lobby of")
        await player.type(f"play {GAMES.index(game) + 1}", "wait")
        look = "\n".join(await player.tell("look"))
        who = "\n".join(await player.tell("who"))
        robot = PlainRobot(player, random.Random(25))
        await robot.play(acts=3)
        log = await player.tell("log")
        await player.type("quit")
        status = await player.wait(60)
    finally:
        await player.end()
    assert " from west to east and " in look
    assert "(you)" in who
    assert robot.acts == 3
    assert robot.refusals == []
    assert log[0].startswith("1. ")
    assert status == 0
    assert player.log.read_text() == ""


@pytest.mark.waits
@pytest.mark.slow
async def test_a_person_on_a_german_system_reads_and_types_german(server: ServerProgram, tmp_path: Path) -> None:
    player = PlainPlayer(tmp_path, "player", server.port, language="de")
    await player.start()
    try:
        await player.until("Die Lobby von")
        await player.type("spielen 3", "warte")
        await player.type("schau gelände", "würfel an", "regeln")
        told = await player.until("9. Psikräfte")
        await player.type("ende")
        status = await player.wait(60)
    finally:
        await player.end()
    assert any(line.endswith("schwieriges Gelände") for line in told)
    assert "Ab jetzt werden die Würfel jedes Zugs gesagt." in told
    assert status == 0
    assert player.log.read_text() == ""


@pytest.mark.long("client")
async def test_a_whole_match_is_played_in_a_pseudo_terminal(server: ServerProgram, tmp_path: Path) -> None:
    player = TerminalPlayer(tmp_path, "player", server.port)
    await player.start()
    try:
        await player.until("The lobby of")
        await player.type("play 1", "wait")
        robot = PlainRobot(player, random.Random(7))
        await robot.play(acts=2000)
        ending = "\n".join(player.heard[-60:])
        await player.type("quit")
        status = await player.wait(60)
    finally:
        await player.end()
    assert robot.is_over
    assert robot.acts > 5
    assert " won" in ending or "Nobody has won" in ending
    assert robot.refusals == []
    assert status == 0
    assert player.log.read_text() == ""
