"""Processes that do nothing but spin, beside what is tried: `python -m tests.support.waits.spinning make test`."""

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
    """Keep so many processes spinning, at the niceness of this one; their ids."""
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
