"""Tokens, seat codes and resume positions in the wrong hands: tried over real sockets, none may open anything."""

from __future__ import annotations

import random
import secrets
import time
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from protocol.game_links import CODE_LETTERS
from protocol.ids import BEGINNING, TableId
from protocol.limits import Bucket, Limits
from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message, encode_request
from protocol.wire.from_server import FromServer, Problem, SeatCode, TableView, Welcome
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.servers.limits import FREE

OPEN_DOOR = Limits(
    **FREE,
    handshakes_per_second=1_000_000,
    sockets_per_address=10_000,
    code_tries=Bucket(1e6, 1_000_000),
    code_tries_per_address=Bucket(1e6, 1_000_000),
    frames=Bucket(1e6, 1_000_000),
)
"""No bound on how often one may try: what holds is the secrets alone."""


async def steal(folder: Path, tries: int, seed: int) -> dict[str, float]:
    """Try what a thief might have: tokens used before, tokens of a person who has logged out, tokens with one character
    changed, codes that were used, replaced or guessed, and positions in a foreign match. Return how many were tried and
    how many opened anything."""
    chance = random.Random(seed)
    async with running(folder, limits=OPEN_DOOR) as run:
        ann, ben = await two_players(run)
        await ann.say(say.Ping(n=1))
        used = [str(ann.talk.token)]
        for _ in range(3):
            await ann.connect()
            await ann.pinged()
            used.append(str(ann.talk.token))
        good = used.pop()
        gone = await run.client("Gone")
        await gone.pinged()
        lost = str(gone.talk.token)
        await gone.say(say.Logout())
        await gone.until(lambda: gone.closed is not None)
        codes = [await seat_code(ann) for _ in range(2)]
        other = await run.client("Other")
        await other.create(private=True)
        assert other.talk.table is not None
        hidden = other.talk.table.id
        accepted = 0
        for number in range(tries):
            match number % 5:
                case 0:
                    accepted += await opens(run, chance.choice(used))
                case 1:
                    accepted += await opens(run, lost)
                case 2:
                    accepted += await opens(run, bent(chance, good))
                case 3:
                    accepted += await takes_seat(run, codes[0] if number % 2 else guess(chance))
                case _:
                    accepted += await resumes(run, hidden)
        assert ann.talk.table is not None
        assert ann.talk.table.seat == 0
        assert ben.closed is None
        # their owners could have used them
        assert await takes_seat(run, codes[1])
        assert await opens(run, str(ann.talk.token))
    return {"tries": tries, "accepted": accepted}


async def ask(run: Running, messages: list[say.Message], most: int) -> list[FromServer]:
    """Return the answers to a new connection, until a problem or a number of messages have come."""
    heard: list[FromServer] = []
    async with connect(f"ws://127.0.0.1:{run.port}/", subprotocols=[Subprotocol(SUBPROTOCOL)]) as socket:
        for message in messages:
            await socket.send(encode_request(message))
        while len(heard) < most and not any(isinstance(message, Problem) for message in heard):
            heard.append(decode_message(await socket.recv(decode=False), Limits()))
        socket.transport.abort()
    return heard


def hello(token: str | None = None, resume: say.Resume | None = None) -> say.Hello:
    return say.Hello(version=VERSION, name="Mallory", token=token, resume=resume)


async def opens(run: Running, token: str) -> bool:
    """Tell if this token lets a client in."""
    return any(isinstance(message, Welcome) for message in await ask(run, [hello(token)], 1))


async def takes_seat(run: Running, code: str) -> bool:
    """Tell if this code gives a seat."""
    heard = await ask(run, [hello(), say.UseSeatCode(code=code)], 8)
    return any(isinstance(message, TableView) for message in heard)


async def resumes(run: Running, table: TableId) -> bool:
    """Tell if naming another's private match and a position in it shows any of it."""
    place = say.Resume(table=table, stream=secrets.token_hex(4), public=BEGINNING, private=BEGINNING)
    return any(isinstance(message, TableView) for message in await ask(run, [hello(resume=place)], 8))


async def seat_code(player: Client) -> str:
    await player.say(say.GetSeatCode())
    return (await player.hear(SeatCode)).code


def bent(chance: random.Random, token: str) -> str:
    """Return a token with one character changed."""
    place = chance.randrange(len(token) - 1)
    fresh = chance.choice([c for c in CODE_LETTERS if c != token[place]])
    return token[:place] + fresh + token[place + 1 :]


def guess(chance: random.Random) -> str:
    return "".join(chance.choice(CODE_LETTERS) for _ in range(10))


async def _until_fewer(run: Running, links: int) -> None:
    await until(lambda: len(run.server._gateway._links) < links)


async def log_out(folder: Path, people: int) -> dict[str, float]:
    """Log out with a program that reads nothing more, and return the seconds until the server has closed, at worst."""
    worst = 0.0
    async with running(folder, limits=OPEN_DOOR) as run:
        for number in range(people):
            client = await run.client(f"Ann {number}")
            assert client._socket is not None
            before = len(run.server._gateway._links)
            client._socket.transport.pause_reading()
            began = time.perf_counter()
            await client.say(say.Logout())
            await _until_fewer(run, before)
            worst = max(worst, time.perf_counter() - began)
            client._socket.transport.abort()
            client._socket.transport.resume_reading()
    return {"logouts": people, "worst_seconds": worst}
