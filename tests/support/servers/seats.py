"""Three at a duel, their votes, and time that passes in small steps."""

from __future__ import annotations

from collections.abc import Callable

from protocol.ids import NodeId
from protocol.scene.nodes import SeatNode
from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from tests.support.clients.wire import Client, Running


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


def health(client: Client, seat: int) -> int:
    assert client.talk.scene is not None
    node = client.talk.scene.nodes[NodeId(f"seat/{seat}")]
    assert isinstance(node, SeatNode)
    return node.score


async def call(client: Client, what: str, seat: int | None = None) -> None:
    await client.say(say.CallVote(what=what, seat=seat))  # type: ignore[arg-type]  # pydantic looks


async def cast(client: Client, *, yes: bool) -> None:
    await client.say(say.CastVote(yes=yes))


async def jump(run: Running, seconds: float, *clients: Client) -> None:
    """Let time pass in small steps, everything that follows being carried out in between."""
    for _ in range(int(seconds)):
        run.clock.advance(1)
        for client in clients:
            client.talk.lobby = None
            await client.say(say.ListTables())
            await client.until(lambda client=client: client.talk.lobby is not None)  # type: ignore[misc]  # a default has no type


async def three_players(run: Running, **changes: object) -> tuple[Client, Client, Client]:
    """Return Ann, Ben and Cleo at a duel for three that has started."""
    ann, ben, cleo = await run.client("Ann"), await run.client("Ben"), await run.client("Cleo")
    code = await ann.create("three")
    for client in (ben, cleo):
        await client.join(code)
    await ann.change(**{"bank": 0, **changes})
    for client in (ben, cleo):
        await client.ready()
    await ann.until(lambda: all(seat.ready or not seat.seat for seat in seen(ann).seats))
    await ann.say(say.StartMatch())
    await ann.my_turn()
    return ann, ben, cleo


async def all_see(condition: Callable[[TableView], bool], *clients: Client) -> None:
    for client in clients:
        await client.until(lambda client=client: condition(seen(client)))  # type: ignore[misc]  # a default has no type
