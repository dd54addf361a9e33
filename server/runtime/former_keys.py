"""Signing keys that a host had before, each of which has signed for the next one (`key rotate`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from server.runtime.errors import KeyDamaged

KEY: Final = "host.ed25519"
FORMER: Final = "host.keys"
LABEL: Final = b"eschaton/handover/v1\0"


class FormerKey(NamedTuple):
    """A key that signed until `until` (Unix seconds), and the key that it handed over to."""

    public: bytes
    until: int
    following: bytes
    signature: bytes

    def holds(self) -> bool:
        """Return True where the former key itself has signed for the one that follows."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(self.signature, LABEL + self.following)
        except (InvalidSignature, ValueError):
            return False
        return True


def former_keys(folder: Path) -> list[FormerKey]:
    """Return the keys before the present one, the oldest first. Raises KeyDamaged."""
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


def _former(line: dict[str, str | int]) -> FormerKey:
    public, following, signature = (bytes.fromhex(str(line[name])) for name in ("public", "next", "signature"))
    return FormerKey(public, int(line["until"]), following, signature)
