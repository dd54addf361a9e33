"""Long runs in batches whose results are stored, so that a stopped run goes on where it was.

Batches and their figures stand in out/long/NAME.COMMIT.json; another commit starts afresh.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from server.cli.simulation.worker_pool import run_tasks

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = ROOT / "out" / "long"
WORKERS: Final = 2
Figures = Mapping[str, float]
Work = Callable[[int], Figures]


class LongRun:
    """A run of `batches` numbered batches, each a seed for its own randomness."""

    def __init__(self, name: str, batches: int) -> None:
        self.name = name
        self._batches = batches
        self._commit = commit()
        self._file = FOLDER / f"{name}.{self._commit}.json"
        kept = json.loads(self._file.read_text()) if self._file.exists() else {}
        self._kept: dict[str, Figures] = kept.get("batches", {})

    def left(self) -> list[int]:
        """Batches still to do."""
        return [batch for batch in range(self._batches) if str(batch) not in self._kept]

    def complete(self, work: Work) -> dict[str, float]:
        """Do all remaining batches, each in one of WORKERS processes; return the figures over all of them.

        `work` is a function of a module, or a partial of one. The exception of the first failing batch is raised here;
        those that are done are kept all the same.
        """
        for batch, figures in run_tasks(partial(_do, work), self.left(), WORKERS, self.name, _be_strict):
            self.keep(batch, figures)
        return self.totals()

    def keep(self, batch: int, figures: Figures) -> None:
        """Store this batch as done."""
        self._kept[str(batch)] = dict(figures)
        FOLDER.mkdir(parents=True, exist_ok=True)
        head = {"name": self.name, "commit": self._commit, "date": date.today().isoformat()}
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps({**head, "total": self.totals(), "batches": self._kept}, indent=1))
        # written whole or not at all, even if the run is stopped
        fresh.replace(self._file)

    def totals(self) -> dict[str, float]:
        """Return figures over all batches: sums, and of those with worst in their name the largest."""
        found: dict[str, float] = {}
        for figures in self._kept.values():
            for name, value in figures.items():
                before = found.get(name, 0)
                found[name] = max(before, value) if "worst" in name else before + value
        return found


_unraisable: list[str] = []


def _be_strict() -> None:
    """Make warnings errors in a process of the pool, as in every test, and unraisable exceptions too."""
    warnings.simplefilter("error")
    sys.unraisablehook = lambda what: _unraisable.append(f"{what.exc_value!r} in {what.object!r}")


def _do(work: Work, batch: int) -> dict[str, Any]:
    began, used = time.perf_counter(), _cpu()
    figures = work(batch)
    gc.collect()
    assert not _unraisable, _unraisable
    return {**figures, "seconds": round(time.perf_counter() - began, 1), "cpu_seconds": round(_cpu() - used, 1)}


def _cpu() -> float:
    """Return the seconds of CPU of this process and of those that it has started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def commit() -> str:
    """Return the commit that the files are of, with a word where they differ from it."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return (git("rev-parse", "--short", "HEAD") or "none") + ("-changed" if changed else "")
