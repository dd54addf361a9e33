"""Benchmark of replays: the worst jump to any step of a whole long match of each game."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.figures import Figure, figure
from protocol.ids import table_of
from server.cli.simulation.simulate import identity, installed, play, scenario_of
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.match.replays import make
from server.runtime.signing import HostKey

MODULE: Final = "bench.replay_process"
LONGEST: Final = {
    "cards": ("action_cards", "lantern_fair"),
    "battle": ("one_page", "open_field_6000"),
    "earth": ("apocalypse_earth", "meeting_engagement:six"),
}
"""The longest matches of each game: six seats, or the largest armies of two."""


def replay_of(system: str, scenario: str) -> bytes:
    """Play a whole match of bots of level 1; return its replay."""
    found = installed(system)
    info = scenario_of(found, scenario)
    steps: list[bytes] = []
    outcome = play(found, info, ("level1",) * info.seats, seed=0, number=0, log=steps)
    match, secret = identity(0, 0)
    seats = tuple(SeatRecord(f"p{seat}", f"Player {seat}", faction) for seat, faction in enumerate(outcome.factions))
    table = TableRecord(table_of(match), "BENCH", "Bench", system, scenario, "p0", seats, 0, 0)
    return make(found, table, secret, steps, None, 0, HostKey(bytes(32)))


def seeks(path: Path) -> list[float]:
    """Return the seconds of CPU of jumps in a replay, as a window takes them. Raises SystemExit where it fails."""
    done = subprocess.run([sys.executable, "-m", MODULE, str(path)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the window of the replay has failed: {done.stderr.strip()[-300:]}")
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def replay_figures() -> Iterator[Figure]:
    """Measure the jumps in a long match of each game."""
    with tempfile.TemporaryDirectory() as folder:
        for game, (system, scenario) in LONGEST.items():
            path = Path(folder) / f"{game}.replay"
            path.write_bytes(replay_of(system, scenario))
            found = seeks(path)
            yield figure(f"seek_{game}", statistics.median(found) * 1e3)
            yield figure(f"seek_{game}_worst", max(found) * 1e3)
