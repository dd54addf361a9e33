"""A real server process with the test system: `python -m tests.support.duel_server DATA PORT [limits]`.

It paces nobody, unless `limits` is "promised": then all limits are those of a real host; or "hasty": with less
time."""

from __future__ import annotations

import sys
from pathlib import Path

from protocol.limits import Bucket, Limits
from server.content import install
from server.serving import run_loop, serve
from server.store.sqlite import SqliteStore
from tests.support.crash_server import ENDLESS
from tests.support.duel import TOML, Duel

HASTY = Limits(handshake_seconds=2.0, ping_seconds=2.0)
"""The limits that are promised, with less time."""
UNPACED = Limits(intents=Bucket(1000, 1000), frames=Bucket(1000, 1000), handshakes_per_second=1000)
LIMITS = {"unpaced": UNPACED, "promised": Limits(), "hasty": HASTY}


def main(data: Path, port: int, limits: Limits) -> int:
    """Serve on loopback until a signal ends it."""
    systems = {"duel": install(Duel(), {"duel.toml": TOML + ENDLESS})}
    return run_loop(serve(systems, SqliteStore(data / "eschaton.db"), data, "127.0.0.1", port, limits=limits))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), LIMITS[sys.argv[3] if sys.argv[3:] else "unpaced"]))
