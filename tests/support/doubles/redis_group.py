"""A primary of Redis, its replica and three Sentinels, which name another primary when one is killed."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.exceptions import ConnectionError as NotThere, TimeoutError as NotAnswered

from tests.support.clients.programs import until
from tests.support.doubles.redis_server import RedisServer, free_port, redis_program

SERVICE: Final = "eschaton"
SENTINELS: Final = 3
QUORUM: Final = 2
DOWN_MILLISECONDS: Final = 1500
"""Silence after which another becomes the primary: more than a busy machine takes to answer."""
LOOK_SECONDS: Final = 0.1
FOLLOWED: Final = ("--appendonly", "yes", "--appendfsync", "everysec", "--repl-diskless-sync-delay", "0")
"""Settings of both servers in the class "second"."""
GUARDED: Final = (*FOLLOWED, "--min-replicas-to-write", "1")
"""The same in the class "replica"."""


class SentinelServer:
    """A Sentinel on a free port, which watches the service whose primary listens on `port`."""

    def __init__(self, folder: Path, port: int) -> None:
        folder.mkdir(parents=True)
        self.port = free_port()
        config = folder / "sentinel.conf"
        config.write_text(
            f"port {self.port}\nbind 127.0.0.1\ndir {folder}\nlogfile {folder / 'sentinel.log'}\n"
            f"sentinel monitor {SERVICE} 127.0.0.1 {port} {QUORUM}\n"
            f"sentinel down-after-milliseconds {SERVICE} {DOWN_MILLISECONDS}\n"
            f"sentinel failover-timeout {SERVICE} {2 * DOWN_MILLISECONDS}\n"
        )
        command = ["redis-sentinel", str(config), "--sentinel"]
        silent = subprocess.DEVNULL
        self._process = subprocess.Popen(command, executable=redis_program(), stdout=silent, stderr=silent)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class RedisGroup:
    """Two servers and their Sentinels. Start with `begin`; `close` ends all."""

    def __init__(self, folder: Path, settings: Sequence[str]) -> None:
        self._servers = [RedisServer(folder / "one", settings)]
        self._servers.append(RedisServer(folder / "two", settings))
        self._sentinels = [SentinelServer(folder / f"sentinel{n}", self.primary.port) for n in range(SENTINELS)]
        self.place = f"redis+sentinel://{','.join(f'127.0.0.1:{each.port}' for each in self._sentinels)}/{SERVICE}"

    @property
    def primary(self) -> RedisServer:
        """The server that was the primary when last looked at."""
        return self._servers[0]

    @property
    def replica(self) -> RedisServer:
        return self._servers[1]

    async def begin(self) -> None:
        """Wait until the replica follows, and all Sentinels know each other and both servers."""
        self.replica.say("REPLICAOF", "127.0.0.1", str(self.primary.port))
        await self.whole()

    async def whole(self) -> None:
        """Wait until all agree on the primary, which on a busy machine may have changed by itself."""
        await until(self._is_whole, pause=LOOK_SECONDS)

    def part(self) -> None:
        """Cut the replica off from what the primary takes from now on."""
        self.replica.say("REPLICAOF", "127.0.0.1", "1")

    async def fail_over(self) -> None:
        """Kill the primary, and wait until the replica has taken its place."""
        self.primary.kill()
        await until(lambda: _role(self.replica.port) == "master", pause=LOOK_SECONDS)
        self._servers.reverse()

    async def mend(self) -> None:
        """Start the killed server as replica of the other one, and wait until all know of it."""
        self.replica.start("--replicaof", "127.0.0.1", str(self.primary.port))
        await self.whole()

    def close(self) -> None:
        for sentinel in self._sentinels:
            sentinel.close()
        for server in self._servers:
            server.close()

    def _is_whole(self) -> bool:
        named = {_primary(sentinel.port) for sentinel in self._sentinels}
        self._servers.sort(key=lambda server: server.port not in named)
        if named != {self.primary.port}:
            return False
        found = _ask(self.primary.port, "INFO", "replication") or {}
        return found.get("role") == "master" and found.get("slave0", {}).get("state") == "online"


def _primary(sentinel: int) -> int:
    """Return the port of the primary where this Sentinel knows all the others, 0 where it does not."""
    master = (_ask(sentinel, "SENTINEL MASTERS") or {}).get(SERVICE)
    if master is None or master["num-other-sentinels"] < SENTINELS - 1:
        return 0
    servers = (*(_ask(sentinel, "SENTINEL SLAVES", SERVICE) or ()), master)
    is_well = all(not (each["is_sdown"] or each["is_odown"] or each["is_disconnected"]) for each in servers)
    return int(master["port"]) if is_well and len(servers) > 1 else 0


def _role(port: int) -> str:
    found = _ask(port, "INFO", "replication")
    return str(found["role"]) if found else ""


def _ask(port: int, *words: str) -> Any:
    """Return the answer of a server, None where there is none now."""
    with Redis(port=port, socket_timeout=1, decode_responses=True) as client:
        try:
            return client.execute_command(*words)
        except (NotThere, NotAnswered):
            return None
