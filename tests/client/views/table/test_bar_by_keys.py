"""The bar of all that fits one object, opened and gone through by Tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from protocol.ids import NodeId
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

OWN, ENEMY = NodeId("group/0.1"), NodeId("group/1.1")
BOTS_ACTS = 4
"""After which the group may shoot at the enemy alone or together with others."""


@pytest.fixture
def hand(app: ReadableApp, tmp_path: Path) -> GestureHand:
    """Table of the first patrol with a group of one's own in focus, and what it could do known."""
    installed = shipped_systems()["action_cards"]
    local = LocalTable(app, tmp_path, installed, "first_patrol", 3)
    for _ in range(BOTS_ACTS):
        local.play.decide(local.bots)
    local.cut()
    hand = GestureHand(local)
    for _ in range(8):  # the window comes back, and says how its activations end
        local.turn()
    place = hand.place(OWN)
    assert place is not None
    hand.click(place)
    assert hand.until(lambda: hand.view.gestures.subject == OWN and hand.view.gestures.survey.is_done)
    return hand


def marked(hand: GestureHand) -> str:
    hand.app.build()
    return hand.app.ui.marked.label if hand.app.ui.marked is not None else ""


def point_at_enemy(hand: GestureHand) -> None:
    place = hand.place(ENEMY)
    assert place is not None
    hand.hand.point_at(place)


def test_tab_opens_the_bar_at_the_pointer_and_goes_through_it(hand: GestureHand) -> None:
    gestures = hand.view.gestures
    point_at_enemy(hand)
    hand.press(keys.TAB)
    assert gestures.menu is not None
    assert [aim.choice.id for aim in gestures.menu[1]] == ["shoot", "linked"]
    assert marked(hand) == ""
    hand.press(keys.TAB)
    assert marked(hand) == "Shoot"
    hand.press(keys.TAB)
    assert marked(hand) == "Linked fire"
    hand.press(keys.TAB, keys.MOD_SHIFT)
    assert marked(hand) == "Shoot"
    hand.press(keys.ENTER)
    assert gestures.menu is None
    assert hand.until(lambda: "shoot" in hand.local.acts)


def test_tab_behind_the_last_goes_on_to_the_next_thing_and_esc_closes_the_bar(hand: GestureHand) -> None:
    gestures, cursor = hand.view.gestures, hand.view.cursor
    point_at_enemy(hand)
    hand.press(keys.TAB)
    hand.press(keys.ESCAPE)
    assert gestures.menu is None
    assert gestures.subject == OWN
    for _ in range(4):
        hand.press(keys.TAB)
    assert gestures.menu is None
    assert cursor.thing != ""


def test_tab_opens_the_bar_at_the_cursor(hand: GestureHand) -> None:
    gestures, cursor = hand.view.gestures, hand.view.cursor
    for _ in range(12):
        hand.press(keys.TAB)
        if cursor.thing == ENEMY:
            break
    assert gestures.menu is None
    hand.press(keys.TAB)
    assert gestures.menu is not None
    hand.press(keys.TAB)
    assert (marked(hand), cursor.thing) == ("Shoot", ENEMY)
