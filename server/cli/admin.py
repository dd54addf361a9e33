"""`eschaton-server admin`: the host's acts about order, by the running server where there is one, else in the store."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from server.cli.serving import store_explained
from server.net.host_door import LOOPBACK, DoorPlace, read_place
from server.order.host_commands import HostCommands
from server.order.host_requests import AnyHostRequest, HostAnswer, decode_host_request
from server.order.moderation import Moderation
from server.runtime.address_marks import LABEL, AddressMarks
from server.runtime.clock import RealClock
from server.runtime.errors import CommandError, SealDamaged
from server.runtime.former_keys import KEY
from server.runtime.sealing import SealingKey
from server.store.choice import open_store
from server.store.host_keys import SEALING_KEY
from server.store.port import StoreError
from server.store.redis.durability import Durability

ANSWER_SECONDS: Final = 30.0
MOST_BYTES: Final = 16 << 20


def run(folder: Path, place: str, durability: Durability | None, request: AnyHostRequest, *, as_json: bool) -> int:
    """Carry out a request and print the answer, a line each. Raises CommandError where it is refused."""
    try:
        request = decode_host_request(msgspec.json.encode(request))
    except msgspec.MsgspecError as problem:
        raise CommandError(f"That cannot be asked: {problem}.") from problem
    if not (folder / KEY).is_file():
        raise CommandError(f"There is no signing key in {folder}: no server has run there.", 1)
    answer = asyncio.run(_ask(folder, place, durability, request))
    if answer.refused:
        raise CommandError(answer.refused, 1)
    for line in answer.lines:
        print(json.dumps(line.about, ensure_ascii=False) if as_json else line.words)
    return 0


async def _ask(folder: Path, place: str, durability: Durability | None, request: AnyHostRequest) -> HostAnswer:
    door = read_place(folder)
    if door is not None:
        with suppress(ConnectionRefusedError):  # a server that was killed has left the file
            return await ask_server(door, request)
    return await _ask_store(folder, place, durability, request)


async def ask_server(door: DoorPlace, request: AnyHostRequest) -> HostAnswer:
    """Ask a running server. Raises ConnectionRefusedError where none runs, CommandError where it does not answer."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection(LOOPBACK, door.port, limit=MOST_BYTES)
            try:
                writer.write(door.word.encode() + b" " + msgspec.json.encode(request) + b"\n")
                await writer.drain()
                return msgspec.json.decode(await reader.readuntil(b"\n"), type=HostAnswer)
            finally:
                writer.close()
    except ConnectionRefusedError:
        raise
    except (OSError, EOFError, asyncio.LimitOverrunError, msgspec.MsgspecError) as problem:
        raise CommandError("The server has not answered. Look at `admin audit` before you try again.", 1) from problem


async def _ask_store(folder: Path, place: str, durability: Durability | None, request: AnyHostRequest) -> HostAnswer:
    """Carry out a request in the store, which no server has open. Raises CommandError."""
    with store_explained(place, folder):
        store = await open_store(place, folder, durability)
    try:
        wall = RealClock().wall
        order = Moderation(store, AddressMarks(SealingKey.at(folder / SEALING_KEY).derive(LABEL)), wall)
        await order.open()
        return await HostCommands(order, store, wall).answer(request)
    except (StoreError, SealDamaged, OSError) as problem:
        raise CommandError(f"Nothing was done: {problem}", 1) from problem
    finally:
        await store.close()
