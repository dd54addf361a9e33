"""Players at bench tables: they enter by the protocol, like any client, and then shoot as fast as they are answered."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final

import msgspec

from bench.scenes import SCENARIO, SYSTEM
from bench.wire import PRIVATE, PUBLIC, REJECT, Wire
from protocol.scene.nodes import Reply
from protocol.version import VERSION

PATIENCE: Final = 20.0
STALE: Final = "stale"
MOST_STALE: Final = 3
"""Times in a row that an intent may be for a prompt that is not the newest."""
AT_ONCE: Final = 128
_ANY: Final = msgspec.msgpack.Decoder(dict[str, Any])
_ENCODE: Final = msgspec.msgpack.Encoder().encode


class _Prompt(msgspec.Struct):
    id: str | None = None
    choices: list[Any] | None = None


class _Nodes(msgspec.Struct):
    prompt: _Prompt | msgspec.UnsetType | None = msgspec.UNSET


class _Private(msgspec.Struct):
    patch: _Nodes


_PRIVATE: Final = msgspec.msgpack.Decoder(_Private)


class Player(Wire):
    """Connection of one player."""

    def __init__(self, path: str = "/") -> None:
        super().__init__(path)
        self.table: Table | None = None
        self.prompt = ""
        self.may_act = False
        self.is_playing = False
        self.is_watching = False
        self.refused = ""
        self.said: dict[str, dict[str, Any]] = {}
        self.listener: Callable[[bytes], None] | None = None
        """Takes all further frames, unread."""
        self._changed = asyncio.Event()

    # Entering: every message is read

    def say(self, t: str, **fields: object) -> None:
        """Send a message of the protocol."""
        self.send(_ENCODE({"t": t, **fields}))

    async def until(self, holds: Callable[[Player], bool]) -> None:
        """Wait until `holds` is true of what the server has sent; `said` has the last message of each kind. Raises
        SystemExit."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds(self):
                    if self.refused or self.is_lost:
                        raise SystemExit(f"The server refuses: {self.refused or 'the connection'}")
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise SystemExit(f"The server does not answer; it last said {list(self.said)}") from None

    async def greet(self, name: str, catalogues: Sequence[str] = ()) -> None:
        """Enter as a new guest."""
        self.say("hello", version=VERSION, name=name, catalogues=list(catalogues))
        await self.until(lambda player: "lobby" in player.said)

    def frame_received(self, data: bytes) -> None:
        if self.listener is not None:
            self.listener(data)
            return
        if self.is_playing:
            self._played(data)
            return
        message = _ANY.decode(data)
        kind = message["t"]
        if kind in ("snapshot", "delta") and message.get("part") == "private":
            nodes = message.get("nodes") or message.get("patch") or {}
            if "prompt" in nodes:
                self._prompted(msgspec.convert(nodes["prompt"], _Prompt | None))
        elif kind == "problem":
            self.refused = str(message["code"])
        self.said[kind] = message
        self._changed.set()

    def read_ended(self) -> None:
        if self.is_playing and self.table is not None and not self.is_watching:
            self.table.go_on()

    # Playing: hardly anything is read

    def _played(self, data: bytes) -> None:
        table = self.table
        if table is None:
            return
        if self.is_watching:
            table.shown += 1
        elif data.startswith(PUBLIC, 1):
            table.held(len(data))
        elif data.startswith(PRIVATE, 1):
            prompt = _PRIVATE.decode(data).patch.prompt
            if prompt is not msgspec.UNSET:
                self._prompted(prompt)
        elif data.startswith(REJECT, 1):
            code = str(_ANY.decode(data)["code"])
            if code != STALE or not table.takes_back():
                # its table gets no more answers: the span fails and names this code
                self.refused = code

    def _prompted(self, prompt: _Prompt | None) -> None:
        if prompt is None:
            self.may_act = False
            return
        self.prompt = prompt.id or self.prompt
        if prompt.choices is not None:
            self.may_act = bool(prompt.choices)
        if self.may_act and self.table is not None:
            self.table.actor = self


