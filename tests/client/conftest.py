"""The one window of all client tests, drawn into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["ARCADE_HEADLESS"] = "1"

import arcade

from client.model.sound.mixer import SoundMixer
from client.text.spoken import SPOKEN
from client.ui import theme
from protocol.words import ENGLISH
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand
from tests.support.waits import marking


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Speak English with its own customs again after a test that has chosen otherwise."""
    yield
    SPOKEN.speak(ENGLISH)


@pytest.fixture(autouse=True)
def _first_colours() -> Iterator[None]:
    """Take the first theme and palette again after a test that has chosen others."""
    yield
    theme.choose("", "")


@pytest.fixture(scope="session")
def window() -> Iterator[ReadableApp]:
    app = ReadableApp((1280, 800))
    # the toolkit has asked a program, once for all tests, where the library of fonts is
    marking.forget()
    yield app
    app.close()


@pytest.fixture
def app(window: ReadableApp) -> ReadableApp:
    """The window, with nothing left of the test before."""
    # a window that another test has made and closed was the toolkit's last one
    arcade.set_window(window)
    window.switch_to()
    window.front = None
    window.help = False
    window.reports = window.fault = window.confirmation = None
    window.undrawn = 0
    window.ui.focus = None
    window.key_dispatch.pause = 0.0
    window.key_dispatch.unmark()
    window.keys_page.is_open = window.settings_page.is_open = False
    window.ui.mouse = (-1, -1)
    window.ui.kept.forget()
    window.scale_text(100)
    window.before_tick.clear()
    window.ground_worker = None
    window.sounds = SoundMixer()
    window.sounds_changed = lambda: None
    window.notice_bar.find = lambda: None
    window.notice_bar.sync()
    window.refresh()
    return window


@pytest.fixture
def hand(app: ReadableApp) -> Hand:
    return Hand(app)


@pytest.fixture
def table(app: ReadableApp, tmp_path: Path) -> Table:
    """Live table, the player in seat 1, with a card to play."""
    return at_table(app, tmp_path)
