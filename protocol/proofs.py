"""What a host signs (Ed25519, RFC 8032), byte for byte.

a head    joined("eschaton/sign-v1/head", match, u64(version), head)
a replay  joined("eschaton/sign-v1/replay", SHA-256 of all its bytes before the section "sign")
"""

from __future__ import annotations

from typing import Final, Protocol

from protocol.dice import joined, u64

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


class Signer(Protocol):
    """A host's key. `public`: 32 bytes."""

    @property
    def public(self) -> bytes:
        """What others know it by (32 bytes)."""

    def sign(self, message: bytes) -> bytes:
        """64 bytes."""


def head_text(match: str, version: int, head: bytes) -> bytes:
    """What is signed for a head."""
    return joined(b"eschaton/sign-v1/head", match.encode(), u64(version), head)


def replay_text(digest: bytes) -> bytes:
    """What is signed for a replay."""
    return joined(b"eschaton/sign-v1/replay", digest)
