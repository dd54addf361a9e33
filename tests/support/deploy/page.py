"""The commands of docs/hosting.md for a server of its own, as a reader pastes them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tests.support.clients.programs import ROOT

PAGE: Final = (ROOT / "docs" / "hosting.md").read_text("utf-8")
SECTION: Final = PAGE.partition("\n## A server of its own")[2].partition("\n## ")[0]
STEP: Final = re.compile(r"^(\d+)\. ((?:.+\n)+)\n {7,8}(\S.*)$", re.MULTILINE)


class Command(NamedTuple):
    """One command: its number, what the page says of it, and its line for a shell."""

    number: int
    told: str
    line: str

    @property
    def seen(self) -> list[str]:
        """Words that its reader will see, as the page quotes them."""
        return re.findall(r'"([^"]+)"', self.told)


COMMANDS: Final = [Command(int(number), " ".join(told.split()), line) for number, told, line in STEP.findall(SECTION)]
INLINE: Final = re.compile(r"`([^`]+)`")
PULL: Final = next(code for code in INLINE.findall(SECTION) if "git pull" in code)
UPGRADE: Final = [PULL, *(each.line for each in COMMANDS if each.number in (4, 5)), "systemctl restart eschaton"]
"""The commands for a newer version."""
RESTORE: Final = re.findall(r"^ {4}(\S.*)$", SECTION.partition("\n**Backups**")[2], re.MULTILINE)
"""The commands that go back to a backup."""


class Replaced(NamedTuple):
    """Words of the page, what a test gives in their place, and why."""

    shown: str
    here: str
    why: str


REPLACED: Final = (
    Replaced("apt-get update && ", "", "the packages are there already, and a test asks no mirror for lists"),
    Replaced(
        "https://git.example.org/eschaton.git", f"file://{ROOT}", "the address is the reader's; what is committed here"
    ),
    Replaced(
        "your.host.example", "play.localhost", "no public authority can look here; below localhost Caddy's own signs"
    ),
)
"""All words of the ten commands that a test replaces. What else is not as on the reader's machine: `Machine`, and the
table in tests/deploy/test_hosting.py."""


def replaced(line: str) -> str:
    """Return a command with what stands for its words here."""
    for each in REPLACED:
        line = line.replace(each.shown, each.here)
    return line
