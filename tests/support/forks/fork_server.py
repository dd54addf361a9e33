"""The fork server of a process of tests: it imports what the server's programs import, once, and forks for each program
that a test starts. `python -m tests.support.forks.fork_server SOCKET`, SOCKET the number of an open one.

A forked program is a process of its own: its id, memory, signals, environment, folder, arguments, module search path
and standard streams are its own, it has nothing else open, and it ends as an interpreter does. The module that its
command line names is run anew. Imports alone are not made again, nor the schemas of shipped content, which were most of
a start's CPU time. The programs of one fork server share the seed of hashes of strings.

It has one thread and no loop, so that a fork finds nothing half done. It ends with the other end of its socket, however
that ends, and kills the programs that it has left then.
"""

from __future__ import annotations

import gc
import importlib
import io
import os
import runpy
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

IMPORTED: Final = (
    "server.cli.admin_app",
    "server.cli.content.army_app",
    "server.cli.serving",
    "server.cli.settings.report",
    "server.store.redis.store",
    "tests.support.clients.wire",
    "tests.support.systems.gamblers",
    "tests.support.systems.mustered",
)
"""Modules that programs import; none that is run as a program."""
STREAMS: Final = 3
MOST_BYTES: Final = 1 << 20
INTERRUPTED: Final = signal.getsignal(signal.SIGINT)


class Order(msgspec.Struct):
    """A program to be, as `python -m MODULE ARGUMENTS` would start it. Four file descriptors come with it: its standard
    streams, and the one to which its id and then its exit status are told, each in a line."""

    module: str
    arguments: list[str]
    environment: dict[str, str]
    folder: str


class ForkServer:
    """Server of the orders that come over a socket, a message each."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._selector = selectors.DefaultSelector()
        self._selector.register(orders, selectors.EVENT_READ)
        self._running: dict[int, tuple[int, int]] = {}
        """Id of each program, and where its end is told, by the descriptor that tells of the end here."""

    def serve(self) -> Order:
        """Fork for each order, and return it in the forked process. Ends this process with its socket."""
        while True:
            for key, _ in self._selector.select():
                if key.fd in self._running:
                    self._ended(key.fd)
                elif (order := self._take()) is not None:
                    return order

    def _take(self) -> Order | None:
        """Take one order. Return it in the forked process, None in this one."""
        data, received, _, _ = socket.recv_fds(self._orders, MOST_BYTES, STREAMS + 1)
        if not data:
            self._end()
        *streams, told = received
        program = os.fork()
        if not program:
            self._leave(streams, told)
            return msgspec.msgpack.decode(data, type=Order)
        for stream in streams:
            os.close(stream)
        _tell(told, program)
        ended = os.pidfd_open(program)
        self._running[ended] = program, told
        self._selector.register(ended, selectors.EVENT_READ)
        return None

    def _leave(self, streams: list[int], told: int) -> None:
        """Close in a forked process all that is not its own, and put its streams into their places."""
        self._orders.close()
        self._selector.close()
        for ended, (_, other) in self._running.items():
            os.close(ended)
            os.close(other)
        os.close(told)
        for place, stream in enumerate(streams):
            os.dup2(stream, place)
            os.close(stream)

    def _ended(self, ended: int) -> None:
        self._selector.unregister(ended)
        os.close(ended)
        program, told = self._running.pop(ended)
        _, status = os.waitpid(program, 0)
        _tell(told, os.waitstatus_to_exitcode(status))
        os.close(told)

    def _end(self) -> None:
        for program, _ in self._running.values():
            os.kill(program, signal.SIGKILL)
        sys.exit()


def _tell(told: int, number: int) -> None:
    # whoever has ordered it may be gone
    with suppress(BrokenPipeError):
        os.write(told, b"%d\n" % number)


def _become(order: Order, path: list[str]) -> None:
    """Run the program in this process. `path`: the interpreter's own module search path."""
    signal.signal(signal.SIGINT, INTERRUPTED)
    os.environ.clear()
    os.environ.update(order.environment)
    time.tzset()
    os.chdir(order.folder)
    given = filter(None, order.environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = [str(Path.cwd()), *map(os.path.abspath, given), *path]
    importlib.invalidate_caches()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
    sys.argv = [order.module, *order.arguments]
    runpy.run_module(order.module, run_name="__main__", alter_sys=True)


def main(orders: socket.socket) -> None:
    """Import all, and serve; go on as a program in each forked process."""
    # Ctrl+C is for the tests and their programs
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    for module in IMPORTED:
        importlib.import_module(module)
    from server.content.systems import find_systems, load

    load(find_systems().values())
    gc.collect()
    gc.freeze()
    gc.enable()
    own = sys.path[1:]
    _become(ForkServer(orders).serve(), own)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
