"""All benchmarks, or some of them: `python -m bench [PART ...]`.

Prints every figure beside must, goal and limit, and appends one line to bench/results.jsonl.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from bench import (
    advice_runs,
    bot_runs,
    capacity_runs,
    engine_runs,
    finding_runs,
    guessing_runs,
    lobby_runs,
    question_runs,
    replay_runs,
    restart_runs,
    server_runs,
    window_runs,
)
from bench.figures import AIMS, Figure, Run, keep, meets, table
from bench.processes import cores, machine
from bench.server import raised

PARTS: Final[Mapping[str, Callable[[], Iterable[Figure]]]] = {
    "engine": engine_runs.engine_figures,
    "bots": engine_runs.bot_figures,
    "tables": lambda: [
        found for count in (20, 200) for found in server_runs.with_server(partial(server_runs.at_tables, count=count))
    ],
    "crowd": lambda: server_runs.with_server(server_runs.crowd),
    "advice": advice_runs.advice_figures,
    "details": question_runs.question_figures,
    "lobby": lambda: [*lobby_runs.lobby_figures(), *finding_runs.finding_figures()],
    "guessing": guessing_runs.guessing_figures,
    "watchers": lambda: server_runs.with_server(server_runs.watched),
    "bystander": bot_runs.bystander_figures,
    "capacity": capacity_runs.capacity_figures,
    "restart": restart_runs.restart_figures,
    "frames": window_runs.window_figures,
    "replay": replay_runs.replay_figures,
}


def commit() -> str:
    """Return the commit that is measured, with "+" where files differ from it."""
    root = Path(__file__).parent.parent
    named = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=root, capture_output=True, text=True)
    changed = subprocess.run(["git", "status", "--porcelain", "-uno"], cwd=root, capture_output=True, text=True)
    return named.stdout.strip() + ("+" if changed.stdout.strip() else "")


def main(arguments: Sequence[str]) -> int:
    unknown = [part for part in arguments if part not in PARTS]
    if unknown:
        print(f"No such part: {', '.join(unknown)}. There are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    server, load = cores()
    print(f"{machine()}; server on core {server}, load on core {load}")
    print("limits raised: " + ", ".join(f"{name} = {value}" for name, value in raised().items()))
    os.sched_setaffinity(0, {load})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    began = monotonic()
    found: dict[str, Figure] = {}
    failed: list[str] = []
    for part in arguments or PARTS:
        at = monotonic()
        try:
            found |= {figure.name: figure for figure in PARTS[part]()}
        except (SystemExit, OSError, TimeoutError) as problem:
            failed.append(part)
            print(f"{part}: FAILED, {problem}", flush=True)
        print(f"{part}: {monotonic() - at:.0f} s", flush=True)
    figures = tuple(found[name] for name in AIMS if name in found)
    print(table(figures))
    print(f"{monotonic() - began:.0f} s in all")
    keep(Run(commit(), machine(), datetime.now(UTC).isoformat(timespec="seconds"), figures))
    return 0 if not failed and all(meets(figure, figure.must) for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
