"""A group that is dragged shows the ground that it would not see from where it would stand."""

from __future__ import annotations

from pathlib import Path

import arcade
import pytest

from protocol.ids import NodeId
from protocol.scene.nodes import Point
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

OWN = NodeId("group/0.2")
BEFORE_THE_MILL: Point = (1150, 1250)
BEHIND_THE_MILL: Point = (2600, 1250)
OPEN: Point = (1150, 600)


@pytest.fixture
def hand(app: ReadableApp, tmp_path: Path) -> GestureHand:
    """Table of the first patrol with a group of one's own in focus, and what it could do known."""
    installed = shipped_systems()["action_cards"]
    hand = GestureHand(LocalTable(app, tmp_path, installed, "first_patrol", 3))
    for _ in range(5):  # the window first says how its activations end
        hand.local.turn()
    place = hand.place(OWN)
    assert place is not None
    hand.click(place)
    assert hand.until(lambda: hand.view.gestures.subject == OWN and hand.view.gestures.survey.is_done)
    return hand


def tones(hand: GestureHand, *points: Point) -> list[int]:
    """Return the brightness of the picture at these places of the table."""
    hand.app.switch_to()
    hand.app.on_draw()
    picture = arcade.get_image(0, 0, *hand.app.get_size()).convert("L")
    found = []
    for point in points:
        x, y = (round(part) for part in hand.view.board.camera.to_window(*point))
        found.append(picture.crop((x, picture.height - 1 - y, x + 1, picture.height - y)).tobytes()[0])
    return found


def test_ground_behind_the_mill_lies_under_a_veil_while_a_group_is_dragged(hand: GestureHand) -> None:
    app, group = hand.app, hand.place(OWN)
    assert group is not None
    hidden, open_ground = tones(hand, BEHIND_THE_MILL, OPEN)
    x, y = (round(part) for part in group)
    app.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    to_x, to_y = (round(part) for part in hand.view.board.camera.to_window(*BEFORE_THE_MILL))
    app.on_mouse_drag(to_x, to_y, to_x - x, to_y - y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert hand.until(lambda: bool((shown := hand.view.gestures.proposals.shown) and shown.seen and not shown.more))
    veiled, still_open = tones(hand, BEHIND_THE_MILL, OPEN)
    assert veiled < hidden * 0.8
    assert abs(still_open - open_ground) < 4
    app.on_mouse_release(to_x, to_y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert hand.until(lambda: "move" in hand.local.acts)
    hand.local.turn()
    app.build()
    assert not app.ui.layers["veil"].painter.shapes
