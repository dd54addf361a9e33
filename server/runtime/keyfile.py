"""Key files: 32 random bytes for their owner only, made once, whole or not at all; and folders for their owner only."""

from __future__ import annotations

import os
import secrets
import shlex
import stat
from pathlib import Path
from typing import Final

from server.runtime.errors import KeyDamaged

KEY_BYTES: Final = 32
OTHERS: Final = 0o077
"""Mode bits of all users but the owner."""


def key_at(path: Path) -> bytes:
    """Return the key in this file (32 bytes, mode 0600), made where there is none.

    Raises KeyDamaged where it is no such key or not its owner's alone, OSError.
    """
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
    mend = open_to_others(path)
    if mend:
        raise KeyDamaged(
            f"others on this computer may read or change {path.name}, the host key. Take that from them:\n  {mend}\n"
            "If somebody may have read it, see `eschaton-server key rotate` too."
        )
    return key


def open_to_others(path: Path) -> str:
    """Return the command that takes all rights to a file or folder from all but its owner.

    Empty where nobody else has any, and on systems without such rights. Raises OSError.
    """
    mode = path.stat().st_mode
    if os.name != "posix" or not mode & OTHERS:
        return ""
    return f"chmod {700 if stat.S_ISDIR(mode) else 600} {shlex.quote(str(path))}"


def private_folder(path: Path) -> None:
    """Make a folder for its owner alone where there is none; leave an existing one as it is. Raises OSError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
