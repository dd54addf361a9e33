"""Refusals stand at the place of the mistake: why, what is in the way, and what near by would do."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from client.input.gestures.clicks import Note
from protocol.ids import NodeId
from protocol.scene.nodes import Point
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

OWN, MILL = NodeId("group/0.2"), NodeId("feature/mill")
BEFORE_THE_MILL: Point = (1150, 1250)
DEEP_IN_THE_MILL: Point = (1900, 1250)
FAR_OFF: Point = (1400, 2300)
SETTLED = 5


@pytest.fixture
def hand(app: ReadableApp, tmp_path: Path) -> GestureHand:
    """Table of the first patrol with a group of one's own in focus, and what it could do known."""
    installed = shipped_systems()["action_cards"]
    hand = GestureHand(LocalTable(app, tmp_path, installed, "first_patrol", 3))
    for _ in range(SETTLED):  # the window first says how its activations end
        hand.local.turn()
    place = hand.place(OWN)
    assert place is not None
    hand.click(place)
    assert hand.until(lambda: hand.view.gestures.subject == OWN and hand.view.gestures.survey.is_done)
    return hand


def clicked(hand: GestureHand, point: Point) -> Note:
    """Click a place of the table, and return what is said there."""
    place = hand.free(point)
    assert place is not None
    hand.click(place)
    assert hand.until(lambda: hand.view.gestures.note is not None)
    note = hand.view.gestures.note
    assert note is not None
    return note


def test_ground_too_far_off_is_refused_there_with_the_nearest_place_that_would_do(hand: GestureHand) -> None:
    note = clicked(hand, FAR_OFF)
    assert hand.say(note.words) == "That is farther than the group moves. Choose a place within reach."
    assert isinstance(note.at, tuple)
    assert math.dist(note.at, FAR_OFF) < 20
    assert note.better is not None
    assert note.start is not None
    assert math.dist(note.better, FAR_OFF) < math.dist(note.start, FAR_OFF)
    assert note.by == ""


def test_what_is_in_the_way_is_named_and_shown(hand: GestureHand) -> None:
    before = hand.view.controller.driver
    place = hand.free(BEFORE_THE_MILL)
    assert place is not None
    hand.click(place)
    assert hand.until(lambda: "move" in hand.local.acts and hand.view.controller.driver not in (before, None))
    group = hand.place(OWN)
    assert group is not None
    hand.click(group)
    assert hand.until(lambda: hand.view.gestures.subject == OWN and hand.view.gestures.survey.is_done)
    note = clicked(hand, DEEP_IN_THE_MILL)
    assert "the mill" in hand.say(note.words)
    assert note.by == MILL


def test_a_refusal_is_gone_with_the_next_input(hand: GestureHand) -> None:
    clicked(hand, FAR_OFF)
    place = hand.place(OWN)
    assert place is not None
    hand.click(place)
    hand.until(lambda: hand.view.gestures.note is None)
    assert hand.view.gestures.note is None


def test_a_target_that_cannot_be_hit_shows_what_hides_it(hand: GestureHand) -> None:
    prompt = hand.view.gestures.prompt
    assert prompt is not None
    hidden = [target for _, target in hand.view.gestures.targets(prompt).values() if target.by]
    for target in hidden:
        place = hand.place(target.id)
        if place is not None:
            hand.click(place)
            hand.until(lambda: hand.view.gestures.note is not None)
            note = hand.view.gestures.note
            assert note is not None
            assert (note.at, note.by) == (target.id, target.by)
            hand.app.build()
