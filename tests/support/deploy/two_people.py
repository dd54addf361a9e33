"""Two people who play beside a server's own bots until each has acted so often; they rest until a line is read, play on
so long again, and go. Run as `python -m tests.support.deploy.two_people URL ACTS`; each time they tell their acts and
connections, an object a line."""

from __future__ import annotations

import asyncio
import json
import sys

from tests.support.clients.company import Guest, two_people
from tests.support.clients.programs import until


async def play(url: str, acts: int) -> None:
    """Play at the server of this address. Raises TimeoutError where they cannot."""
    async with two_people(url) as (host, guest, playing):
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


def _tell(*people: Guest) -> None:
    told = {"acts": [each.intents for each in people], "links": [each.links for each in people]}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], int(sys.argv[2])))
