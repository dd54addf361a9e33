"""Processes that write to a store until they are killed or refused. Run by the store's tests.

`python -m tests.support.doubles.store_child append ADAPTER PLACE`: appends to several matches for ever, and prints each
step once it is acknowledged; to be killed.
`python -m tests.support.doubles.store_child change ADAPTER PLACE`: changes records, lines and due times for ever, and
prints each number once all of its changes are acknowledged; to be killed.
`python -m tests.support.doubles.store_child persist ADAPTER PLACE COUNT [BALLAST]`: appends COUNT steps, each again and
again until it is taken; removes the file BALLAST at the first refusal; prints how often it was refused.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from protocol.ids import MatchId
from server.store.port import Appended, Duplicate, Store, StoredRecord, StoreUnavailable
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore


async def _open_file(place: str) -> Store:
    return SqliteStore(Path(place))


async def _open_redis(place: str) -> Store:
    return await RedisStore.open(place)


OPENERS: Final[dict[str, Callable[[str], Awaitable[Store]]]] = {"sqlite": _open_file, "redis": _open_redis}
MATCHES: Final = tuple(map(MatchId, ("north", "south", "east", "west")))
PAIR: Final = "ab"
"""Keys of two records that are changed together."""
TRIES: Final = 1_000


def step_of(cause: bytes, size: int = 400) -> bytes:
    """Return the step that the children append for a cause, so that a reader can check it."""
    return (cause * (size // len(cause) + 1))[:size]


async def append_for_ever(store: Store) -> None:
    async with asyncio.TaskGroup() as writers:
        for match in MATCHES:
            writers.create_task(_append_to(store, match))


async def _append_to(store: Store, match: MatchId) -> None:
    fence, version = await store.open_match(match), await store.version(match)
    while True:
        cause = os.urandom(16)
        assert await store.append(match, fence, cause, version, step_of(cause)) == Appended(version + 1)
        version += 1
        os.write(1, f"{match} {version} {cause.hex()}\n".encode())  # one write is one line: no kill can split it


async def change_for_ever(store: Store) -> None:
    while True:
        before = {key: await store.find_record("pair", key) for key in PAIR}
        number = 1 + max(int(kept.data) if kept is not None else 0 for kept in before.values())
        await store.put_records(
            StoredRecord("pair", key, b"%d" % number, kept.version if kept is not None else 0)
            for key, kept in before.items()
        )
        await store.append_line("chat", b"%d" % number, 5)
        await store.put_due("due", {str(number): number})
        os.write(1, f"{number}\n".encode())


async def persist(store: Store, count: int, ballast: Path | None) -> int:
    """Append COUNT steps and return the number of refusals met on the way."""
    fence, refused = await store.open_match(MatchId("north")), 0
    for version in range(count):
        cause = version.to_bytes(16)
        for _ in range(TRIES):
            try:
                result = await store.append(MatchId("north"), fence, cause, version, step_of(cause, 4_000))
            except StoreUnavailable:
                refused += 1
                if ballast is not None:
                    ballast.unlink(missing_ok=True)
                continue
            assert result in (Appended(version + 1), Duplicate(version + 1)), result
            break
        else:
            raise AssertionError(f"step {version + 1} was refused {TRIES} times")
    return refused


async def main(act: str, adapter: str, place: str, *more: str) -> None:
    store = await OPENERS[adapter](place)
    if act == "append":
        await append_for_ever(store)
    if act == "change":
        await change_for_ever(store)
    count, *ballast = more
    print(await persist(store, int(count), Path(ballast[0]) if ballast else None))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
