"""Memory that the program has freed, handed back to the system."""

from __future__ import annotations

import ctypes
import sys


def hand_back() -> None:
    """Hand freed memory back to the system, for use after large pictures: glibc keeps twice the largest block that was
    ever freed for itself. Nothing where the system's library has no call for that."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
