"""Key files: 32 random bytes for their owner only, made once, whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

KEY_BYTES: Final = 32


class KeyDamaged(Exception):
    """A key file cannot be used."""


def key_at(path: Path) -> bytes:
    """The key in this file (32 bytes, mode 0600), made where there is none. Raises KeyDamaged, OSError."""
    if not path.exists():
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise KeyDamaged(f"the host key in {path.name} must have {KEY_BYTES} bytes, not {len(key)}")
    return key
