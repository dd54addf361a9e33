"""A connection to Redis: checked to be fit to keep what it acknowledges, and never left with a command on its way."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from redis import exceptions as errors
from redis.asyncio.connection import ConnectionPool
from redis.asyncio.sentinel import MasterNotFoundError

from protocol.errors import EschatonError
from server.store.port import StoreDamaged, StoreError, StoreInUse, StoreUnavailable
from server.store.redis import durability as classes, keys
from server.store.redis.durability import REPLICAS, Durability
from server.store.redis.record_scripts import RECORD_SCRIPTS
from server.store.redis.scripts import SCRIPTS

Word = str | bytes | int
Command = tuple[Word, ...]

LEAST_VERSION: Final = (7, 0)

_BROKEN_LINK: Final = (
    errors.ConnectionError,
    errors.TimeoutError,
    errors.NoScriptError,
    errors.ReadOnlyError,  # another server has become the primary
    errors.InvalidResponse,
    OSError,
)


class ConnectionLost(EschatonError):
    """A lost connection to Redis. What was sent and not answered was done or not; it will not be done later."""


class Timeouts(NamedTuple):
    """Waiting times in seconds. answer: for Redis, before the connection counts as lost. patience: for a lost
    connection, of what has not been sent. pause: at most, between two attempts to connect. replica: for one to have
    what was written; less than `answer`."""

    answer: float = 3.0
    patience: float = 2.0
    pause: float = 0.5
    replica: float = 2.0


DEFAULT_TIMEOUTS: Final = Timeouts()


class RedisConnection:
    """A connection that is fit for use. `run` names the life of the Redis process, `history` the line of writes that it
    continues, `id` this connection in it. `on_word`: the settings that it does not tell.

    durability: None for one over which nothing is written.
    """

    def __init__(self, pool: ConnectionPool, label: str, durability: Durability | None, timeouts: Timeouts) -> None:
        self.run = b""
        self.history = b""
        self.id = 0
        self.on_word: tuple[str, ...] = ()
        self._connection: Any = None
        self._pool = pool
        self._label = label
        self._durability = durability
        self._timeouts = timeouts

    @classmethod
    async def open(
        cls,
        pool: ConnectionPool,
        label: str,
        durability: Durability | None,
        timeouts: Timeouts,
        before: RedisConnection | None,
    ) -> RedisConnection:
        """Connect, and make sure that nothing sent over the connection `before` is done after this returns, and that
        all that is there is kept.

        Raises ConnectionLost where Redis cannot be reached or does not answer, StoreUnavailable where it is not fit.
        """
        opened = cls(pool, label, durability, timeouts)
        await opened._connect()
        try:
            await opened._make_ready(before)
        except BaseException:  # cancelled, too: nobody else has the connection to close it
            await opened.close()
            raise
        return opened

    async def _connect(self) -> None:
        try:
            self._connection = await self._pool.get_connection()
        except (errors.AuthenticationError, errors.AuthorizationError) as problem:
            raise StoreUnavailable(f"{self._label} refuses the user or password: {problem}") from problem
        except MasterNotFoundError as problem:
            raise ConnectionLost(f"{self._label} cannot be reached (no Sentinel names a primary).") from problem
        except (errors.RedisError, OSError) as problem:
            raise ConnectionLost(f"{self._label} cannot be reached ({problem}).") from problem

    async def _make_ready(self, before: RedisConnection | None) -> None:
        server, replication, id = await self._all(("INFO", "server"), ("INFO", "replication"), ("CLIENT", "ID"))
        about, line = _fields(server), _fields(replication)
        self.run, self.history, self.id = about["run_id"].encode(), line["master_replid"].encode(), id
        if before is not None and before.run == self.run:
            # it may still hold commands of ours, which Redis would carry out later
            await self._all(("CLIENT", "KILL", "ID", before.id))
        version = tuple(int(part) for part in about["redis_version"].split(".")[:2])
        if version < LEAST_VERSION:
            raise StoreUnavailable(f"{self._label} has version {about['redis_version']}; 7.0 or newer is needed.")
        if line["role"] != "master":
            raise StoreUnavailable(
                f"{self._label} is a replica, which takes no writes. Give the address of its master."
            )
        if self._durability is not None:
            await self._check_settings(self._durability)
        await self._all(*[("SCRIPT", "LOAD", script) for script in (*SCRIPTS, *RECORD_SCRIPTS)])
        if self.awaits_replica:
            # WAIT counts for what this connection has written: this comes behind all that was there before
            _, count = await self._all(("SET", keys.REPLICATED, id), self.wait)
            if count < REPLICAS:
                raise ConnectionLost(self.unconfirmed)

    async def _check_settings(self, durability: Durability) -> None:
        """Check the settings that durability rests on, at every connecting: a server that comes back may have been
        given others."""
        [answer] = await self._all(("CONFIG", "GET", *classes.names(durability)), may_fail=True)
        found: dict[str, str] = {}
        if not isinstance(answer, Exception):
            words = [word.decode() for word in answer]
            found = dict(zip(words[::2], words[1::2], strict=True))
        refusal = str(answer) if isinstance(answer, Exception) else ""
        self.on_word = classes.check(self._label, durability, found, refusal)

    @property
    def awaits_replica(self) -> bool:
        """True where a write counts only once a replica has it: then `wait` is sent behind each batch."""
        return self._durability == "replica"

    @property
    def wait(self) -> Command:
        """Command that answers the number of replicas that have all that this connection has written."""
        return ("WAIT", REPLICAS, int(1000 * self._timeouts.replica))

    @property
    def unconfirmed(self) -> str:
        """Sentence for writes that no replica has confirmed in time."""
        return f"{self._label} has no replica that took the last writes within {self._timeouts.replica:g} s."

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
        """Drop the connection, without waiting for anything. May be called again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(errors.RedisError, OSError):
                await connection.disconnect(nowait=True)
            await self._pool.release(connection)

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
    "NOREPLICAS": "has no replica that follows it: start one, or wait for it",
    "MISCONF": "cannot write to its own disk: see its log",
    "NOPERM": "does not let its user do this: see the rules for its user",
}
_KINDS: Final[dict[str, Any]] = {
    "OOM": errors.OutOfMemoryError,
    "NOPERM": errors.NoPermissionError,
}


def _fields(info: bytes) -> dict[str, str]:
    lines = info.decode("utf-8", "replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)
