"""Number of files and sockets that this process may have open."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Final

SPARE_FILES: Final = 200
"""Files beside the connections of people: the store, the log, bots' workers, programs of the operator."""


def allow_open_files(wanted: int) -> None:
    """Raise the bound of this process to `wanted` where it is lower, as far as the system lets it."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
