"""Two people who play beside a server's own bots until each has acted so often; they rest until a line is read, play on
so long again, and go. Run as `python -m tests.support.deploy.two_people URL ACTS`; each time they tell their acts and
connections, an object a line."""

from __future__ import annotations

import asyncio
import json
import sys

from tests.support.clients.company import Guest, Host
from tests.support.clients.programs import until


async def play(url: str, acts: int) -> None:
    """Play at the server of this address. Raises TimeoutError where they cannot."""
    host = Host(url, "low_water")
    playing: list[asyncio.Task[object]] = [asyncio.create_task(host.play())]
    try:
        await until(lambda: host.code, tasks=playing)
        guest = Guest(url, host.code, "Ann")
        playing.append(asyncio.create_task(guest.play()))
        await until(lambda: min(host.intents, guest.intents) >= acts, tasks=playing)
        _tell(host, guest)
        for each in (host, guest):
            each.plays.clear()
        await asyncio.to_thread(sys.stdin.readline)
        wanted = {each: each.intents + acts for each in (host, guest)}
        for each in (host, guest):
            each.plays.set()
        await until(lambda: all(each.intents >= wanted[each] for each in wanted), tasks=playing)
        _tell(host, guest)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def _tell(*people: Guest) -> None:
    told = {"acts": [each.intents for each in people], "links": [each.links for each in people]}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], int(sys.argv[2])))
