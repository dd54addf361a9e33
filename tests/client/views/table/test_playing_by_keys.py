"""Playing by keys alone: numbers, letters, Tab, the cursor and Enter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from server.content.systems import Installed
from tests.support.clients.windows.clicks_an_act import MATCHES, play
from tests.support.clients.windows.deeds import SET_UP
from tests.support.clients.windows.key_hand import KeyHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.waits
EVERY = 3.0
"""Seconds of waiting between two cuts: a person takes about a minute for as many acts."""


@pytest.fixture(scope="module")
def systems() -> Mapping[str, Installed]:
    return shipped_systems()


@pytest.mark.parametrize(("system", "scenario"), MATCHES.items())
def test_three_acts_are_made_by_keys(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed], system: str, scenario: str
) -> None:
    local = LocalTable(app, tmp_path, systems[system], scenario, 3, SET_UP)
    hand = KeyHand(local)
    counted = play(local, hand, 3, 3)
    assert len(counted.counts) == 3
    assert hand.by_table
    assert local.refusals == []


def test_acts_go_on_by_keys_after_a_cut_and_are_made_once(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed]
) -> None:
    """One system: the way of its acts is that of all, and whole matches on such links are long tests."""
    system, scenario = next(iter(MATCHES.items()))
    local = LocalTable(app, tmp_path, systems[system], scenario, 3, SET_UP, cuts_every=0.2)
    counted = play(local, KeyHand(local), 3, 2)
    assert local.cuts >= 2
    assert len(counted.counts) == 2
    assert local.refusals == []


@pytest.mark.long("client")
@pytest.mark.parametrize(("system", "scenario"), MATCHES.items())
def test_a_whole_match_by_keys(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed], system: str, scenario: str
) -> None:
    local = LocalTable(app, tmp_path, systems[system], scenario, 0)
    hand = KeyHand(local)
    counted = play(local, hand, 0)
    assert counted.is_over
    assert hand.by_table
    assert local.refusals == []


@pytest.mark.long("client")
@pytest.mark.parametrize(("system", "scenario"), MATCHES.items())
def test_a_whole_match_by_keys_on_a_link_that_is_cut_again_and_again(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed], system: str, scenario: str
) -> None:
    local = LocalTable(app, tmp_path, systems[system], scenario, 0, cuts_every=EVERY)
    counted = play(local, KeyHand(local), 0)
    assert counted.is_over
    assert local.cuts >= len(local.acts) // 20
    assert local.refusals == []
