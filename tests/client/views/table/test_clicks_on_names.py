"""Clicks on the names of groups: with a key held, with the right button, and what keys make of them."""

from __future__ import annotations

import arcade
import pytest
from arcade import key as keys

from client.ui.hotspots import Hotspot
from client.views.table.table_screen import TableScreen
from protocol.scene.advice import Target
from protocol.wire.from_client import Intent
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.windows.surveyed import FOE, shots, surveyed
from tests.support.systems.hand import Hand


@pytest.fixture
def screen(table: Table) -> TableScreen:
    """Table with a group in focus that can do two things to another."""
    return surveyed(table, shots("shoot", "charge"), Target(FOE, chance=660, loss=204))


def name_spot(app: ReadableApp, screen: TableScreen) -> Hotspot:
    """Return the name of the other group."""
    app.build()
    label = screen.model.group_name(FOE)
    return next(spot for spot in app.ui.hotspots if spot.label == label and spot.act is not None)


def click(app: ReadableApp, place: tuple[float, float], button: int, held: int = 0) -> None:
    """Click a place with a button of the mouse, with keys held."""
    x, y = map(round, place)
    for event in ("on_mouse_press", "on_mouse_release"):
        app.dispatch_event(event, x, y, button, held)
    app.dispatch_events()


def test_with_ctrl_what_a_click_on_a_name_proposes_waits(table: Table, screen: TableScreen) -> None:
    click(table.app, name_spot(table.app, screen).rect.centre, arcade.MOUSE_BUTTON_LEFT, keys.MOD_CTRL)
    waiting = screen.gestures.waiting
    assert waiting is not None
    assert waiting.kept
    assert waiting.at is not None
    assert waiting.at.things == (FOE,)


def test_a_click_that_keys_make_holds_no_key(table: Table, screen: TableScreen, hand: Hand) -> None:
    spot = name_spot(table.app, screen)
    click(table.app, screen.layout.prompt.centre, arcade.MOUSE_BUTTON_RIGHT, keys.MOD_CTRL)
    table.app.ui.marked = spot
    hand.press(keys.ENTER)
    waiting = screen.gestures.waiting
    assert waiting is not None
    assert not waiting.kept


def test_the_right_button_on_a_name_offers_all_that_fits_the_group(table: Table, screen: TableScreen) -> None:
    click(table.app, name_spot(table.app, screen).rect.centre, arcade.MOUSE_BUTTON_RIGHT)
    assert screen.gestures.menu is not None
    at, meanings = screen.gestures.menu
    assert at == screen.model.top.centre_of(FOE)
    assert [(aim.choice.id, aim.thing) for aim in meanings] == [("shoot", FOE), ("charge", FOE)]
    assert not any(isinstance(message, Intent) for message in table.said)


def test_the_right_button_on_a_bar_takes_back(table: Table, screen: TableScreen) -> None:
    click(table.app, name_spot(table.app, screen).rect.centre, arcade.MOUSE_BUTTON_RIGHT)
    table.app.build()
    board = screen.layout.board
    named = [*screen.named.values()]
    bars = [
        spot
        for spot in table.app.ui.hotspots
        if spot.act is not None and board.contains(*spot.rect.centre) and spot.rect not in named
    ]
    assert bars
    click(table.app, bars[-1].rect.centre, arcade.MOUSE_BUTTON_RIGHT)
    assert screen.gestures.menu is None
    assert screen.gestures.subject, "one thing is taken back at a time"
