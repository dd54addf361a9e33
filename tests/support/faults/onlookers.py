"""Many spectators at one table: `python -m tests.support.faults.onlookers PORT TABLE COUNT [silent]`.

They connect from many addresses, a few from each, as the limits of the server want it. Prints a line of JSON when all
look on, and goes on until its input ends, or until all are closed. The silent ones read nothing more from then on.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket as sockets
import sys
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.ids import TableId
from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request

AN_ADDRESS = 5
AT_ONCE = 20
NARROW = 4096
POLITE = 5
TRIES = 5


def address(number: int) -> str:
    """Return the address that this spectator connects from."""
    host = number // AN_ADDRESS
    return f"127.{1 + host // 200}.1.{1 + host % 200}"


async def look_on(number: int, port: int, table: TableId, *, silent: bool) -> ClientConnection:
    """Connect one spectator and wait until it has been shown the table."""
    raw = sockets.socket()
    if silent:
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, NARROW)
    raw.setblocking(False)
    raw.bind((address(number), 0))
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
    url = f"ws://127.0.0.1:{port}/"
    socket = await connect(url, sock=raw, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, ping_interval=None)
    await socket.send(encode_request(say.Hello(version=VERSION, name=f"Eve {number}")))
    await socket.send(encode_request(say.WatchTable(table=table)))
    async for frame in socket:
        # the public part is the last that a newcomer is sent
        if b"snapshot" in bytes(frame[:12] if isinstance(frame, bytes) else b""):
            break
    return socket


async def patiently(number: int, port: int, table: TableId, *, silent: bool) -> ClientConnection:
    """Connect one spectator, again where the busy machine made it too late to be let in."""
    for _ in range(TRIES):
        with suppress(ConnectionClosed, TimeoutError):
            return await look_on(number, port, table, silent=silent)
    return await look_on(number, port, table, silent=silent)


async def read(socket: ClientConnection) -> None:
    """Read all frames."""
    with suppress(ConnectionClosed):
        async for _ in socket:
            pass


async def main(port: int, table: TableId, count: int, *, silent: bool) -> None:
    # they stand for other machines, so they must not take CPU from the server
    os.nice(POLITE)
    gate = asyncio.Semaphore(AT_ONCE)
    readers: list[asyncio.Task[None]] = []
    deaf: list[ClientConnection] = []

    async def come(number: int) -> None:
        async with gate:
            socket = await patiently(number, port, table, silent=silent)
        if silent:
            # taking messages that have come already would make the library read on
            socket.transport.pause_reading()
            deaf.append(socket)
        else:
            readers.append(asyncio.create_task(read(socket)))

    await asyncio.gather(*(come(number) for number in range(count)))
    print(json.dumps({"event": "ready", "count": count}), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in readers:
        task.cancel()
    for socket in deaf:
        socket.transport.abort()


if __name__ == "__main__":
    port, table, count, *rest = sys.argv[1:]
    asyncio.run(main(int(port), TableId(table), int(count), silent=rest == ["silent"]))
