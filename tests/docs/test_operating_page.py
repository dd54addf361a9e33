"""docs/operating.md tells an operator of every setting, and what every line of the log and every number means."""

from __future__ import annotations

import re
from pathlib import Path

from server.cli.settings.sources import page_table

ROOT = Path(__file__).resolve().parents[2]
LOGGED = re.compile(r"\blog\.(debug|info|warning|error)\(\s*\"([^\"]+)\"")
MEASURED = re.compile(r"\"eschaton_(\w+)\"")
ROW = re.compile(r"^\| (`[^|]+) \| (debug|info|warning|error) \|", re.MULTILINE)
SOURCES = [source.read_text("utf-8") for source in sorted((ROOT / "server").rglob("*.py"))]
PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")


def test_every_event_of_the_log_is_on_the_page_with_its_level() -> None:
    logged = {(event, level) for source in SOURCES for level, event in LOGGED.findall(source)}
    told = {(event, level) for names, level in ROW.findall(PAGE) for event in re.findall(r"`([^`]+)`", names)}
    assert len(logged) > 20
    assert logged <= told, f"not told: {sorted(logged - told)}"


def test_every_metric_is_on_the_page() -> None:
    names = {name for source in SOURCES for name in MEASURED.findall(source)}
    untold = sorted(name for name in names if f"`{name}`" not in PAGE and f"`{name}_total`" not in PAGE)
    assert len(names) > 15
    assert not untold


def test_the_table_of_settings_is_that_of_the_program() -> None:
    _, _, table = PAGE.partition("| option | usual | what it is for |\n| --- | --- | --- |\n")
    told, _, _ = table.partition("\n\n")
    assert told.splitlines() == page_table()
    assert len(page_table()) > 12
