"""A server with all rule systems: `python -m tests.support.legal.server DATA LIMITS`, which are "promised", as of any
host, or "free": no person is paced.

It says its port, and for each line that it is sent what it holds in memory, as tests/support/soak/server.py does.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Final

from protocol.limits import Bucket, Limits
from server.content import find_systems, load
from server.serving import run_loop, serve
from server.store.sqlite import SqliteStore
from tests.support.soak.server import memory

FREE: Final = Bucket(1e6, 1_000_000)
LIMITS: Final = {
    "promised": Limits(),
    "free": Limits(intents=FREE, details=FREE, chat=FREE, frames=FREE, arrivals=FREE, handshakes_per_second=1_000),
}


async def hosted(data: Path, limits: Limits) -> int:
    """Serve until told to end."""
    loop = asyncio.get_running_loop()

    def hear() -> None:
        if os.read(sys.stdin.fileno(), 4096):
            print(json.dumps(memory()), flush=True)

    loop.add_reader(sys.stdin.fileno(), hear)
    try:
        systems = load(find_systems().values(), None)
        return await serve(systems, SqliteStore(data / "eschaton.db"), data, "127.0.0.1", 0, limits=limits)
    finally:
        loop.remove_reader(sys.stdin.fileno())


if __name__ == "__main__":
    sys.exit(run_loop(hosted(Path(sys.argv[1]), LIMITS[sys.argv[2]])))
