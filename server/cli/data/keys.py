"""The host's signing keys: `eschaton-server key show` and `key rotate`.

A rotated key signs nothing more, and its file is deleted; its public half stays in `host.keys` with the day of its end
and its own signature of the key that follows, so that matches signed by it verify as before, and only the former host
can name the next key. One JSON object a line.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec

from server.cli.serving import store_explained
from server.lobby.table.table_record import LIVE, TABLES, TableRecord
from server.match.replays import save
from server.runtime.errors import CommandError, KeyDamaged, SealDamaged
from server.runtime.former_keys import FORMER, KEY, LABEL, former_keys
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store.choice import open_store
from server.store.former_marks import former_marks_key
from server.store.host_keys import SEALING_KEY, check_host_keys
from server.store.paging import each_record
from server.store.port import Store, StoreError


def rotate(folder: Path, now: int) -> tuple[HostKey, HostKey]:
    """Make a new signing key; return the former one and the new one. Raises KeyDamaged, OSError.

    When interrupted, the former key is still in use, and may be rotated again.
    """
    path = folder / KEY
    before = HostKey.at(path)
    fresh = path.with_suffix(".next")
    fresh.unlink(missing_ok=True)
    after = HostKey.at(fresh)
    signature = before.sign(LABEL + after.public)
    line = {"public": before.public.hex(), "until": now, "next": after.public.hex(), "signature": signature.hex()}
    lines = [*_handovers(folder, before.public), json.dumps(line)]
    save(folder / FORMER, "".join(one + "\n" for one in lines).encode())
    fresh.replace(path)
    return before, after


def _handovers(folder: Path, present: bytes) -> list[str]:
    """Return the lines about former keys, without those by which an interrupted rotation of the present one named a key
    that never came into use. Raises KeyDamaged."""
    former = former_keys(folder)
    while former and former[-1].public == present:
        former.pop()
    return (folder / FORMER).read_text("utf-8").splitlines()[: len(former)] if former else []


async def run_rotate(folder: Path, store: str) -> int:
    """Rotate the key of a host that does not run and has no live match. Raises CommandError."""
    if not (folder / KEY).is_file():
        raise CommandError(f"There is no signing key in {folder}: no server has run there.", 1)
    with store_explained(store, folder):
        opened = await open_store(store, folder)
    try:
        await check_host_keys(opened, folder)
        live = await _live_matches(opened)
        if live:
            raise CommandError(
                f"{live} matches are live, and their acts are signed. Let them end first, then rotate.", 1
            )
        # what the former key gave is not given again
        await former_marks_key(opened, SealingKey.at(folder / SEALING_KEY), HostKey.at(folder / KEY))
        before, after = rotate(folder, int(time.time()))
    except (KeyDamaged, SealDamaged, StoreError, OSError) as problem:
        raise CommandError(f"The key was not rotated: {problem}", 1) from problem
    finally:
        await opened.close()
    print(f"former key {before.public.hex()}\nnew key    {after.public.hex()}")
    return 0


async def _live_matches(store: Store) -> int:
    states = [msgspec.msgpack.decode(table.data, type=TableRecord).state async for table in each_record(store, TABLES)]
    return states.count(LIVE)


def show(folder: Path) -> int:
    """Print the present public key, and the former ones. Raises CommandError."""
    if not (folder / KEY).is_file():
        raise CommandError(f"There is no signing key in {folder}: no server has run there.", 1)
    try:
        print(f"{HostKey.at(folder / KEY).public.hex()}  in use")
        for former in reversed(former_keys(folder)):
            print(f"{former.public.hex()}  until {time.strftime('%Y-%m-%d', time.gmtime(former.until))}")
    except (KeyDamaged, OSError) as problem:
        raise CommandError(str(problem), 1) from problem
    return 0
