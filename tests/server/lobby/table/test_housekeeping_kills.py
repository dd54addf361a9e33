"""SIGKILL in the middle of a vote, of a rest, and while a bot stands in: a real server goes on where it was."""

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from tests.support.clients.programs import ServerProgram
from tests.support.clients.quick_server import QuickServer
from tests.support.clients.wire import Client


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def meet(server: ServerProgram) -> tuple[Client, Client]:
    """Ann and Ben, and two bots of the server, at a match that has begun."""
    ann, ben = Client(server.port, "Ann"), Client(server.port, "Ben")
    await ann.connect()
    await ben.connect()
    await ann.say(say.CreateTable(system="action_cards", scenario="harrow_cross", name="Two"))
    await ann.arrived()
    await ben.join(seen(ann).code)
    for _ in range(2):
        await ann.say(say.AddBot(kind="level1"))
    await ben.ready()
    await ann.until(lambda: all(seat.ready or not seat.seat for seat in seen(ann).seats))
    await ann.say(say.StartMatch())
    for client in (ann, ben):
        await client.until(lambda client=client: client.state == "live")  # type: ignore[misc]  # a default has no type
    return ann, ben


async def killed(server: ServerProgram, *clients: Client) -> None:
    """The server dies and is started again; these come back."""
    await server.kill()
    for client in clients:
        await client.close()
    await server.start()
    for client in clients:
        client.port = server.port
        await client.connect()


async def test_votes_rests_and_stand_ins_outlive_a_kill(tmp_path: Path) -> None:
    # a vote is not to run out while a busy machine starts the next server
    server = QuickServer(tmp_path, options=("--vote-seconds", "600"))
    await server.start()
    ann, ben = await meet(server)
    try:
        await ann.say(say.CallVote(what="adjourn"))
        await ben.until(lambda: seen(ben).vote is not None)
        await killed(server, ann, ben)
        await ben.until(lambda: (vote := seen(ben).vote) is not None and vote.yes == (0,))
        await ben.say(say.CastVote(yes=True))
        await ben.until(lambda: seen(ben).rest == "adjourned" and seen(ben).vote is None)
        await killed(server, ann, ben)
        await ann.until(lambda: seen(ann).rest == "adjourned")
        await ann.say(say.CallVote(what="resume"))
        await ann.until(lambda: not seen(ann).rest)
        await ben.close()
        await ann.until(lambda: seen(ann).vote is not None)
        await ann.say(say.CastVote(yes=True))
        await ann.until(lambda: seen(ann).seats[1].bot != "")
        await killed(server, ann)
        await ann.until(lambda: seen(ann).seats[1].bot != "" and seen(ann).seats[1].name == "Ben")
        ben.port = server.port
        await ben.connect()
        await ann.until(lambda: seen(ann).seats[1].bot == "" and seen(ann).seats[1].connected)
    finally:
        await ann.close()
        await ben.close()
        await server.end()
