"""Playing by gestures alone: clicks on the table and on the bars over it, never in the panel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from server.content.systems import Installed
from tests.support.clients.windows.clicks_an_act import MATCHES, play
from tests.support.clients.windows.deeds import SET_UP
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.waits
EACH_ALONE: Final = ("apocalypse_earth", "three_flags", 4)
"""Three people, each for themselves, with a seed by which they meet."""


@pytest.fixture(scope="module")
def systems() -> Mapping[str, Installed]:
    return shipped_systems()


@pytest.mark.parametrize(("system", "scenario"), MATCHES.items())
def test_three_acts_are_made_by_clicks_on_the_table(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed], system: str, scenario: str
) -> None:
    local = LocalTable(app, tmp_path, systems[system], scenario, 3, SET_UP)
    counted = play(local, GestureHand(local), 3, 3)
    assert len(counted.counts) == 3
    assert max(counted.counts) <= 3
    assert local.refusals == []


@pytest.mark.long("client")
@pytest.mark.parametrize(("system", "scenario", "seed"), [*((*played, 0) for played in MATCHES.items()), EACH_ALONE])
def test_a_whole_match_by_clicks_on_the_table(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed], system: str, scenario: str, seed: int
) -> None:
    local = LocalTable(app, tmp_path, systems[system], scenario, seed)
    counted = play(local, GestureHand(local), seed)
    assert counted.is_over
    assert local.refusals == []
    assert counted.acts.keys() & {"fire", "shoot"}
    assert counted.acts.keys() & {"move", "walk"}
    counts = sorted(counted.counts)
    assert counts[len(counts) // 2] <= 2