class Table:
    """Six players, one intent in flight. `on_delta` is called when all of them hold its delta, `on_ready` when the next
    actor is known: behind the delta, in the same piece, comes a prompt where another one is to be shown. `shown` counts
    the frames of the spectators, who get several steps together."""

    def __init__(self, number: int, players: Sequence[Player], shots: Sequence[Reply]) -> None:
        self.number = number
        self.players = list(players)
        self.shown = 0
        self.code = ""
        """By which those who want to watch name it."""
        self.actor: Player | None = None
        self.on_delta: Callable[[Table, int], None] = _nothing
        self.on_ready: Callable[[Table], None] = _nothing
        self.sent = 0.0
        self._missing = 0
        self._is_under_way = False
        self._stale = 0
        self._count = 0
        tails = [_ENCODE({"choice": shot.choice, "fields": shot.fields})[1:] for shot in shots]
        self._tails = dict(zip(players, tails, strict=False))
        for player in players:
            player.table = self

    @property
    def is_busy(self) -> bool:
        """True while its last intent is not done, or the next actor is unknown."""
        return self._is_under_way

    def shoot(self) -> None:
        """Send a shot of the seat whose turn it is."""
        actor = self.actor
        assert actor is not None
        assert not self.is_busy
        self._count += 1
        id = struct.pack("!QQ", self.number, self._count)
        self._begin()
        actor.send(
            b"\x85\xa1t\xa6intent\xa2id\xc4\x10%b\xa6prompt%b%b" % (id, _ENCODE(actor.prompt), self._tails[actor])
        )

    def held(self, size: int) -> None:
        """Note that one more player has the delta; one without an intent (a card that ran out of time) does not
        count."""
        if not self._missing:
            return
        self._missing -= 1
        self._stale = 0
        if not self._missing:
            self.on_delta(self, size)

    def takes_back(self) -> bool:
        """Take back the last intent, which was for a prompt that came in another piece than the delta before it, as a
        server may do at any time, so that it is sent again. Return False where that has been so too often."""
        self._stale += 1
        if self._stale > MOST_STALE:
            return False
        self._missing = 0
        return True

    def go_on(self) -> None:
        """Go on after all of a piece has been read."""
        if self._is_under_way and not self._missing and self._may_go_on():
            self._is_under_way = False
            self.on_ready(self)

    def _begin(self) -> None:
        self._missing, self._is_under_way = len(self.players), True
        self.sent = perf_counter()

    def _may_go_on(self) -> bool:
        return self.actor is not None and self.actor.may_act


class Room(Table):
    """A table of the raw limit: only frames of one size."""

    def shoot(self) -> None:
        """Send as many bytes as an intent has."""
        self._begin()
        self.players[0].send(bytes(110))

    def _may_go_on(self) -> bool:
        return True


def _nothing(table: Table, size: int = 0) -> None:
    """Ignore a call for a table without listeners."""


async def connected(
    port: int, count: int, path: Callable[[int], str] = lambda _: "/", first: int = 0, *, together: int = 16
) -> list[Player]:
    """Open connections, numbered from `first`, each group of so many from an address of its own."""
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(64)

    async def one(number: int) -> Player:
        group = number // together
        source = (f"127.{1 + group // 60_000}.{group // 250 % 240}.{group % 250 + 1}", 0)
        async with gate:
            _, player = await loop.create_connection(lambda: Player(path(number)), "127.0.0.1", port, local_addr=source)
            await asyncio.wait_for(player.opened, PATIENCE)
            return player

    return list(await asyncio.gather(*[one(number) for number in range(first, first + count)]))


async def guests(port: int, count: int, before: int = 0, *, together: int = 16) -> list[Player]:
    """Open connections of guests, numbered from `before` on, a few at a time, since a server waits only seconds for a
    greeting.

    The texts that the first has received are not sent to the others again.
    """
    players: list[Player] = []
    catalogues: list[str] = []
    while len(players) < count:
        first = len(players)
        size = min(AT_ONCE, count - first) if first else 1
        players += await connected(port, size, first=before + first, together=together)
        await asyncio.gather(
            *[player.greet(f"Guest {n}", catalogues) for n, player in enumerate(players[first:], first)]
        )
        catalogues = catalogues or [players[0].said["catalogue"]["hash"]]
    return players


async def seated(number: int, players: Sequence[Player], shots: Sequence[Reply], *, private: bool) -> Table:
    """Seat these players at a table and begin its match; return once it is a seat's turn. A table that is not private
    can be watched."""
    owner, others = players[0], players[1:]
    owner.say("create", system=SYSTEM, scenario=SCENARIO, name=f"Table {number}", private=private)
    await owner.until(lambda player: "table" in player.said)
    code = owner.said["table"]["code"]
    for player in others:
        player.say("join", code=code)
    await asyncio.gather(*[player.until(lambda player: "table" in player.said) for player in others])
    for player in others:
        player.say("ready", ready=True)
    owner.say("ready", ready=True)
    await owner.until(lambda player: all(seat.get("ready") for seat in player.said["table"]["seats"]))
    table = Table(number, sorted(players, key=lambda player: int(player.said["table"]["seat"])), shots)
    table.code = code
    owner.say("start")
    await _any_turn(table)
    return table


async def _any_turn(table: Table) -> None:
    waiting = [asyncio.create_task(player.until(lambda _: table.actor is not None)) for player in table.players]
    done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.gather(*done)


async def all_seated(
    players: Sequence[Player], shots: Sequence[Reply], at_once: int = 20, *, private: bool = True
) -> list[Table]:
    """Seat all players at tables of six."""
    gate = asyncio.Semaphore(at_once)

    async def one(number: int) -> Table:
        async with gate:
            return await seated(number, players[6 * number : 6 * number + 6], shots, private=private)

    tables = list(await asyncio.gather(*[one(number) for number in range(len(players) // 6)]))
    for player in players:
        player.is_playing = True
    return tables
