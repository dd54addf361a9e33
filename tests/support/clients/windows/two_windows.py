"""Two real windows, two bots over the wire, bots in the server for the other seats, and a spectator.

`python -m tests.support.clients.windows.two_windows [--whole] [--scenario ID]` plays a match by hand; the pictures are
then in out/e2e. With `--system ID` the two windows alone play a whole match of that system's scenario, and the
spectator watches.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.core.match.causes import Intended
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from protocol.fairness.replay_sections import signed_bytes
from server.content.systems import find_systems
from tests.support.clients.company import Company, Guest, Spectator, Window
from tests.support.clients.programs import ServerProgram, run
from tests.support.faults.sturdy_server import SturdyServer
from tests.support.play.sightings import Sightings, compare, shown_by_server, stored_match
from tests.support.runs.patience import PATIENCE

SCENARIO = "low_water"
MOST_CARDS = 60
OUT = Path("out/e2e")


async def sit_down(company: Company, seconds: float, dov: str, scenario: str = SCENARIO, system: str = "") -> Spectator:
    """Fill seats 0 and 1 with windows, 2 and 3 with wire bots of two kinds, the others with bots in the server. Return
    the spectator.

    The first window makes the table, fills it and starts; the match has begun for all when this returns.
    """
    table = (*(("--system", system) if system else ()), "--scenario", scenario, "--people", "4")
    ada = await company.window("Ada", *table, seconds=seconds)
    code = await ada.code()
    await company.window("Ben", "--code", code, seconds=seconds)
    watcher = Spectator(company.server.url, code)
    company.guest(watcher)
    await company.wait(lambda: watcher.names[:2] == ["Ada", "Ben"], PATIENCE)
    company.guest(Guest(company.server.url, code, "Cleo", "level1", 3))
    company.guest(Guest(company.server.url, code, "Dov", dov, 4))
    await company.wait(lambda: all(guest.is_live for guest in company.guests), PATIENCE)
    return watcher


async def play_cards(company: Company, least: int) -> Spectator:
    """Play until a number of cards is done, one of each window's among them, and all have seen the last of them. No
    group may fall before (SturdyServer)."""
    watcher = await sit_down(company, 600, "level1")
    for seat in seat_of(company).values():
        await company.wait(lambda: watcher.cards_of(seat), PATIENCE)  # noqa: B023 - waited for at once
    await company.wait(lambda: len(watcher.played) >= least, PATIENCE)
    number = watcher.seen.last()
    await company.wait(lambda: all(window.seen.last() >= number for window in company.windows), PATIENCE)
    return watcher


def seat_of(company: Company) -> dict[Window, int]:
    """Return the seats of the windows, as told to the spectator."""
    table = company.guests[0].talk.table
    assert table is not None
    return {window: next(s.seat for s in table.seats if s.name == window.name) for window in company.windows}


async def sit_down_as_two(company: Company, system: str, scenario: str, seconds: float) -> Spectator:
    """Seat two windows at a game for two, each with the ready list of an army of its own where lists are brought.
    Return the spectator before the match has begun."""
    table = ("--system", system, "--scenario", scenario, "--people", "2")
    ada = await company.window("Ada", *table, seconds=seconds)
    code = await ada.code()
    watcher = Spectator(company.server.url, code)
    company.guest(watcher)
    await company.wait(lambda: watcher.names, PATIENCE)
    await company.window("Ben", "--code", code, seconds=seconds)
    return watcher


async def play_pair(company: Company, system: str, scenario: str, seconds: float) -> Spectator:
    """Play a whole match of two windows."""
    return await to_the_end(company, await sit_down_as_two(company, system, scenario, seconds), seconds)


async def play_on(
    company: Company, seconds: float, scenario: str = SCENARIO, system: str = "", dov: str = "random"
) -> Spectator:
    """Play to the end: result screens, replays saved in the windows."""
    return await to_the_end(company, await sit_down(company, seconds, dov, scenario, system), seconds)


async def to_the_end(company: Company, watcher: Spectator, seconds: float) -> Spectator:
    """Wait until both windows have ended by themselves and all clients have the result."""
    statuses = await asyncio.gather(*(window.wait(seconds) for window in company.windows))
    assert statuses == [0, 0], statuses
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*company.tasks)
    return watcher


async def check(company: Company) -> dict[str, tuple[int, int]]:
    """End all, fold the server's durable log, and hold each viewer's sightings against it: how many public and
    private numbers each of them saw. Raises AssertionError where any differs."""
    seats = seat_of(company)
    await company.dismiss()
    assert await company.server.end() == 0
    match = await stored_match(company.server.data)
    viewers: list[tuple[str, int, Sightings]] = [
        (window.name, seats[window], window.seen) for window in company.windows
    ]
    viewers += [(guest.talk.name, guest.seat, guest.seen) for guest in company.guests]
    (stream,) = {stream for _, _, seen in viewers for stream in seen.streams}
    server = shown_by_server(match, stream)
    assert all(window.report["drifts"] == 0 and window.report["links"] == 1 for window in company.windows)
    assert all(guest.talk.drifts == 0 for guest in company.guests)
    return {name: compare(name, seat, seen, server, stream) for name, seat, seen in viewers}


async def check_replay(company: Company) -> Path:
    """Check that the replay that each window saved is the server's own, is verified by the checker, and refolds under
    the rules."""
    (made,) = (company.server.data / "replays").glob("*.replay")
    for window in company.windows:
        # names stand beside what the server keeps
        assert signed_bytes(Path(window.report["replay"]).read_bytes()) == signed_bytes(made.read_bytes())
    assert await run(company.folder, "client.app.main", "verify", str(made)) == 0
    assert await run(company.folder, "server.cli.main", "check", str(made)) == 0
    return made


async def brought_about(company: Company, seat: int) -> list[object]:
    """Return the events of the intents of a seat, in order; the server has ended."""
    stored = await stored_match(company.server.data)
    system = find_systems([stored.table.system])[stored.table.system]
    codec = Match[Any](system, stored.table.match, MatchDice(stored.secret, stored.table.match)).codec
    steps = map(codec.decode, stored.steps)
    own = (step for step in steps if isinstance(step.cause, Intended) and step.cause.seat == seat)
    return [entry for step in own for entry in step.entries]


def names_of(events: Iterable[object]) -> Counter[str]:
    """Count the events of each name."""
    return Counter(type(event).__name__ for event in events)


async def by_hand(*, whole: bool, scenario: str, system: str) -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    began = time.monotonic()
    server = ServerProgram if whole or system else SturdyServer
    async with Company(OUT.absolute(), server=server, pictures=True) as company:
        if system:
            watcher = await play_pair(company, system, scenario, 900)
        else:
            watcher = await (play_on(company, 600, scenario) if whole else play_cards(company, 12))
        print(f"{len(watcher.played)} cards in {time.monotonic() - began:.0f} s; numbers seen: {await check(company)}")
        if whole or system:
            print(f"The replay holds: {await check_replay(company)}")
            print(f"What the first window did: {dict(names_of(await brought_about(company, 0)))}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true", help="play to the end")
    parser.add_argument("--scenario", default=SCENARIO, help="which one a whole match plays")
    parser.add_argument("--system", default="", help="of a game for two, which the windows play alone")
    options = parser.parse_args()
    asyncio.run(by_hand(whole=options.whole, scenario=options.scenario, system=options.system))
