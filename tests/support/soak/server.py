"""A server that reports its memory: `python -m tests.support.soak.server DATA`.

It prints its port, and for each line of its input one line of JSON, after all garbage has been collected and given back
to the system: {"bytes": resident, "blocks": of the interpreter in use, "left": live hosts, matches, tables and boards}.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.core.match.match import Match
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.limits import Limits
from server.app import Server
from server.cli.serving import run_loop, serve
from server.content.systems import find_systems, load
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import FINISHED
from server.match.host import MatchHost
from server.match.step import Stepper
from server.store.sqlite.store import SqliteStore
from tests.support.servers.limits import FREE

KINDS: Final = (MatchHost, Stepper, Match)
LIMITS: Final = Limits(**FREE, handshakes_per_second=1_000, sockets_per_address=1_000, tables_per_account=10_000)


def is_of_a_match(thing: object) -> bool:
    """Tell if this is a host, a match, a table whose match is not stored as finished, or a board on which something has
    happened: the starts of the newest set-ups are kept by their system."""
    if isinstance(thing, LiveTable):
        return thing.record.state != FINISHED
    return isinstance(thing, KINDS) or (isinstance(thing, Skirmish) and thing.turn > 0)


def memory() -> dict[str, int]:
    """Return the memory held after a full collection."""
    gc.unfreeze()
    gc.collect()
    left = sum(map(is_of_a_match, gc.get_objects()))
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {"bytes": pages * os.sysconf("SC_PAGESIZE"), "blocks": sys.getallocatedblocks(), "left": left}


async def hosted(
    data: Path, limits: Limits, only: Sequence[str] = (), bot_pause: float | None = Server.bot_pause
) -> int:
    """Serve these systems (none named: all) until told to end, and report memory meanwhile."""
    loop = asyncio.get_running_loop()

    def hear() -> None:
        if os.read(sys.stdin.fileno(), 4096):
            print(json.dumps(memory()), flush=True)

    loop.add_reader(sys.stdin.fileno(), hear)
    try:
        systems = load(find_systems(only).values(), None)
        store = SqliteStore(data / "eschaton.db")
        return await serve(systems, store, data, "127.0.0.1", 0, limits=limits, bot_pause=bot_pause)
    finally:
        loop.remove_reader(sys.stdin.fileno())


if __name__ == "__main__":
    sys.exit(run_loop(hosted(Path(sys.argv[1]), LIMITS, ["action_cards"], bot_pause=0.0)))
