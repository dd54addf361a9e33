"""The table of keys: places that are shown together share their keys."""

from __future__ import annotations

import pytest

from client.input.key_table import ACTIONS, AT_REPLAY, AT_TABLE, EVERYWHERE, TOGETHER, KeyTable
from client.model.replay.replay_player import ReplayPlayer
from client.views.board.replay_screen import ReplayScreen
from tests.support.clients.sessions import Table
from tests.support.examples import replays


@pytest.mark.parametrize(
    ("action", "chord", "rivals"),
    [
        ("past", "r", ["ruler"]),
        ("ruler", "backspace", ["past"]),
        ("ruler", "x", ["clip"]),
        ("clip", "l", ["sight"]),
        ("vote", "ctrl+t", ["talk"]),
        ("talk", "f9", ["again"]),
        ("zoom", "m", ["map"]),
        ("eyes", "backspace", []),
        ("map", "r", []),
        ("yes", "r", []),
        ("help", "backspace", ["past"]),
        ("past", "f1", ["help"]),
    ],
)
def test_a_key_is_taken_where_another_action_of_a_place_shown_with_it_has_it(
    action: str, chord: str, rivals: list[str]
) -> None:
    assert KeyTable().conflicts(action, chord) == rivals


def test_no_key_means_two_things_where_places_are_shown_together() -> None:
    table = KeyTable()
    for places in TOGETHER:
        chords = [chord for action in table.holding(places) for chord in table.keys_of(action)]
        assert sorted(set(chords)) == sorted(chords), places


def test_the_screens_show_these_places_together(table: Table) -> None:
    assert table.app.key_dispatch.places() == AT_TABLE
    table.app.show(ReplayScreen(table.app, ReplayPlayer(replays.replay())))
    assert table.app.key_dispatch.places() == AT_REPLAY
    known = {place for action in ACTIONS.values() for place in action.on} - {EVERYWHERE}
    assert {place for places in TOGETHER for place in places} <= known
