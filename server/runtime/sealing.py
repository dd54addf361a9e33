"""Sealing of each match's secret while the match is live. The key lies outside the database, for its owner only."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from protocol.ids import MatchId
from server.runtime.errors import KeyDamaged, SealDamaged
from server.runtime.keyfile import key_at

NONCE_BYTES: Final = 12
LABEL: Final = b"eschaton/secret/"


class SealingKey:
    """A key that seals and opens secrets with AES-256-GCM; the match's id is bound in as associated data."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    @classmethod
    def at(cls, path: Path) -> SealingKey:
        """Read the key in this file (32 bytes, mode 0600), made where there is none. Raises SealDamaged."""
        try:
            return cls(key_at(path))
        except KeyDamaged as problem:
            raise SealDamaged(str(problem)) from problem

    def seal(self, secret: bytes, match: MatchId) -> bytes:
        """Return a random nonce (12 bytes) and the sealed secret with its tag (16 bytes)."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, LABEL + match.encode())

    def open(self, sealed: bytes, match: MatchId) -> bytes:
        """Return the secret. Raises SealDamaged where key, bytes or match are not those of the sealing."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], LABEL + match.encode())
        except (InvalidTag, ValueError) as problem:
            raise SealDamaged(f"the secret of match {match} cannot be opened with this host key") from problem
