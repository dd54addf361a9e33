"""The host's signing keys: `eschaton-server key show` and `key rotate`.

A rotated key signs nothing more, and its file is gone; its public half stays in `host.keys` with the day of its end and
its own signature of the key that follows, so that matches signed by it verify as before, and nobody but the former host
can name the next one. One JSON object a line.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from server.keyfile import KeyDamaged
from server.plain_errors import PlainError
from server.serving import open_or_say
from server.signing import HostKey
from server.store.port import Store, StoreError
from server.tables import LIVE, TABLES, TableRecord

KEY: Final = "host.ed25519"
FORMER: Final = "host.keys"
LABEL: Final = b"eschaton/handover/v1\0"


class Former(NamedTuple):
    """A key that signed until `until` (unix seconds), and the one that it handed over to."""

    public: bytes
    until: int
    following: bytes
    signature: bytes

    def holds(self) -> bool:
        """Whether the former key itself has named the one that follows."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(self.signature, LABEL + self.following)
        except (InvalidSignature, ValueError):
            return False
        return True


def former_keys(folder: Path) -> list[Former]:
    """The keys before this one, the oldest first. Raises KeyDamaged."""
    try:
        lines = (folder / FORMER).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    try:
        found = [_former(json.loads(line)) for line in lines]
    except (ValueError, KeyError, TypeError) as problem:
        raise KeyDamaged(f"{FORMER} cannot be read: {problem}") from problem
    if not all(each.holds() for each in found):
        raise KeyDamaged(f"{FORMER} names a key that did not sign for the one after it")
    return found


def _former(line: dict[str, str | int]) -> Former:
    public, following, signature = (bytes.fromhex(str(line[name])) for name in ("public", "next", "signature"))
    return Former(public, int(line["until"]), following, signature)


def rotate(folder: Path, now: int) -> tuple[HostKey, HostKey]:
    """Make a new signing key; returns the former one and the new one. Raises KeyDamaged, OSError.

    Interrupted, the former key is still in use.
    """
    path = folder / KEY
    before = HostKey.at(path)
    fresh = path.with_suffix(".next")
    fresh.unlink(missing_ok=True)
    after = HostKey.at(fresh)
    signature = before.sign(LABEL + after.public)
    line = {"public": before.public.hex(), "until": now, "next": after.public.hex(), "signature": signature.hex()}
    with (folder / FORMER).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return before, after


async def run_rotate(folder: Path, store: str) -> int:
    """Rotate the key of a host that does not run and has no live match. Raises PlainError."""
    if not (folder / KEY).is_file():
        raise PlainError(f"There is no signing key in {folder}: no server has run there.", 1)
    opened = await open_or_say(store, folder)
    try:
        live = await _live_matches(opened)
        if live:
            raise PlainError(f"{live} matches are live, and their acts are signed. Let them end first, then rotate.", 1)
        before, after = rotate(folder, int(time.time()))
    except (KeyDamaged, StoreError, OSError) as problem:
        raise PlainError(f"The key was not rotated: {problem}", 1) from problem
    finally:
        await opened.close()
    print(f"former key {before.public.hex()}\nnew key    {after.public.hex()}")
    return 0


async def _live_matches(store: Store) -> int:
    tables = (await store.records(TABLES)).values()
    return sum(msgspec.msgpack.decode(data, type=TableRecord).state == LIVE for data in tables)


def show(folder: Path) -> int:
    """Print the public key of now, and the former ones. Raises PlainError."""
    if not (folder / KEY).is_file():
        raise PlainError(f"There is no signing key in {folder}: no server has run there.", 1)
    try:
        print(f"{HostKey.at(folder / KEY).public.hex()}  in use")
        for former in reversed(former_keys(folder)):
            print(f"{former.public.hex()}  until {time.strftime('%Y-%m-%d', time.gmtime(former.until))}")
    except (KeyDamaged, OSError) as problem:
        raise PlainError(str(problem), 1) from problem
    return 0
