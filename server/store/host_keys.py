"""Record of the host keys that a store was made with: a server with other keys cannot open its secrets."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from server.runtime.errors import CommandError
from server.runtime.former_keys import KEY, former_keys
from server.runtime.keyfile import key_at
from server.runtime.signing import HostKey
from server.store.port import Store, StoreDamaged

HOST: Final = "host"
KEYS: Final = "keys"
SEALING_KEY: Final = "host.key"
LABEL: Final = b"eschaton/host-key/v1\0"


class HostKeys(msgspec.Struct, frozen=True):
    """The store's record of its host keys. `signing`: the public key; `sealing`: a digest, which tells nothing of the
    key."""

    signing: bytes
    sealing: bytes


async def check_host_keys(store: Store, folder: Path) -> None:
    """Make sure that the keys in this data folder are those of the store, or follow from them by `key rotate`.

    A store without a record of keys takes these for its own. Raises CommandError, KeyDamaged, StoreError, OSError.
    """
    stored = await store.get_record(HOST, KEYS)
    known = _read(stored) if stored is not None else None
    has_keys = (folder / KEY).is_file() and (folder / SEALING_KEY).is_file()
    if known is not None and not (has_keys and _follow(known, folder)):
        raise CommandError(
            f"The host keys in {folder} are not those of this store, which another host has made. Start with the data "
            "folder of that host (--data), or copy host.key, host.ed25519 and host.keys from it; or take a new store.",
            1,
        )
    found = _keys_in(folder)
    if found != known:
        await store.put_record(HOST, KEYS, msgspec.msgpack.encode(found))


def _read(stored: bytes) -> HostKeys:
    try:
        return msgspec.msgpack.decode(stored, type=HostKeys)
    except msgspec.MsgspecError as problem:
        raise StoreDamaged("The store's record of its host keys cannot be read.") from problem


def _keys_in(folder: Path) -> HostKeys:
    sealing = sha256(LABEL + key_at(folder / SEALING_KEY)).digest()
    return HostKeys(HostKey.at(folder / KEY).public, sealing)


def _follow(known: HostKeys, folder: Path) -> bool:
    """Return True where each key from the store's to the folder's has named the next. Raises KeyDamaged."""
    found = _keys_in(folder)
    named = {known.signing}
    for former in former_keys(folder):
        # a key names two where a rotation was interrupted and done again by a program of before
        if former.public in named:
            named.add(former.following)
    return found.signing in named and known.sealing == found.sealing
