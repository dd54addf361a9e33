"""A duel whose programs add links to the dice, and what the log says of them."""

from __future__ import annotations

from typing import Any

from engine.core.causes import RoundOpened, TableEvent
from engine.core.dice import MatchDice
from engine.core.match import Match
from protocol import from_client as say
from tests.support.duel import Duel
from tests.support.wire import Client, Running

ANN, BEN = b"a" * 32, b"b" * 32


async def players(run: Running, ben_secret: bytes) -> tuple[Client, Client]:
    """Ann and Ben at a duel that is about to start; Ben's program speaks for itself without a secret."""
    ann, ben = await run.client("Ann", link_secret=ANN), await run.client("Ben", link_secret=ben_secret)
    await ben.join(await ann.create())
    await ben.ready()
    await ann.until(lambda: ann.talk.table is not None and all(s.ready or s.seat == 0 for s in ann.talk.table.seats))
    return ann, ben


async def start(ann: Client) -> None:
    await ann.say(say.StartMatch())


def table_of(client: Client) -> str:
    assert client.talk.table is not None
    return client.talk.table.id


async def steps_of(run: Running, table: str) -> list[Any]:
    """The steps of a match as they are stored."""
    match: Match[Any] = Match(Duel(), table, MatchDice(bytes(32), table))
    return [match.codec.decode(stored.step) for stored in await run.server.store.read(table)]


def rounds(steps: list[Any]) -> list[tuple[bytes, ...]]:
    return [step.cause.links for step in steps if isinstance(step.cause, RoundOpened)]


def notes(steps: list[Any]) -> list[tuple[str, int, str]]:
    causes = [step.cause for step in steps if isinstance(step.cause, TableEvent)]
    return [(cause.kind, cause.seat, cause.detail) for cause in causes]


async def rest_to_the_end(*players: Client, turns: int = 6) -> None:
    for turn in range(turns):
        player = players[turn % 2]
        await player.my_turn()
        assert await player.intend("rest") == ""
    for player in players:
        await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type
