"""Two commits of results.jsonl side by side: `python -m bench.stored A B` (the newest run that has a figure)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench.figures import AIMS, Figure, Run, runs


def newest(found: Sequence[Run], commit: str) -> dict[str, Figure]:
    """Return the newest value of every figure measured at a commit, given by the beginning of its name."""
    return {figure.name: figure for run in found if run.commit.startswith(commit) for figure in run.figures}


def compared(one: dict[str, Figure], other: dict[str, Figure]) -> str:
    """Format a line for each figure that either has."""
    lines = [f"{'':74}{'A':>10}{'B':>10}{'B / A':>8}"]
    for name in [name for name in AIMS if name in one or name in other]:
        a, b = one.get(name), other.get(name)
        known = a or b
        unit = known.unit if known is not None else ""
        ratio = f"{b.value / a.value:.2f}" if a is not None and b is not None and a.value else ""
        better = "" if not ratio or ratio == "1.00" else _verdict(a, b)
        cells = "".join(f"{'' if x is None else f'{x.value:.4g}':>10}" for x in (a, b))
        lines.append(f"{f'{AIMS[name].title}, {unit}' if unit else AIMS[name].title:74}{cells}{ratio:>8}  {better}")
    return "\n".join(line.rstrip() for line in lines)


def _verdict(a: Figure | None, b: Figure | None) -> str:
    if a is None or b is None:
        return ""
    return "better" if (b.value < a.value) == (b.better == "lower") else "worse"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2:
        print("usage: make bench-stored A B   (two commits of bench/results.jsonl)", file=sys.stderr)
        return 2
    found = runs()
    one, other = (newest(found, commit) for commit in arguments)
    for commit, figures in zip(arguments, (one, other), strict=True):
        if not figures:
            print(f"bench/results.jsonl has no run of commit {commit!r}", file=sys.stderr)
            return 1
    print(compared(one, other))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
