"""One side of a comparison, run in its checkout: `python -P .../bench/side.py TABLES`.

This file may be newer than the checkout, which PYTHONPATH names and which is the working folder: all that is imported
here is the checkout's own, since a server, its load and its players speak one protocol. So only what every commit's
bench has is used. Each line that it reads is a number of seconds to play at full speed; each line that it says is JSON:
`cpu`, seconds of the server's process, and `intents` that were answered meanwhile. It ends where no more is to be read.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from bench import scenes, server_runs
from bench.figures import Figure
from bench.load import full_speed
from bench.players import all_seated, guests
from bench.processes import cores


def serve(tables: int) -> None:
    """Seat players at `tables` tables of a fresh server, and play for the seconds of each line on stdin."""

    async def work(bench: server_runs.Bench) -> list[Figure]:
        players = await guests(bench.process.port, scenes.SEATS * tables)
        seated = await all_seated(players, bench.shots)
        while seconds := await asyncio.to_thread(sys.stdin.readline):
            span = await full_speed(seated, float(seconds), bench.cpu)
            print(json.dumps({"cpu": span.cpu, "intents": span.intents}), flush=True)
        for player in players:
            player.close()
        return []

    server_runs.with_server(work)


if __name__ == "__main__":
    os.sched_setaffinity(0, {cores()[1]})
    serve(int(sys.argv[1]))
