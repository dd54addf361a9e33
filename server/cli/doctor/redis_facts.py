"""Facts of a Redis: its settings, its state, its clock, and who holds the store. Sends only commands that read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.accounts.uptime import SECONDS, UPTIME
from server.store.redis import keys
from server.store.redis.address import RedisAddress, close_pool, make_pool, parse_address

ANSWER_SECONDS: Final = 5.0
SETTINGS: Final = ("appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy", "maxmemory")
REPLICATION: Final = ("min-replicas-to-write", "min-replicas-max-lag")


class RedisFacts(NamedTuple):
    """`problem`: why it does not answer; `settings`: those that it tells; `info`: its own account; `layout`: number of
    the store's layout; `ahead`: seconds by which its clock is before this computer's; `holder`: name of the data folder
    whose server uses the store, `silent`: seconds for which that one has not been heard of."""

    label: str
    problem: str = ""
    settings: Mapping[str, str] = {}
    info: Mapping[str, Any] = {}
    layout: int = 0
    ahead: float = 0.0
    uptime: int | None = None
    holder: str = ""
    silent: float = 0.0


def look_at_redis(place: str) -> RedisFacts:
    """Ask the Redis at `place`, an address that a server could use; what it does not tell is left out."""
    try:
        address = parse_address(place)
    except ValueError as problem:
        return RedisFacts("Redis", str(problem))
    try:
        return asyncio.run(_look(address))
    except (RedisError, OSError) as problem:
        return RedisFacts(address.label, str(problem) or type(problem).__name__)


async def _look(address: RedisAddress) -> RedisFacts:
    pool = make_pool(address, ANSWER_SECONDS)
    client: Any = Redis(connection_pool=pool)
    try:
        before = time.time()
        seconds, micros = await client.time()
        now = seconds + micros / 1e6
        ahead = now - (before + time.time()) / 2
        info = await client.info()
        try:
            settings = _text(await client.config_get(*SETTINGS, *REPLICATION))
        except RedisError:
            settings = {}
        layout = await client.get(keys.LAYOUT)
        counted = await client.hget(keys.RECORDS + keys.quoted(UPTIME), SECONDS)
        folder, beat = await client.hmget(keys.HOLDER, "folder", "beat")
        return RedisFacts(
            address.label,
            settings=settings,
            info=info,
            layout=int(layout or 0),
            ahead=ahead,
            uptime=int(counted) if counted and counted.isdigit() else None,
            holder=(folder or b"").decode("ascii", "replace"),
            silent=now - int(beat) / 1000 if beat else 0.0,
        )
    finally:
        await close_pool(pool)


def _text(found: Mapping[Any, Any]) -> dict[str, str]:
    def text(word: Any) -> str:
        return word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word)

    return {text(name): text(value) for name, value in found.items()}
