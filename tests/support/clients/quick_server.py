"""`eschaton-server serve` with the waits of table housekeeping divided by ten, disuse after half a second, and figures
that never fall: `python -m tests.support.clients.quick_server serve`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from protocol.limits import Limits
from server.cli.serving import own_content, parse_address, run_loop, serve
from server.content.systems import find_systems, load
from server.runtime.loading import load_uncollected
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import ServerProgram
from tests.support.faults.sturdy_server import stand_firm

USUAL = Limits()
QUICK = replace(
    USUAL,
    grace_seconds=USUAL.grace_seconds / 10,
    owner_seconds=USUAL.owner_seconds / 10,
    vote_seconds=USUAL.vote_seconds / 10,
    unused_seconds=0.5,
)


class QuickServer(ServerProgram):
    """Quick server in a process of its own."""

    module = ("tests.support.clients.quick_server", "serve")


def main(arguments: list[str]) -> int:
    """Run with the options that ServerProgram gives, and --vote-seconds; behind them --until-unused."""
    until_unused = arguments[-1] == "--until-unused"
    arguments = arguments[:-1] if until_unused else arguments
    options = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    host, port = parse_address(options["--listen"])
    data = Path(options["--data"])
    data.mkdir(parents=True, exist_ok=True)
    stand_firm()
    with load_uncollected():
        systems = load(find_systems().values(), own_content(data))
    store = SqliteStore(data / "eschaton.db")
    pause = float(options["--bot-pause"])
    limits = replace(QUICK, vote_seconds=float(options.get("--vote-seconds", QUICK.vote_seconds)))
    return run_loop(serve(systems, store, data, host, port, limits=limits, bot_pause=pause, until_unused=until_unused))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
