"""Marks of network addresses: keyed hashes, so that a record can know an address again and no file holds it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

LABEL: Final = b"eschaton/addresses"
"""Label under which a key of the host gives the key of the marks."""
MARK_BYTES: Final = 16


class AddressMarks:
    """Marks under one key, which the sealing key gives: it stays where the signing key is replaced. `former`: the key
    of marks that were made before, which are still known; empty where there is none."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.former = b""

    def of(self, address: str, about: str) -> str:
        """Return the mark of an address for one thing, such as a table: marks of two things tell nothing of each
        other."""
        return _mark(self._key, address, about)

    def all_of(self, address: str, about: str) -> tuple[str, ...]:
        """Return all marks that an address may have been given for one thing: what is kept is to be compared with
        them."""
        return tuple(_mark(key, address, about) for key in (self._key, self.former) if key)


def _mark(key: bytes, address: str, about: str) -> str:
    return hmac.new(key, f"{about} {address}".encode(), hashlib.sha256).digest()[:MARK_BYTES].hex()
