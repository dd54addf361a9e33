"""A host's data folder with a finished match, a live one in the middle of a question, and an open table."""

from __future__ import annotations

from pathlib import Path

from server.cli.data.fsck import Finding, Host, examine
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store.sqlite.reader import SqliteReader
from tests.support.clients.wire import Running, running, two_players, until_put_away
from tests.support.systems.duel import Duel


async def play_some(run: Running) -> None:
    """Play three tables: over and put away, live with one answer sealed, open."""
    ann, ben = await two_players(run)
    for turn in range(6):
        player = (ann, ben)[turn % 2]
        await player.my_turn()
        assert await player.intend("draw" if turn == 0 else "rest") == ""
        if turn == 0:
            await player.my_turn()
            assert await player.intend("rest") == ""
    for player in (ann, ben):
        await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type
    eva, kim = await two_players(run, reaction_seconds=5)
    assert await eva.intend("parley") == ""
    await eva.my_turn("yes")
    await kim.my_turn("yes")
    assert await eva.intend("yes") == ""
    liz = await run.client("Liz")
    await liz.create()
    await until_put_away(run.server.store, left=1)


async def kept(data: Path) -> Path:
    """Return the folder, its server ended."""
    data.mkdir(parents=True, exist_ok=True)
    async with running(data) as run:
        await play_some(run)
    return data


def host_of(data: Path) -> Host:
    """Return the host of a data folder, with the test system as its rules."""
    return Host({"duel": Duel()}, SealingKey.at(data / "host.key"), HostKey.at(data / "host.ed25519"), data / "replays")


async def findings(data: Path) -> list[Finding]:
    """Return fsck's findings on a folder."""
    host = host_of(data)
    reader = SqliteReader(data / "eschaton.db")
    try:
        return [finding async for finding in examine(reader, host)]
    finally:
        await reader.close()
