"""A server that sees a match to its end and dies at a chosen moment of putting it away.

`python -m tests.support.faults.kills.archive_child DATA [PLACE]`, with PLACE one of `PLACES`; without, it goes on until
all is put away.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from protocol.limits import Limits
from protocol.wire import from_client as say
from server.app import Server
from server.lobby.matches import archive
from server.match import replays
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, duel, until_put_away
from tests.support.doubles.stored import records_of

SECONDS: Final = 30.0
PLACES: Final[dict[str, tuple[Any, str, bool]]] = {
    "before the replay": (replays, "save", False),
    "replay without its name on the disk": (replays, "make_durable", False),
    "after the replay": (replays, "save", True),
    "before removing": (archive, "make_durable", True),
    "answers forgotten": (SqliteStore, "delete_match", False),
    "after removing": (SqliteStore, "delete_match", True),
}


def die_at(place: str) -> None:
    """Let this process kill itself there."""
    where, name, is_after = PLACES[place]
    real: Callable[..., Any] = getattr(where, name)

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def plain(*arguments: Any) -> Any:
        if not is_after:
            die()
        done = real(*arguments)
        die()
        return done

    async def waited(*arguments: Any) -> None:
        if is_after:
            await real(*arguments)
        die()

    setattr(where, name, waited if asyncio.iscoroutinefunction(real) else plain)


async def see_to_the_end(data: Path) -> None:
    """Play a match where there is none yet, and serve until nothing is left to put away."""
    store = SqliteStore(data / "eschaton.db")
    is_new = not await records_of(store, "table")
    server = Server(duel(), store, data, limits=Limits(), bot_pause=0.0)
    port = await server.open()
    if is_new:
        async with asyncio.timeout(SECONDS):
            await play_to_the_end(Client(port))
    await until_put_away(store, seconds=SECONDS)
    await server.close()
    await store.close()


async def play_to_the_end(ann: Client) -> None:
    """Play Ann against a bot, resting and bracing."""
    await ann.connect()
    await ann.create("two")
    await ann.say(say.ChangeTable(reaction_seconds=0))
    await ann.say(say.AddBot(kind="hard"))
    await ann.until(lambda: ann.talk.table is not None and bool(ann.talk.table.seats[1].bot))
    await ann.say(say.StartMatch())
    while ann.state != "finished":
        await ann.until(lambda: ann.offers("rest") or ann.offers("yes") or ann.state == "finished")
        if ann.offers("rest") or ann.offers("yes"):
            await ann.intend("rest" if ann.offers("rest") else "yes")
    await ann.close()


if __name__ == "__main__":
    if sys.argv[2:]:
        die_at(sys.argv[2])
    asyncio.run(see_to_the_end(Path(sys.argv[1])))
