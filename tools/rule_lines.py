"""Price of a rule system in lines of Python: `python -m tools.rule_lines`. A row for the kit and for each system."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
KIT: Final = Path("engine/kit")
SYSTEMS: Final = Path("engine/rulesets")
RULE: Final = re.compile(r'"([A-Z]{2}-[A-Z]+-[0-9]+)"')
"""A rule's id in quotes, as decorators and data name it."""


class Price(NamedTuple):
    """Lines of Python in a folder, all of them, and the number of rules that its code and its data name."""

    folder: Path
    lines: int
    rules: int

    @property
    def row(self) -> str:
        """Return the price as a row of a Markdown table."""
        each = f"{self.lines / self.rules:.0f}" if self.rules else ""
        return f"| `{self.folder}` | {self.lines:,} | {self.rules or ''} | {each} |"


def price(folder: Path) -> Price:
    """Count the lines of a folder of the repository, and its rules."""
    code = [path.read_text() for path in (ROOT / folder).rglob("*.py")]
    data = [path.read_text() for path in (ROOT / folder).rglob("*.toml")]
    named = {id for text in (*code, *data) for id in RULE.findall(text)}
    return Price(folder, sum(len(text.splitlines()) for text in code), len(named))


def main() -> int:
    """Print the table."""
    systems = [path.parent.relative_to(ROOT) for path in sorted((ROOT / SYSTEMS).glob("*/__init__.py"))]
    print("| folder | lines | rules | lines a rule |", "| --- | --- | --- | --- |", sep="\n")
    for folder in (KIT, *systems):
        print(price(folder).row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
