"""Windows that several tests of the lobby and the set-up begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.clients.sessions import Table, show_setup
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes


@pytest.fixture
def setup(app: ReadableApp, tmp_path: Path) -> Table:
    """Window of the owner of a table that has not begun."""
    table = Table(app, tmp_path, scenes.table_frames(1))
    show_setup(table)
    return table
