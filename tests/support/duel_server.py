"""A real server process with the test system: `python -m tests.support.duel_server DATA PORT [limits]`.

It paces nobody, unless `limits` is "promised": then all limits are those of a real host."""

from __future__ import annotations

import sys
from pathlib import Path

from protocol.limits import Bucket, Limits
from server.content import install
from server.serving import run_loop, serve
from server.store.sqlite import SqliteStore
from tests.support.crash_server import ENDLESS
from tests.support.duel import TOML, Duel


def main(data: Path, port: int, promised: bool) -> int:
    """Serve on loopback until a signal ends it."""
    systems = {"duel": install(Duel(), {"duel.toml": TOML + ENDLESS})}
    unpaced = Limits(intents=Bucket(1000, 1000), frames=Bucket(1000, 1000), handshakes_per_second=1000)
    limits = Limits() if promised else unpaced
    return run_loop(serve(systems, SqliteStore(data / "eschaton.db"), data, "127.0.0.1", port, limits=limits))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] == ["promised"]))
