"""A connection to Redis: checked to be fit to keep what it acknowledges, and never left with a command on its way."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit

from redis import exceptions as errors
from redis.asyncio.connection import AbstractConnection, Connection, parse_url

from protocol.errors import EschatonError
from server.store.port import StoreDamaged, StoreError, StoreInUse, StoreUnavailable
from server.store.redis.record_scripts import RECORD_SCRIPTS
from server.store.redis.scripts import SCRIPTS

Word = str | bytes | int
Command = tuple[Word, ...]
AcceptedLoss = Literal["everysec"]

LEAST_VERSION: Final = (7, 0)
EVICTING: Final = "allkeys"

# Values of each setting with which an acknowledged write is on the disk; the first one is recommended.
KEEPS: Final = {
    "appendonly": ("yes",),
    "appendfsync": ("always",),
    "no-appendfsync-on-rewrite": ("no",),
}
ACCEPTING: Final = {"everysec": {"appendfsync": ("always", "everysec")}}

_BROKEN_LINK: Final = (
    errors.ConnectionError,
    errors.TimeoutError,
    errors.NoScriptError,
    errors.InvalidResponse,
    OSError,
)


class ConnectionLost(EschatonError):
    """A lost connection to Redis. What was sent and not answered was done or not; it will not be done later."""


class Timeouts(NamedTuple):
    """Waiting times in seconds. answer: for Redis, before the connection counts as lost. patience: for a lost
    connection, of what has not been sent. pause: at most, between two attempts to connect."""

    answer: float = 3.0
    patience: float = 2.0
    pause: float = 0.5


DEFAULT_TIMEOUTS: Final = Timeouts()
UNREADABLE: Final = (
    "This Redis address cannot be read. Write redis://USER:PASSWORD@HOST:PORT/NUMBER, and in the password %2F for /, "
    "%3F for ?, %23 for # and %25 for %."
)


class RedisAddress(NamedTuple):
    """Address of a Redis server. `label` is what people may read of it: never a password."""

    options: dict[str, Any]
    label: str


def parse_address(url: str) -> RedisAddress:
    """Parse redis://, rediss:// or unix://. Raises ValueError with a plain sentence."""
    try:
        parts = urlsplit(url)
        options: dict[str, Any] = dict(parse_url(url))
        port = parts.port
    except ValueError:
        raise ValueError(UNREADABLE) from None  # what is wrong with it may be part of its password
    if parts.query or parts.fragment:
        raise ValueError("A Redis address takes no options behind ? or #.")
    if parts.path.strip("/") and parts.scheme != "unix" and "db" not in options:
        raise ValueError("What stands behind the last / is no number of a database. Write redis://HOST:PORT/NUMBER.")
    where = parts.path if parts.scheme == "unix" else f"{parts.hostname or 'localhost'}:{port or 6379}"
    return RedisAddress(options, f"Redis at {where}")


