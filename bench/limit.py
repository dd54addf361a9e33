"""The raw limit: websockets and uvloop fan frames out to all in a room, without a game: `python -m bench.limit
SIZE`."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import defaultdict
from contextlib import suppress

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bench.wire import PUBLIC
from protocol.version import SUBPROTOCOL
from server.cli.serving import run_loop


async def fan_out(size: int) -> int:
    """Serve until told to end: every message makes all connections of its room (the path) get a frame of `size`
    bytes."""
    frame = (b"\x85" + PUBLIC).ljust(size, b"\0")
    rooms: defaultdict[str, set[ServerConnection]] = defaultdict(set)

    async def hear(socket: ServerConnection) -> None:
        room = rooms[socket.request.path if socket.request is not None else ""]
        room.add(socket)
        with suppress(ConnectionClosed):
            async for _ in socket:
                broadcast(room, frame)
        room.discard(socket)

    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with serve(hear, "127.0.0.1", 0, compression=None, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        print(json.dumps({"port": next(iter(server.sockets)).getsockname()[1]}), flush=True)
        await stop.wait()
    return 0


if __name__ == "__main__":
    sys.exit(run_loop(fan_out(int(sys.argv[1]))))
