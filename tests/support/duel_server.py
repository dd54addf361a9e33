"""A real server process with the test system: `python -m tests.support.duel_server DATA PORT [--promised] [--store
PLACE]`.

It paces nobody, unless all limits are to be the promised ones of a real host."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from protocol.limits import Bucket, Limits
from server.content import install
from server.serving import run_loop, serve
from server.store.opening import open_store
from tests.support.crash_server import ENDLESS
from tests.support.duel import TOML, Duel


def main(data: Path, port: int, *, promised: bool = False, store: str = "") -> int:
    """Serve on loopback until a signal ends it."""
    systems = {"duel": install(Duel(), {"duel.toml": TOML + ENDLESS})}
    unpaced = Limits(intents=Bucket(1000, 1000), frames=Bucket(1000, 1000), handshakes_per_second=1000)
    limits = Limits() if promised else unpaced

    async def open_and_serve() -> int:
        return await serve(systems, await open_store(store, data), data, "127.0.0.1", port, limits=limits)

    return run_loop(open_and_serve())


if __name__ == "__main__":
    App(default_command=main, result_action="sys_exit")()
