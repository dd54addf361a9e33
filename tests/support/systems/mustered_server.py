"""A real server process with the test system that has army lists: `python -m tests.support.systems.mustered_server
DATA`."""

from __future__ import annotations

import sys
from pathlib import Path

from server.cli.serving import run_loop, serve
from server.store.choice import open_store
from tests.support.systems.mustered import mustered


def main(data: Path) -> int:
    """Serve on loopback, on any free port, until a signal ends it."""

    async def open_and_serve() -> int:
        return await serve(mustered(), await open_store("", data), data, "127.0.0.1", 0)

    return run_loop(open_and_serve())


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
