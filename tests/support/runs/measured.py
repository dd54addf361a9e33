"""Measuring of the lines of engine and protocol that their unit tests run, within a run of all tests: it makes a test
take almost three times as long, and twice as long to collect all. So the first process of pytest alone measures what
runs as modules are imported, which is the same in all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

import coverage
import pytest

from tests.support.runs.units import TESTS

FOLDERS: Final = ("engine", "protocol", "rules", "systems")
"""Folders of the tests of what is measured."""
WHOLE: Final = ("protocol",)
"""Those of them whose tests are measured in all their cases: they are quick."""
STARTS: Final = "COVERAGE_PROCESS_CONFIG"
"""Variable by which a program that Python starts measures too."""

FIRST: Final = "gw0"
"""The name that pytest-xdist gives to the first of its processes."""

_measuring: coverage.Coverage | None = None
_measured: set[str] = set()


def measure_imports_once(config: pytest.Config) -> None:
    """Measure no imports in this process, unless it is the first of those that run tests."""
    global _measuring
    _measuring = coverage.Coverage.current()
    process = os.environ.get("PYTEST_XDIST_WORKER") or (None if config.getoption("numprocesses", 0) else FIRST)
    if _measuring is not None and process != FIRST:
        _measuring.stop()


def measured_first(items: list[pytest.Item]) -> None:
    """Sort the tests that are measured before all others, where lines are measured at all."""
    if _measuring is not None:
        _measured.update(measured_of(items))
        items.sort(key=lambda item: item.nodeid not in _measured)


def measured_of(items: Iterable[pytest.Item]) -> set[str]:
    """Return the ids of the unit tests that are measured: outside of WHOLE the first case of each, as further cases
    seldom run other lines."""
    found: set[str] = set()
    known: set[str] = set()
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
        test = item.nodeid.partition("[")[0]
        if folder in FOLDERS and item.get_closest_marker("unit") is not None and (folder in WHOLE or test not in known):
            known.add(test)
            found.add(item.nodeid)
    return found


def measure_where_due(item: pytest.Item) -> None:
    """Measure in this process, and in those that it starts, where this test is measured, and only there."""
    if _measuring is None:
        return
    is_due, is_measuring = item.nodeid in _measured, coverage.Coverage.current() is not None
    if is_due and not is_measuring:
        _measuring.start()
    elif is_measuring and not is_due:
        _measuring.stop()
        os.environ.pop(STARTS, None)
