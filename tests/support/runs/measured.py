"""Measuring of the lines of engine and protocol that their unit tests run, within a run of all tests: the others would
take twice as long for it."""

from __future__ import annotations

import os
from typing import Final

import coverage
import pytest

from tests.support.runs.units import TESTS

FOLDERS: Final = ("engine", "protocol", "rules", "systems")
"""Folders of the tests of what is measured."""
STARTS: Final = "COVERAGE_PROCESS_CONFIG"
"""Variable by which a program that Python starts measures too."""


def is_measured(item: pytest.Item) -> bool:
    """Return True for a unit test of what is measured."""
    at = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
    return at in FOLDERS and item.get_closest_marker("unit") is not None


def measured_first(items: list[pytest.Item]) -> None:
    """Sort the tests that are measured before all others, where lines are measured at all."""
    if coverage.Coverage.current() is not None:
        items.sort(key=lambda item: not is_measured(item))


def measure_no_more_from(item: pytest.Item) -> None:
    """Stop measuring in this process, and in those that it starts, where this test is not measured."""
    measuring = coverage.Coverage.current()
    if measuring is not None and not is_measured(item):
        measuring.stop()
        os.environ.pop(STARTS, None)
