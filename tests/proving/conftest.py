"""The proving game as an installed rule system, found through its entry point."""

from __future__ import annotations

import pytest

from server.content.systems import Installed, find_systems, load
from tests.support.clients.programs import PLUGINS


@pytest.fixture
def proving(monkeypatch: pytest.MonkeyPatch) -> dict[str, Installed]:
    """Return the proving game as the server finds and loads it."""
    monkeypatch.syspath_prepend(PLUGINS)
    return load(find_systems(["proving"]).values())
