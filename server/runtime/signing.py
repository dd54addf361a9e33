"""The host's signature (Ed25519, RFC 8032) over heads and replays. Its key lies beside the sealing key."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.ids import MatchId
from protocol.proof.signed_texts import head_text
from server.runtime.keyfile import key_at


class HostKey:
    """The signing key of this host. `public` (32 bytes) is what others know it by."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def at(cls, path: Path) -> HostKey:
        """Read the key in this file, made where there is none. Raises KeyDamaged, OSError."""
        return cls(key_at(path))

    def sign(self, message: bytes) -> bytes:
        """Return the signature (64 bytes); the same message gives the same one. Takes about 60 us."""
        return self._key.sign(message)

    def derive(self, label: bytes) -> bytes:
        """Return 32 bytes that only this host can compute, different for each label. No label may begin a text that is
        signed."""
        return sha256(self.sign(label)).digest()

    def sign_head(self, match: MatchId, version: int, head: bytes) -> bytes:
        """Return the signature of a step's head."""
        return self.sign(head_text(match, version, head))
