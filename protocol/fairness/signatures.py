"""Signatures by Ed25519 (RFC 8032), as hosts and programs make them."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def is_signed(key: bytes, words: bytes, signature: bytes) -> bool:
    """Return True where `signature` (64 bytes) is of these bytes by this key (32 bytes), False for a malformed one."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True


class OpeningKey:
    """Key under which one program opens its links at one match. Raises ValueError for a seed of other than 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, words: bytes) -> bytes:
        """Return the signature of these bytes (64 bytes), always the same for the same bytes."""
        return self._key.sign(words)
