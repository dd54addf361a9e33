"""A program as a process that the fork server has forked, in place of `asyncio.create_subprocess_exec`."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tests.support.forks.fork_server import Order

ROOT: Final = Path(__file__).resolve().parents[3]
FORK_SERVER: Final = "tests.support.forks.fork_server"


class ForkServerEnded(Exception):
    """The fork server has ended before its program."""


class _Told(asyncio.Protocol):
    """Listener to the fork server about a program, a number a line: its id, and at the end its exit status."""

    def __init__(self) -> None:
        self.begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.ended = asyncio.Event()
        self.status: int | None = None
        self._numbers = b""

    def data_received(self, data: bytes) -> None:
        self._numbers += data
        if self.begun.done() or b"\n" not in self._numbers:
            return
        program = int(self._numbers.split()[0])
        if self.begun.cancelled():
            os.kill(program, signal.SIGKILL)
        else:
            self.begun.set_result(program)

    def connection_lost(self, _: Exception | None) -> None:
        match self._numbers.split():
            case [_, status]:
                self.status = int(status)
            case []:
                self.begun.set_exception(ForkServerEnded())
        self.ended.set()


class ForkedProcess:
    """A process that runs, with what tests use of `asyncio.subprocess.Process`."""

    def __init__(
        self, pid: int, told: _Told, stdin: asyncio.StreamWriter | None, stdout: asyncio.StreamReader | None
    ) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self._told = told

    @property
    def returncode(self) -> int | None:
        """Its exit status, minus the signal that killed it; None while it runs."""
        return self._told.status

    def send_signal(self, number: int) -> None:
        """Send it a signal; do nothing where it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """Return its exit status, once it has ended. Raises ForkServerEnded."""
        await self._told.ended.wait()
        if self.returncode is None:
            raise ForkServerEnded
        return self.returncode

    async def communicate(self) -> tuple[bytes, None]:
        """Return the rest of its output, once it has ended. Raises ForkServerEnded."""
        output = await self.stdout.read() if self.stdout is not None else b""
        await self.wait()
        return output, None


async def fork(
    module: str,
    *arguments: str,
    stderr: int,
    stdin: int = DEVNULL,
    stdout: int = PIPE,
    environment: Mapping[str, str] = os.environ,
    folder: Path | None = None,
) -> ForkedProcess:
    """Run a module as `python -m` would, in this folder (left out: that of this process). Raises ForkServerEnded.

    The streams are file descriptors; `stdin` may be PIPE and DEVNULL, `stdout` PIPE. When cancelled, it is killed.
    """
    told, writer, reader = _Told(), None, None
    with ExitStack() as theirs:

        def passed(descriptor: int) -> int:
            theirs.callback(os.close, descriptor)
            return descriptor

        hears, tells = os.pipe()
        if stdin == PIPE:
            reads, writes = os.pipe()
            stdin, writer = passed(reads), await _writer(writes)
        elif stdin == DEVNULL:
            stdin = passed(os.open(os.devnull, os.O_RDONLY))
        if stdout == PIPE:
            reads, writes = os.pipe()
            stdout, reader = passed(writes), await _reader(reads)
        order = Order(module, list(arguments), dict(environment), str(folder or Path.cwd()))
        streams = [stdin, stdout, stderr, passed(tells)]
        socket.send_fds(_orders(), [msgspec.msgpack.encode(order)], streams)
    await _connected(hears, told)
    return ForkedProcess(await told.begun, told, writer, reader)


async def _reader(descriptor: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await _connected(descriptor, asyncio.StreamReaderProtocol(reader))
    return reader


async def _connected(descriptor: int, protocol: asyncio.Protocol) -> None:
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(descriptor, "rb", 0))


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    transport, _ = await loop.connect_write_pipe(lambda: protocol, os.fdopen(descriptor, "wb", 0))
    return asyncio.StreamWriter(transport, protocol, None, loop)


@cache
def _orders() -> socket.socket:
    """Start the fork server of this process, which ends with it; return the socket that takes orders."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # each program has a search path of its own
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-m", FORK_SERVER, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            cwd=ROOT,
            env=environment,
        )

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours
