"""The key of the marks of addresses that hung on a store's first signing key, kept so that they stay known."""

from __future__ import annotations

from typing import Final

from server.runtime.address_marks import LABEL
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store.host_keys import HOST
from server.store.port import Store

MARKS: Final = "marks"
SEAL: Final = b"eschaton/former-marks/"
"""Label under which the key is sealed."""


async def former_marks_key(store: Store, sealing: SealingKey, signing: HostKey) -> bytes:
    """Return the key by which marks were made before the sealing key gave it. The first call keeps what the signing key
    gives, sealed in the store, so that it outlives that key. Raises SealDamaged, StoreError."""
    kept = await store.get_record(HOST, MARKS)
    if kept is not None:
        return sealing.open(kept, MARKS, SEAL)
    key = signing.derive(LABEL)
    await store.put_record(HOST, MARKS, sealing.seal(key, MARKS, SEAL))
    return key
