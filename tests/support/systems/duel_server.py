"""A real server process with the test system: `python -m tests.support.systems.duel_server DATA PORT [--limits NAME]
[--store PLACE] [--durability CLASS] [--metrics HOST:PORT]`.

It paces no person, unless the limits are to be the "promised" ones of a real host, or these with less time: "hasty".
With "crowd" very many may come from one address.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cyclopts import App

from protocol.limits import Bucket, HoldLimits, Limits
from server.cli.serving import parse_address, run_loop, serve
from server.content.systems import install
from server.store.choice import open_store
from server.store.redis.durability import Durability
from tests.support.faults.kills.crash_server import ENDLESS
from tests.support.servers.limits import FREE
from tests.support.systems.duel import TOML, Duel

HASTY = Limits(handshake_seconds=6.0, ping_seconds=2.0)
"""Less time, but enough for a handshake of people on a machine that is busy."""
UNPACED = Limits(**FREE, intents=Bucket(1000, 1000), frames=Bucket(1000, 1000), handshakes_per_second=1000)
CROWD = replace(
    UNPACED,
    sockets_per_address=1000,
    tables_per_address=1000,
    matches_per_address=1000,
    seats_held=HoldLimits(40, 1000, 60_000),
    code_tries_per_address=Bucket(1000, 1000),
)
LIMITS = {"crowd": CROWD, "unpaced": UNPACED, "promised": Limits(), "hasty": HASTY}


def main(
    data: Path,
    port: int,
    *,
    limits: str = "unpaced",
    store: str = "",
    durability: Durability = "disk",
    metrics: str = "",
) -> int:
    """Serve on loopback until a signal ends it."""
    monitor = parse_address(metrics) if metrics else None
    systems = {"duel": install(Duel(), {"duel.toml": TOML + ENDLESS})}

    async def open_and_serve() -> int:
        opened = await open_store(store, data, durability)
        return await serve(systems, opened, data, "127.0.0.1", port, limits=LIMITS[limits], monitor=monitor)

    return run_loop(open_and_serve())


if __name__ == "__main__":
    App(default_command=main, result_action="sys_exit")()
