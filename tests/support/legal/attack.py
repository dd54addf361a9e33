"""54 guests from three addresses of a network who do as much as they may:
`python -m tests.support.legal.attack PORT NETWORK`.

It prints a line when they are ready, works for the seconds of each line of its input, and then prints the counts of
messages sent and refused; an empty line ends their matches, and the program.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Final

from protocol.limits import Limits
from tests.support.legal.stage import LARGE, staged
from tests.support.legal.workers import all_at_once

POLITE: Final = 19


async def main(port: int, network: int) -> None:
    """Run the attack."""
    # they stand for other machines, so they must not take CPU from server and players
    os.nice(POLITE)
    stage = await staged(port, Limits(), LARGE, network)
    print(json.dumps({"ready": len(stage.workers)}), flush=True)
    while seconds := (await asyncio.to_thread(sys.stdin.readline)).strip():
        await all_at_once(stage.workers, float(seconds))
        lost = sum(worker.lost for worker in stage.workers)
        for worker in stage.workers:
            worker.count()
        print(json.dumps({"sent": stage.sent, "refused": stage.refused, "lost": lost}), flush=True)
    await stage.leave()
    print(json.dumps({"gone": len(stage.workers)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
