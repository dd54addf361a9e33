"""Comparison of two commits in turn: `python -m bench.compare [--keep] [A [B]]`.

Six pairs of server CPU an intent, each commit with its own load in a checkout of its own in a temporary folder, both on
the libraries of this .venv. Ends with 1 where B costs too much, with 2 where nothing could be compared.
"""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Final

from bench.checkouts import LOCK, CannotCompare, Commit, find, has_changes, same_lock, unpack
from bench.pair_run import ENDING, Load, pair
from bench.pairs import KEPT, Comparison, Name, Pair, keep, table
from bench.processes import cores, machine

ROOT: Final = Path(__file__).parent.parent
PAIRS: Final = 6
LOAD: Final = Load()
START: Final = 4.0
"""Seconds that a pair takes beside its load: the first guess."""
USAGE: Final = """usage: make bench-compare [A [B]] [KEEP=1]
  A and B are commits. Without B it is HEAD; without both, HEAD^ is compared with HEAD.
  KEEP=1 (--keep) appends what was measured to bench/pairs.jsonl.
  (make bench-stored A B shows two commits of bench/results.jsonl side by side.)"""


def commits(root: Path, names: Sequence[str]) -> dict[Name, Commit]:
    """Find the two commits to compare. Raises CannotCompare."""
    if len(names) > 2 or any(name.startswith("-") for name in names):
        raise CannotCompare(USAGE)
    a, b = (*names, *("HEAD^", "HEAD")[len(names) :])
    return {"A": find(root, a), "B": find(root, b)}


def compared(root: Path, sides: Mapping[Name, Commit], load: Load, pairs: int) -> Comparison:
    """Measure both commits in turn. Raises CannotCompare; leaves no file and no process behind in any case."""
    with tempfile.TemporaryDirectory(prefix="eschaton-compare-") as name:
        folders: dict[Name, Path] = {side: Path(name) / side for side in sides}
        for side, commit in sides.items():
            unpack(root, commit, folders[side])
            if not same_lock(folders[side], root):
                _say(f"{LOCK} of {side} is not that of this .venv: {side} runs on libraries other than its own.\n")
        found = tuple(_pairs(folders, load, pairs))
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Comparison(sides["A"].hash, sides["B"].hash, date, machine(), load.tables, found)


def _pairs(folders: Mapping[Name, Path], load: Load, count: int) -> list[Pair]:
    began = monotonic()
    left = count * (START + 2 * (load.warm + load.seconds))
    found: list[Pair] = []
    for number in range(1, count + 1):
        _say(f"pair {number} of {count}, about {left:.0f} s to go ... ")
        try:
            found.append(pair(folders, "A" if number % 2 else "B", load))
        except CannotCompare:
            _say("\n")
            raise
        a, b = found[-1].a.cost, found[-1].b.cost
        _say(f"A {a:.1f} us, B {b:.1f} us, B / A {found[-1].ratio:.3f}\n")
        left = (monotonic() - began) / number * (count - number)
    return found


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def main(
    arguments: Sequence[str], *, root: Path = ROOT, load: Load = LOAD, pairs: int = PAIRS, kept: Path = KEPT
) -> int:
    """Compare the commits of `root` that the arguments name, and return the exit status."""
    began = monotonic()
    try:
        sides = commits(root, [argument for argument in arguments if argument != "--keep"])
        cores()
        for side, commit in sides.items():
            print(f"{side} = {commit}")
        print(machine(), flush=True)
        if has_changes(root):
            _say("Files that are not committed are not measured.\n")
        found = compared(root, sides, load, pairs)
    except CannotCompare as problem:
        print(problem, file=sys.stderr)
        return 2
    print(table(found))
    print(f"{monotonic() - began:.0f} s in all")
    if "--keep" in arguments:
        keep(found, kept)
    return 1 if found.fails else 0


def end_by_signals() -> None:
    """Make Ctrl-C and other ending signals raise SystemExit once; later ones are ignored while everything is cleaned
    up."""

    def end(number: int, frame: FrameType | None) -> None:
        for other in ENDING:
            signal.signal(other, signal.SIG_IGN)
        _say("\nStopped.\n")
        raise SystemExit(128 + number)

    for number in ENDING:
        signal.signal(number, end)


if __name__ == "__main__":
    end_by_signals()
    sys.exit(main(sys.argv[1:]))
