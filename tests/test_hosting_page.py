"""docs/hosting.md tells an operator what every line of the log means."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGGED = re.compile(r"\blog\.(debug|info|warning|error)\(\s*\"([^\"]+)\"")
ROW = re.compile(r"^\| (`[^|]+) \| (debug|info|warning|error) \|", re.MULTILINE)


def test_every_event_of_the_log_is_on_the_page_with_its_level() -> None:
    logged = {
        (event, level)
        for source in (ROOT / "server").rglob("*.py")
        for level, event in LOGGED.findall(source.read_text("utf-8"))
    }
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    told = {(event, level) for names, level in ROW.findall(page) for event in re.findall(r"`([^`]+)`", names)}
    assert len(logged) > 20 and logged <= told, f"not told: {sorted(logged - told)}"
