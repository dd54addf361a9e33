"""Sealing of what the database holds for a match and nobody may read there: its secret while it is live, and words
between two people. The key lies outside the database, for its owner only."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from server.runtime.errors import KeyDamaged, SealDamaged
from server.runtime.keyfile import key_at

NONCE_BYTES: Final = 12
SECRET: Final = b"eschaton/secret/"
"""Label of the secret of a match, which is bound in beside the match's id."""


class SealingKey:
    """A key that seals and opens secrets with AES-256-GCM. What each is and what it is about, such as the id of its
    match, is bound in as associated data."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._cipher = AESGCM(key)

    @classmethod
    def at(cls, path: Path) -> SealingKey:
        """Read the key in this file (32 bytes, mode 0600), made where there is none. Raises SealDamaged."""
        try:
            return cls(key_at(path))
        except KeyDamaged as problem:
            raise SealDamaged(str(problem)) from problem

    def derive(self, label: bytes) -> bytes:
        """Return 32 bytes that only this host can compute, different for each label."""
        return hmac.new(self._key, label, hashlib.sha256).digest()

    def seal(self, secret: bytes, about: str, label: bytes = SECRET) -> bytes:
        """Return a random nonce (12 bytes) and the sealed secret with its tag (16 bytes)."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, label + about.encode())

    def open(self, sealed: bytes, about: str, label: bytes = SECRET) -> bytes:
        """Return the secret. Raises SealDamaged where key, bytes, label or what it is about are not those of the
        sealing."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], label + about.encode())
        except (InvalidTag, ValueError) as problem:
            raise SealDamaged(f"the secret of {about} cannot be opened with this host key") from problem
