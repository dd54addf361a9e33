"""Locks of files, held until the file is closed or the process ends."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def lock(file: BinaryIO, *, wait: bool = True) -> None:
        """Lock a file for this process. Raises OSError, without `wait` at once where another has it."""
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def lock(file: BinaryIO, *, wait: bool = True) -> None:
        """Lock a file for this process. Raises OSError, without `wait` at once where another has it."""
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
