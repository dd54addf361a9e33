"""Benchmark of people at human pace: CPU and memory of a table, and the tables that one core has room for."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from bench.figures import Figure, figure
from bench.processes import Process, cores, started

SETTLE: Final = 30.0
"""Seconds of play before anything is measured, in which matches come out of their opening."""
SECONDS: Final = 60.0
"""Length of the measurement."""
PARTS: Final = 6
"""Parts of the measurement; the median of their shares counts."""
PATIENCE: Final = 300.0
LOOK_SECONDS: Final = 1.0
"""Time between two looks whether all play; the people are another process, which can only be asked."""
FULL: Final = 0.5
"""Share of a core that people may use, so that those who act at the same time do not wait."""


class Game(NamedTuple):
    """Tables of one scenario. `name`: the end of its figures' names."""

    name: str
    system: str
    scenario: str
    seats: int
    tables: int


GAMES: Final = (
    Game("cards", "action_cards", "marrow", 6, 150),
    Game("battle", "one_page", "open_field_3000", 2, 100),
)


def capacity_figures(games: tuple[Game, ...] = GAMES, settle: float = SETTLE, seconds: float = SECONDS) -> list[Figure]:
    """Measure each game on a fresh server: it has one core, the people the other."""
    return [found for game in games for found in _at_tables(game, settle, seconds)]


def _at_tables(game: Game, settle: float, seconds: float) -> Iterator[Figure]:
    server, load = cores()
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        log = Path(name) / "log"
        with started("bench.server", server, name, "people", log=log) as process:
            before = process.memory
            where = (str(process.port), game.system, game.scenario, str(game.tables), str(game.seats))
            with started("bench.human_pace", load, *where, log=log) as people:
                _wait_until_live(people, game.tables * game.seats)
                time.sleep(settle)
                share, acts = _share(process, people, seconds)
                held = process.memory - before
    tables = FULL / (share / game.tables)
    yield figure(f"pace_{game.name}", acts / game.tables * 60)
    yield figure(f"share_{game.name}", share / game.tables * 1e3)
    yield figure(f"tables_{game.name}", tables)
    yield figure(f"memory_{game.name}", held / game.tables / 2**20)


def _wait_until_live(people: Process, count: int) -> None:
    """Wait until all people are in a match. Raises SystemExit."""
    until = time.monotonic() + PATIENCE
    while people.ask("acts")["live"] < count:
        if time.monotonic() > until:
            raise SystemExit("Not all tables have begun.")
        time.sleep(LOOK_SECONDS)


def _share(process: Process, people: Process, seconds: float) -> tuple[float, float]:
    """Measure over `seconds`; return the share of a core that the server uses (the median of some parts), and the acts
    a second."""
    shares, acts, began = [], people.ask("acts")["acts"], time.perf_counter()
    for _ in range(PARTS):
        used, at = process.cpu, time.perf_counter()
        time.sleep(seconds / PARTS)  # the span that is measured: others work
        shares.append((process.cpu - used) / (time.perf_counter() - at))
    done = people.ask("acts")
    if not done["live"]:
        raise SystemExit("All matches have ended.")
    return statistics.median(shares), (done["acts"] - acts) / (time.perf_counter() - began)
