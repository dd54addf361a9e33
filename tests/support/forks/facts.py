"""A program that tells what it finds about itself at its start, as a line of JSON, and then copies a line of its input:
`python -m tests.support.forks.facts`."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import resource
import signal
import sys
import threading
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

STANDARD: Final = 2
"""The last of the standard streams."""


def _open_files() -> list[str]:
    """Return the places that the descriptors beyond the standard streams lead to."""
    found = []
    for descriptor in list(Path("/proc/self/fd").iterdir()):
        # the one of the listing itself is closed by now
        with suppress(FileNotFoundError):
            if int(descriptor.name) > STANDARD:
                found.append(str(descriptor.readlink()))
    return found


def facts() -> Mapping[str, Any]:
    """Return all that programs find at their start."""
    loop = asyncio.new_event_loop()
    debugs = loop.get_debug()
    loop.close()
    spec = sys.modules["__main__"].__spec__
    return {
        "arguments": sys.argv,
        "module": [__name__, __file__, spec and spec.name],
        "environment": dict(os.environ),
        "folder": str(Path.cwd()),
        "path": sys.path,
        "flags": list(sys.flags),
        "warnings": [str(one) for one in warnings.filters],
        "streams": [
            [s.name, s.mode, s.encoding, s.errors, s.line_buffering, s.isatty()]
            for s in (sys.stdin, sys.stdout, sys.stderr)
        ],
        "original streams": [sys.stdin is sys.__stdin__, sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__],
        "signals": {
            one.name: str(signal.getsignal(one)) for one in signal.valid_signals() if isinstance(one, signal.Signals)
        },
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "threads": threading.active_count(),
        "open": _open_files(),
        "collects": [gc.isenabled(), *gc.get_threshold()],
        "limits": [resource.getrlimit(one) for one in range(10)],
        "niceness": os.nice(0),
        "group": [os.getpgid(0), os.getsid(0)],
        "mask": os.umask(0o22),
        "debugs": debugs,
        "chance": random.random(),
    }


if __name__ == "__main__":
    print(json.dumps(facts()), flush=True)
    print(sys.stdin.readline(), end="")
    print("heard", file=sys.stderr)
    sys.exit(int(sys.argv[1]))
