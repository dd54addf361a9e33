"""A server with all rule systems: `python -m tests.support.legal.server DATA LIMITS`, which are "promised", as of any
host, or "free": no person is paced.

It prints its port, and for each line of its input its memory, as tests/support/soak/server.py does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from protocol.limits import Bucket, Limits
from server.cli.serving import run_loop
from tests.support.soak.server import hosted

FREE: Final = Bucket(1e6, 1_000_000)
LIMITS: Final = {
    "promised": Limits(),
    "free": Limits(intents=FREE, details=FREE, chat=FREE, frames=FREE, arrivals=FREE, handshakes_per_second=1_000),
}


if __name__ == "__main__":
    sys.exit(run_loop(hosted(Path(sys.argv[1]), LIMITS[sys.argv[2]])))
