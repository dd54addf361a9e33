"""Addresses of Redis: that of one server, or those of the Sentinels that know which server is the primary."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from redis.asyncio.connection import Connection, ConnectionPool, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

SENTINEL: Final = "+sentinel"
SENTINEL_PORT: Final = 26379
MOST_CONNECTIONS: Final = 2
"""One for writing and one for reading."""
UNREADABLE: Final = (
    "This Redis address cannot be read. Write redis://USER:PASSWORD@HOST:PORT/NUMBER, or "
    "redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/SERVICE/NUMBER, and in the password %2F for /, %3F for ?, "
    "%23 for # and %25 for %."
)
NO_NUMBER: Final = (
    "What stands behind the last / is no number of a database. Write redis://HOST:PORT/NUMBER, or "
    "redis+sentinel://HOST:PORT,HOST:PORT/SERVICE/NUMBER."
)


class RedisAddress(NamedTuple):
    """Address of a Redis server. `label` is what people may read of it: never a password.

    sentinels: those to ask, by host and port, for the primary of `service`; none where the server is named itself.
    """

    options: dict[str, Any]
    label: str
    sentinels: tuple[tuple[str, int], ...] = ()
    service: str = ""


def parse_address(url: str) -> RedisAddress:
    """Parse redis://, rediss:// and unix://, or redis+sentinel:// and rediss+sentinel://. Raises ValueError with a
    plain sentence."""
    try:
        parts = urlsplit(url)
        address = _behind_sentinels(parts) if parts.scheme.endswith(SENTINEL) else _of_one(url, parts)
    except ValueError:
        raise ValueError(UNREADABLE) from None  # what is wrong with it may be part of its password
    if parts.query or parts.fragment:
        raise ValueError("A Redis address takes no options behind ? or #.")
    if address is None:
        raise ValueError(NO_NUMBER)
    return address


def _of_one(url: str, parts: SplitResult) -> RedisAddress | None:
    options: dict[str, Any] = dict(parse_url(url))
    port = parts.port
    if parts.path.strip("/") and parts.scheme != "unix" and "db" not in options:
        return None
    where = parts.path if parts.scheme == "unix" else f"{parts.hostname or 'localhost'}:{port or 6379}"
    return RedisAddress(options, f"Redis at {where}")


def _behind_sentinels(parts: SplitResult) -> RedisAddress | None:
    """Return the address, None where its database is no number. Raises ValueError."""
    kind = parts.scheme.removesuffix(SENTINEL)
    service, _, number = parts.path.removeprefix("/").partition("/")
    login, _, hosts = parts.netloc.rpartition("@")
    if kind not in ("redis", "rediss") or not service or "@" in parts.path:
        raise ValueError  # a password that was not encoded ends at its /, and would stand in the label
    if number and not number.isdecimal():
        return None
    user, _, password = login.partition(":")
    options: dict[str, Any] = {"username": unquote(user) or None, "password": unquote(password) or None}
    options |= {"db": int(number or 0), "ssl": kind == "rediss"}
    sentinels = tuple(_host(word) for word in hosts.split(","))
    return RedisAddress(options, f"Redis {unquote(service)} (Sentinels at {hosts})", sentinels, unquote(service))


def _host(word: str) -> tuple[str, int]:
    parts = urlsplit(f"//{word}")
    if not parts.hostname:
        raise ValueError
    return parts.hostname, parts.port or SENTINEL_PORT


def make_pool(place: RedisAddress, patience: float) -> ConnectionPool:
    """Make a pool of connections to this address, each of which goes to the server that is the primary when it is made.

    patience: seconds that each answer may take.
    """
    usual: dict[str, Any] = {
        "socket_timeout": patience,
        "socket_connect_timeout": patience,
        "retry": Retry(NoBackoff(), 0),  # the queue tries again: it knows what has been asked before
        "protocol": 2,
        "driver_info": None,
    }
    options = dict(place.options)
    if not place.sentinels:
        kind = options.pop("connection_class", Connection)
        return ConnectionPool(kind, MOST_CONNECTIONS, **options, **usual)
    sentinels = Sentinel(place.sentinels, sentinel_kwargs=usual | {"ssl": options["ssl"]})
    return SentinelConnectionPool(place.service, sentinels, max_connections=MOST_CONNECTIONS, **options, **usual)


async def close_pool(pool: ConnectionPool) -> None:
    """Close the connections of a pool, and those to its Sentinels."""
    await pool.disconnect()
    if isinstance(pool, SentinelConnectionPool):
        await pool.sentinel_manager.aclose()
