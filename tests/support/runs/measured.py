"""Measuring of the lines of engine and protocol that their unit tests run, within a run of all tests: it makes a test
take almost three times as long."""

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

_measured: set[str] = set()


def measured_first(items: list[pytest.Item]) -> None:
    """Sort the tests that are measured before all others, where lines are measured at all."""
    if coverage.Coverage.current() is not None:
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


def measure_no_more_from(item: pytest.Item) -> None:
    """Stop measuring in this process, and in those that it starts, where this test is not measured."""
    measuring = coverage.Coverage.current()
    if measuring is not None and item.nodeid not in _measured:
        measuring.stop()
        os.environ.pop(STARTS, None)
