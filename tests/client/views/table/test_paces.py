"""The paces that a person chooses: the speed of what is shown, the wish for bots, the next act at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.model.lobby.paces import BOT_PACES, next_bot_pace
from client.model.playback.durations import SPEEDS
from client.storage.profile import load_profile
from protocol.wire.from_client import BotPace
from protocol.wire.from_server import TableView
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples.recorded_table import arrival, as_heard, frames_of
from tests.support.systems.hand import Hand


def with_bots(app: ReadableApp, folder: Path, frames: int = 30) -> Table:
    """Return a window of a player who is not asked for anything, with bots in the other seats."""
    welcome, catalogue, view = arrival("action_cards", 1)
    assert isinstance(view, TableView)
    seats = tuple(replace(seat, bot="" if seat.seat == 1 else "level1") for seat in view.seats)
    table = Table(app, folder, frames_of([welcome, catalogue, replace(view, seats=seats)]))
    heard = list(as_heard("action_cards", 60, -1))[:frames]
    table.say(*heard)
    table.time += 10
    return table


def test_space_asks_the_bots_for_their_next_act(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = with_bots(app, tmp_path)
    hand.press(keys.SPACE)
    assert table.last(BotPace) == BotPace()


def test_a_wish_for_another_pace_of_bots_is_said(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = with_bots(app, tmp_path)
    hand.press(keys.F10)
    hand.click_on("Settings")
    hand.click_on("Bots' pace")
    assert table.last(BotPace) == BotPace(pace=next_bot_pace(1500))


def test_the_speed_of_acts_is_kept(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = with_bots(app, tmp_path)
    hand.press(keys.F10)
    hand.click_on("Settings")
    for speed in ("fast", "skip", "slow", "normal"):
        hand.click_on("Speed of acts")
        assert table.profile.speed == load_profile("test", tmp_path).speed == speed
        table.settle()
        app.step(0.02)
        assert table.session.story.scene.speed == SPEEDS[speed]


@pytest.mark.parametrize("hidden", [True, False])
def test_what_happens_while_nobody_looks_is_not_played(app: ReadableApp, tmp_path: Path, *, hidden: bool) -> None:
    table = with_bots(app, tmp_path)
    app.dispatch_event("on_hide" if hidden else "on_show")
    try:
        table.say(*list(as_heard("action_cards", 60, -1))[30:34])
        app.step(0.05)
        assert table.session.story.scene.is_behind is not hidden
        assert table.session.story.ribbon.entries
    finally:
        app.dispatch_event("on_show")


def test_every_pace_of_bots_is_one_that_a_server_takes() -> None:
    assert [next_bot_pace(pace) for pace in BOT_PACES] == [*BOT_PACES[1:], BOT_PACES[0]]
