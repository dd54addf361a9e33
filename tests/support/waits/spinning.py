"""Processes that only spin, beside a command: `python -m tests.support.waits.spinning make test`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

LOOPS: Final = 2
SPIN: Final = "import os\nwhile os.getppid() == {parent}: pass"
"""It ends with its parent too, however that ends."""


@contextmanager
def busy(loops: int = LOOPS) -> Iterator[list[int]]:
    """Keep a number of processes spinning, at the niceness of this one, and yield their ids."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN.format(parent=os.getpid())]) for _ in range(loops)]
    try:
        yield [one.pid for one in spinning]
    finally:
        for one in spinning:
            one.kill()
            one.wait()


if __name__ == "__main__":
    with busy():
        sys.exit(subprocess.run(sys.argv[1:], check=False).returncode)
