"""List of Python files that are long enough to be cut by idea: `python -m tools.lengths FOLDER...`. Never fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LONGEST: Final = 600


def too_long(folder: Path) -> Iterator[tuple[Path, int]]:
    """Find the files below the folder that are longer than LONGEST, with the lines of each."""
    for path in sorted(folder.rglob("*.py")):
        lines = len(path.read_bytes().splitlines())
        if lines > LONGEST:
            yield path, lines


def main(folders: list[str]) -> int:
    for folder in folders:
        for path, lines in too_long(Path(folder)):
            print(f"warning: {path} has {lines} lines, more than {LONGEST}: cut it by idea")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
