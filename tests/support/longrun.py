"""Long runs in batches: what is done is written down, so that a run that was stopped goes on where it was.

Batches and their figures stand in out/long/NAME.COMMIT.json; another commit starts afresh.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "out" / "long"


class LongRun:
    """A run of `batches` numbered batches, each a seed for its own chance."""

    def __init__(self, name: str, batches: int) -> None:
        self.name = name
        self._batches = batches
        self._commit = _commit()
        self._file = FOLDER / f"{name}.{self._commit}.json"
        kept = json.loads(self._file.read_text()) if self._file.exists() else {}
        self._kept: dict[str, dict[str, float]] = kept.get("batches", {})

    def left(self) -> Iterator[int]:
        """The batches still to do."""
        return (batch for batch in range(self._batches) if str(batch) not in self._kept)

    def keep(self, batch: int, figures: Mapping[str, float]) -> None:
        """This batch is done."""
        self._kept[str(batch)] = dict(figures)
        FOLDER.mkdir(parents=True, exist_ok=True)
        head = {"name": self.name, "commit": self._commit, "date": date.today().isoformat()}
        self._file.write_text(json.dumps({**head, "total": self.totals(), "batches": self._kept}, indent=1))

    def totals(self) -> dict[str, float]:
        """Figures over all batches: sums, and of those with worst in their name the largest."""
        found: Counter[str] = Counter()
        for figures in self._kept.values():
            for name, value in figures.items():
                found[name] = max(found[name], value) if "worst" in name else found[name] + value  # type: ignore[assignment]
        return dict(found)


def _commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return (git("rev-parse", "--short", "HEAD") or "none") + ("-changed" if changed else "")
