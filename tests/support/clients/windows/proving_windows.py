"""Two real windows and a bot in the server at the proving game."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from tests.support.clients.company import Company
from tests.support.play.sightings import compare, shown_by_server, stored_match


async def play_in_windows(
    folder: Path, scenario: str, seconds: float, *, alone: bool = False
) -> dict[str, tuple[int, int]]:
    """Play a whole match, to result screens and saved replays; return how many numbers each window saw, all as in the
    log. `alone`: one window against the game."""
    async with Company(folder, plugins=True) as company:
        table = ("--system", "proving", "--scenario", scenario, "--people", "1" if alone else "2")
        ada = await company.window("Ada", *table, seconds=seconds)
        if not alone:
            await company.window("Ben", "--code", await ada.code(), seconds=seconds)
        statuses = await asyncio.gather(*(window.wait(seconds) for window in company.windows))
        assert not any(statuses), [window.log.read_text()[-2000:] for window in company.windows]
        assert await company.server.end() == 0
        match = await stored_match(company.server.data)
        (stream,) = company.windows[0].seen.streams
        truth = shown_by_server(match, stream)
        assert all(window.report["drifts"] == 0 for window in company.windows)
        return {w.name: compare(w.name, seat, w.seen, truth, stream) for seat, w in enumerate(company.windows)}


if __name__ == "__main__":
    OUT = Path("out/proving").absolute()
    shutil.rmtree(OUT, ignore_errors=True)
    print(asyncio.run(play_in_windows(OUT, "crossing", 120)))
