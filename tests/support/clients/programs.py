"""The program's own processes, and a way to wait for their effects.

Servers are forked from one that has imported the program (tests/support/forks), which spares four fifths of the CPU
time of a start: they are there to be played at, killed and restarted. A command line starts, as a person does, whatever
is about the start: of the command and its settings (tests/server/cli), of packages, units, images and bundles
(tests/deploy, tests/test_package.py, tests/e2e/test_bundle.py); and what a fork would change: windows, whose toolkit
begins threads when it is imported, and programs whose memory is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from tests.support.forks.forked_process import ForkedProcess, fork
from tests.support.runs.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"
PLUGINS = ROOT / "tests" / "support" / "plugins"
"""Holds the entry point of the proving game: on the path of every process that is to find it."""
LOOK_SECONDS = 0.01
STDERR = 2


class Program:
    """A module run as a process of its own; its error stream goes to `folder`/`name`.log.

    With `is_held` its input stays open until it is ended. It runs in `folder`, and its user's data lies there too. It
    is ended by its id, and never survives `end`. `settings`: of its environment. `is_forked`: by the fork server of the
    tests, in place of being started by a command line.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        *arguments: str,
        plugins: bool = False,
        is_held: bool = False,
        is_forked: bool = False,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self._settings = settings
        self._stdin = asyncio.subprocess.PIPE if is_held else asyncio.subprocess.DEVNULL
        self._stdout: int = asyncio.subprocess.PIPE
        self._path = os.pathsep.join(map(str, (ROOT, PLUGINS) if plugins else (ROOT,)))
        self.log = folder / f"{name}.log"
        self._arguments = arguments
        self._home = folder
        self._is_forked = is_forked
        self._process: asyncio.subprocess.Process | ForkedProcess | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._process.pid if self._process is not None else None

    @property
    def end_told(self) -> str:
        """Return its exit and the last lines of its error stream."""
        status = self._process.returncode if self._process is not None else None
        return f"{self.name} ended with {status}: {self.log.read_text()[-2000:]}"

    async def start(self) -> None:
        """Start it anew."""
        home = {"XDG_DATA_HOME": str(self._home / "data-home"), "XDG_CONFIG_HOME": str(self._home / "config-home")}
        environment = {**os.environ, **home, "PYTHONPATH": self._path, **self._settings}
        with self.log.open("ab") as log:
            if self._is_forked:
                self._process = await fork(
                    *self._arguments,
                    stdin=self._stdin,
                    stdout=self._stdout,
                    stderr=log.fileno(),
                    environment=environment,
                    folder=self._home,
                )
                return
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", *self._arguments),
                stdin=self._stdin,
                stdout=self._stdout,
                stderr=log,
                env=environment,
                cwd=self._home,
            )

    async def said(self, seconds: float = PATIENCE) -> dict[str, object]:
        """Return the next line of its output, an object. Raises AssertionError where it ends first, or is silent for
        long."""
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(seconds):
            line = await self._process.stdout.readline()
        assert line, self.end_told
        said: dict[str, object] = json.loads(line)
        return said

    async def send(self, data: bytes) -> None:
        """Write to its input, where that is held open."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        await self._process.stdin.drain()

    async def wait(self, seconds: float) -> int:
        """Return its exit status, once it has ended by itself. Raises AssertionError where it does not in this time."""
        assert self._process is not None
        try:
            await asyncio.wait_for(self._process.communicate(), seconds)
        except TimeoutError:
            raise AssertionError(f"{self.name} is still running: {self.log.read_text()[-2000:]}") from None
        assert self._process.returncode is not None
        return self._process.returncode

    async def end(self) -> int:
        """Send SIGTERM, and after a while SIGKILL; return its exit status."""
        process = self._process
        if process is None:
            return 0
        if process.returncode is None:
            process.terminate()
        try:
            await asyncio.wait_for(process.communicate(), PATIENCE)
        except TimeoutError:
            await self.kill()
        assert process.returncode is not None
        return process.returncode

    async def kill(self) -> None:
        """Send SIGKILL."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()


class ServerProgram(Program):
    """`eschaton-server serve` on loopback, forked; started again it listens on the same port with the same data."""

    module: tuple[str, ...] = ("server.cli.main", "serve")

    def __init__(self, folder: Path, *, plugins: bool = False, options: tuple[str, ...] = ()) -> None:
        super().__init__(folder, "server", plugins=plugins, is_forked=True)
        self.options = options
        self.data = folder / "data"
        self.port = 0

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        place = ("--listen", f"127.0.0.1:{self.port}", "--data", str(self.data), "--bot-pause", "0")
        self._arguments = (*self.module, *place, *self.options)
        await super().start()
        port = (await self.said())["port"]
        assert isinstance(port, int)
        self.port = port

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"


async def until(
    condition: Callable[[], object | Awaitable[object]],
    seconds: float = PATIENCE,
    tasks: Iterable[asyncio.Task[object]] = (),
    pause: float = LOOK_SECONDS,
) -> None:
    """Wait for an effect of other processes, threads or tasks that is announced nowhere, by polling: the one place in
    the tests where that is done. `pause`: seconds between two looks, 0 for what holds only for a moment. Raises
    TimeoutError, and what a task raised."""
    async with asyncio.timeout(seconds):
        while True:
            found = condition()
            if await found if isinstance(found, Awaitable) else found:
                return
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(pause)


async def run(folder: Path, *arguments: str, seconds: float = PATIENCE, is_forked: bool = True) -> int:
    """Run a module to its end and return its exit status."""
    program = Program(folder, arguments[0], *arguments, is_forked=is_forked)
    await program.start()
    try:
        return await program.wait(seconds)
    finally:
        await program.end()


async def said_until_killed(after: int, *arguments: str) -> list[bytes]:
    """Run a module, forked, and kill it once it has printed so many lines; return all that it printed. Raises
    AssertionError where it ends by itself."""
    process = await fork(*arguments, stderr=STDERR)
    assert process.stdout is not None
    lines = [await process.stdout.readline() for _ in range(after)]
    process.kill()
    rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL, "the child ended by itself"
    return [*lines, *rest.splitlines()]