class RedisConnection:
    """A connection that is fit for use. `run` names the life of the Redis process, `id` this connection in it."""

    def __init__(self, connection: AbstractConnection, label: str, accepted: AcceptedLoss | None) -> None:
        self.run = b""
        self.id = 0
        self._connection: Any = connection
        self._label = label
        self._accepted = accepted

    @classmethod
    async def open(
        cls, place: RedisAddress, accepted: AcceptedLoss | None, patience: float, before: RedisConnection | None
    ) -> RedisConnection:
        """Connect, and make sure that nothing sent over the connection `before` is done after this returns.

        patience: seconds that each answer may take. Raises ConnectionLost where Redis cannot be reached or does not
        answer, StoreUnavailable where it is not fit.
        """
        options = dict(place.options)
        make: Any = options.pop("connection_class", Connection)
        timeouts = {"socket_timeout": patience, "socket_connect_timeout": patience}
        opened = cls(make(**options, **timeouts, protocol=2, driver_info=None), place.label, accepted)
        try:
            await opened._connect()
            await opened._make_ready(before)
        except BaseException:
            await opened.close()
            raise
        return opened

    async def _connect(self) -> None:
        try:
            await self._connection.connect()
        except (errors.AuthenticationError, errors.AuthorizationError) as problem:
            raise StoreUnavailable(f"{self._label} refuses the user or password: {problem}") from problem
        except (errors.RedisError, OSError) as problem:
            raise ConnectionLost(f"{self._label} cannot be reached ({problem}).") from problem

    async def _make_ready(self, before: RedisConnection | None) -> None:
        server, replication, id = await self._all(("INFO", "server"), ("INFO", "replication"), ("CLIENT", "ID"))
        about = _fields(server)
        self.run, self.id = about["run_id"].encode(), id
        if before is not None and before.run == self.run:
            # it may still hold commands of ours, which Redis would carry out later
            await self._all(("CLIENT", "KILL", "ID", before.id))
        version = tuple(int(part) for part in about["redis_version"].split(".")[:2])
        if version < LEAST_VERSION:
            raise StoreUnavailable(f"{self._label} has version {about['redis_version']}; 7.0 or newer is needed.")
        if _fields(replication)["role"] != "master":
            raise StoreUnavailable(
                f"{self._label} is a replica, which takes no writes. Give the address of its master."
            )
        await self._check_durability()
        await self._all(*[("SCRIPT", "LOAD", script) for script in (*SCRIPTS, *RECORD_SCRIPTS)])

    async def _check_durability(self) -> None:
        """Check the settings that durability rests on, at every connecting: a server that comes back may have been
        given others."""
        [answer] = await self._all(("CONFIG", "GET", *KEEPS, "maxmemory-policy"), may_fail=True)
        if isinstance(answer, Exception):
            raise StoreUnavailable(
                f"{self._label} does not tell whether it keeps what it acknowledges ({answer}). "
                "Allow its user the command CONFIG GET (ACL: +config|get)."
            )
        words = [word.decode() for word in answer]
        found = dict(zip(words[::2], words[1::2], strict=True))
        wanted = KEEPS | (ACCEPTING[self._accepted] if self._accepted is not None else {})
        wrong = {name: found.get(name, "unknown") for name, good in wanted.items() if found.get(name) not in good}
        if wrong:
            raise StoreUnavailable(self._advice(wrong))
        if found.get("maxmemory-policy", "").startswith(EVICTING):
            raise StoreUnavailable(
                f"{self._label} throws out data when its memory is full (maxmemory-policy is "
                f"{found['maxmemory-policy']}). Set maxmemory-policy noeviction in its redis.conf and restart it."
            )

    def _advice(self, wrong: dict[str, str]) -> str:
        is_now = ", ".join(f"{name} is {value}" for name, value in wrong.items())
        lines = "".join(f"\n  {name} {good[0]}" for name, good in KEEPS.items())
        text = (
            f"{self._label} may lose what it has acknowledged: {is_now}. Set in its redis.conf{lines}\nand restart it."
        )
        if wrong.keys() <= {"appendfsync"} and self._accepted is None:
            text += (
                "\nOr start this server with --accept-loss everysec: when Redis or its computer then crashes, up to "
                "about a second of play that people have seen is gone. They are told, and play on from before it."
            )
        return text

    async def send(self, commands: Sequence[Command]) -> None:
        """Send these commands, whose answers are then taken by `answer`, one each in order. Raises ConnectionLost."""
        try:
            await self._connection.send_packed_command(self._connection.pack_commands(commands), check_health=False)
        except _BROKEN_LINK as problem:
            raise ConnectionLost(f"{self._label} is gone ({problem}).") from problem

    async def answer(self) -> Any:
        """Return the next answer, or the StoreError that stands for a refusal, which did nothing. Raises
        ConnectionLost."""
        try:
            return await self._connection.read_response(disable_decoding=True)
        except _BROKEN_LINK as problem:
            raise ConnectionLost(f"{self._label} is gone or does not answer ({problem}).") from problem
        except errors.ResponseError as problem:
            return self._explained(problem)

    async def close(self) -> None:
        """Drop the connection, without waiting for anything."""
        with suppress(errors.RedisError, OSError):
            await self._connection.disconnect(nowait=True)

    async def _all(self, *commands: Command, may_fail: bool = False) -> list[Any]:
        await self.send(commands)
        answers = [await self.answer() for _ in commands]
        failed = next((answer for answer in answers if isinstance(answer, StoreError)), None)
        if failed is not None and not may_fail:
            raise failed
        return answers

    def _explained(self, problem: errors.ResponseError) -> StoreError:
        text = str(problem)
        if text.startswith("WRONGTYPE") or "XADD" in text:
            return StoreDamaged(f"{self._label} holds something else where a match should be ({text}).")
        if text.startswith("HELD"):
            return StoreInUse(f"Another server has taken {self._label} over; nothing was stored. Stop this one.")
        for start, sentence in _SENTENCES.items():
            if text.startswith(start) or isinstance(problem, _KINDS.get(start, ())):
                return StoreUnavailable(f"{self._label} {sentence}; nothing was stored.")
        return StoreUnavailable(f"{self._label} refuses ({text}); nothing was stored.")


_SENTENCES: Final = {
    "OOM": "has no memory left: raise its maxmemory",
    "READONLY": "has become a replica, which takes no writes",
    "MISCONF": "cannot write to its own disk: see its log",
    "NOPERM": "does not let its user do this: see the rules for its user",
}
_KINDS: Final[dict[str, Any]] = {
    "OOM": errors.OutOfMemoryError,
    "READONLY": errors.ReadOnlyError,
    "NOPERM": errors.NoPermissionError,
}


def _fields(info: bytes) -> dict[str, str]:
    lines = info.decode("utf-8", "replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)
