"""The marker of unit tests, `pytest.mark.unit`, which `make fast` runs: it is set by rule, never by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).resolve().parents[2]
OF_THE_WHOLE: Final = {"deploy", "docs", "e2e", "faults", "proving"}
"""Folders whose tests put rooms together; those that lie in no folder are of pages and of the repository."""
NOT_UNITS: Final = ("waits", "long", "slow")
WINDOW: Final = "window"
"""The fixture that opens a window."""


def mark(items: Iterable[pytest.Item]) -> None:
    """Mark the unit tests among them, once all that wait are marked."""
    for item in items:
        if is_unit(item):
            item.add_marker("unit")


def is_unit(item: pytest.Item) -> bool:
    """Return True for a quick test of one room that waits for nothing, opens no window and takes no random cases."""
    folder, *rest = item.path.relative_to(TESTS).parts if item.path.is_relative_to(TESTS) else ("",)
    if not rest or folder in OF_THE_WHOLE:
        return False
    if any(item.get_closest_marker(name) for name in NOT_UNITS):
        return False
    return not takes_random_cases(item) and WINDOW not in getattr(item, "fixturenames", ())


def takes_random_cases(item: pytest.Item) -> bool:
    """Return True for a property that hypothesis tries."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))
