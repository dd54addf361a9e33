"""A server that dies on demand: `python -m tests.support.faults.kills.crash_server DATA`.

Reads lines of JSON: {"port": P, "point": NAME or "", "hits": N, "armed": bool, "store": PLACE or ""}. For each it forks
a server on that port, which kills itself with SIGKILL when it passes the named point for the N-th time; with "armed" it
counts only while there is a file DATA/armed. The server prints its own line when it listens; when it has ended, this
program prints {"event": "ended", "status": ...}. SIGUSR1 has a server write the stacks of its threads to its errors.
Forking, rather than starting afresh, makes a crash cost some hundredths of a second.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import ssl
import sys
from collections.abc import Sequence
from pathlib import Path

from protocol.limits import Bucket, Limits
from server.cli.serving import run_loop, serve
from server.content.systems import Installed, install
from server.runtime.crash_points import CrashPoint, Mark
from server.store.choice import open_store
from server.store.sqlite.store import SqliteStore
from server.webhooks.delivery import WebhookRoutes
from server.webhooks.resolver import Endpoint
from tests.support.servers.limits import FREE
from tests.support.systems.duel import TOML
from tests.support.systems.gamblers import Gamblers

ENDLESS = """
[scenario.endless]
seats = 2
turns = 8000
vote_seconds = 0
"""
MODERATOR = "Mona"
"""Whoever keeps this name may keep order."""
HOOKS = "hooks.example"
"""Host to which webhooks may lead. It is not found."""
UNHURRIED = Limits(
    **FREE,
    intents=Bucket(1e6, 1_000_000),
    frames=Bucket(1e6, 1_000_000),
    arrivals=Bucket(1e6, 1_000_000),
    details=Bucket(1e6, 1_000_000),
    chat=Bucket(1e6, 1_000_000),
    handshakes_per_second=1_000_000,
    sockets_per_address=1_000,
    # the scripts of one server leave tables behind, all opened from one address
    tables_per_account=1_000,
    tables_per_address=1_000,
    outbound_messages=100_000,
    outbound_bytes=64 * 1024 * 1024,
)


def dying_at(point: str, hits: int, armed: Path | None = None) -> Mark:
    """Return a mark that kills this process, while there is a file `armed` where one is named."""
    passed = 0

    def mark(reached: CrashPoint) -> None:
        nonlocal passed
        if reached != point or (armed is not None and not armed.exists()):
            return
        passed += 1
        if passed >= hits:
            os.kill(os.getpid(), signal.SIGKILL)

    return mark


async def serve_once(systems: dict[str, Installed], data: Path, port: int, mark: Mark, place: str) -> int:
    """Run a whole server, until it dies or is told to end."""
    store = await open_store(place, data) if place else SqliteStore(data / "eschaton.db", mark=mark)
    return await serve(
        systems,
        store,
        data,
        "127.0.0.1",
        port,
        limits=UNHURRIED,
        mark=mark,
        moderators=(MODERATOR,),
        webhooks=WebhookRoutes((HOOKS,), find_nothing, ssl.create_default_context()),
    )


async def find_nothing(host: str) -> Sequence[Endpoint]:
    """Find no host."""
    raise OSError(f"{host} is not found")


def _read_nothing() -> None:
    """Leave the input to the parent. Its number stays taken: a pipe that got it would end the processes in which bots
    think, where they are forked."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)


def main(data: Path) -> int:
    """Fork servers until the input ends."""
    systems = {"duel": install(Gamblers(), {"duel.toml": TOML, "endless.toml": ENDLESS})}
    for line in sys.stdin:
        wanted = json.loads(line)
        child = os.fork()
        if not child:
            _read_nothing()
            faulthandler.register(signal.SIGUSR1)
            armed = data / "armed" if wanted["armed"] else None
            mark = dying_at(wanted["point"], wanted["hits"], armed)
            sys.exit(run_loop(serve_once(systems, data, wanted["port"], mark, wanted["store"])))
        _, status = os.waitpid(child, 0)
        print(json.dumps({"event": "ended", "status": status}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
