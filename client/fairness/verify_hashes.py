"""Hashes of the scheme of dice, and the one exception, for `client/fairness/verify.py` and the modules beside it."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class VerificationFailed(Exception):
    """First thing that does not hold, as a sentence."""


def refuse(sentence: str) -> NoReturn:
    raise VerificationFailed(sentence)


def joined(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def digest(tag: str, *parts: bytes) -> bytes:
    return sha256(joined(b"eschaton/" + tag.encode(), *parts)).digest()


def mac(key: bytes, tag: str, *parts: bytes) -> bytes:
    return hmac.digest(key, joined(b"eschaton/" + tag.encode(), *parts), "sha256")


def is_signed(key: bytes, words: bytes, signature: bytes) -> bool:
    """Return whether this is the signature (Ed25519, RFC 8032) of these words under this key."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True
