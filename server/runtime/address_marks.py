"""Marks of network addresses: keyed hashes, so that a record can know an address again and no file holds it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

LABEL: Final = b"eschaton/addresses"
"""Label under which the host's key gives the key of the marks."""
MARK_BYTES: Final = 16


class AddressMarks:
    """Marks under one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, address: str, about: str) -> str:
        """Return the mark of an address for one thing, such as a table: marks of two things tell nothing of each
        other."""
        return hmac.new(self._key, f"{about} {address}".encode(), hashlib.sha256).digest()[:MARK_BYTES].hex()
