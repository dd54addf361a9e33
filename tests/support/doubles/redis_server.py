"""A Redis server of the tests' own: a process on a free port of this computer, its files in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.support.runs.patience import PATIENCE

DATABASES: Final = 4_000
TRIES: Final = 5
HOLDER: Final = "eschaton:holder"
"""The record of the one server that uses a database."""
DURABLE: Final = ("--appendonly", "yes", "--appendfsync", "always", "--no-appendfsync-on-rewrite", "no")


class RedisServer:
    """Starts at once; `close` ends it. Every `place` is a database that nobody else uses."""

    def __init__(self, folder: Path, settings: Sequence[str] = DURABLE) -> None:
        self.folder = folder
        self.port = 0
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._places = 0
        folder.mkdir(parents=True, exist_ok=True)
        for _ in range(TRIES):
            self.port = free_port()
            if self._try_to_start():
                return
        raise RuntimeError(f"redis-server does not start; see {folder / 'redis.log'}")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def place(self) -> str:
        """Return the address of an empty database."""
        self._places += 1
        assert self._places < DATABASES
        return f"redis://127.0.0.1:{self.port}/{self._places}"

    @property
    def first(self) -> str:
        """Return the address of its first database, the one of `say`."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self, *settings: str) -> None:
        """Start again on the same port and files. `settings`: further ones, for this life."""
        assert self._try_to_start(*settings), f"redis-server does not come back; see {self.folder / 'redis.log'}"

    def kill(self) -> None:
        """Send SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stall(self) -> None:
        """Stop it from answering until `go_on`."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self.go_on()
        self.kill()

    def say(self, *words: str) -> str:
        """Send one command and return the first line of its answer. Raises OSError."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as link:
            command = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
            link.sendall(command.encode())
            return link.recv(4096).decode().splitlines()[0]

    def _try_to_start(self, *settings: str) -> bool:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command += [
            "--save",
            "",
            "--databases",
            str(DATABASES),
            "--logfile",
            str(self.folder / "redis.log"),
            *self._settings,
            *settings,
        ]
        silent = subprocess.DEVNULL
        self._process = subprocess.Popen(command, executable=redis_program(), stdout=silent, stderr=silent)
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            with suppress(OSError, IndexError):
                if self.say("PING") == "+PONG":
                    return True
            time.sleep(0.005)
        return False


def redis_program() -> str:
    """Return the path of Redis under the name that makes it a server. Debian's redis-tools brings the program as
    redis-check-rdb; its package redis-server would start a service beside it."""
    found = shutil.which("redis-server") or shutil.which("redis-check-rdb")
    assert found is not None, "Redis is missing: python3.11 -m tools.system_packages test"
    return found


def free_port() -> int:
    """Return an unused port of this computer."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
