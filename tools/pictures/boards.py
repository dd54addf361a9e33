"""Pictures of tables at play: a seeded match in memory behind the window, played on by clicks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import arcade
from arcade import key as keys

from protocol.ids import NodeId
from protocol.scene.nodes import Point
from server.content.systems import find_systems, load
from tests.support.clients.windows.clicks_an_act import play
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tools.pictures.camera import Camera

SIZE: Final = (1040, 650)
SEED: Final = 3
OWN: Final = NodeId("group/0.2")
BEFORE_THE_MILL: Final[Point] = (1150, 1250)
FAR_OFF: Final[Point] = (1400, 2300)
MOST_ACTS: Final = 12
"""Acts of the window's seat, after which no moment has come that is worth a picture."""
SETTLED: Final = 8


async def draw_boards(folder: Path, camera: Camera) -> None:
    """Draw a refusal at a small table, then what a group could do, and the group on its way."""
    app = ReadableApp(SIZE, visible=False)
    installed = load(find_systems(["action_cards"]).values())["action_cards"]
    try:
        hand = GestureHand(LocalTable(app, folder, installed, "first_patrol", SEED))
        _refusal(hand, camera)
        _drag(hand, camera)
        _survey(hand, camera)
    finally:
        app.close()


def _at_rest(hand: GestureHand) -> None:
    """Let all that is under way come to rest."""
    for _ in range(SETTLED):  # the window first says how its activations end
        hand.local.turn()
    hand.give_up()
    hand.view.to_truth()
    hand.local.turn()


def _focus(hand: GestureHand, group: NodeId) -> None:
    """Click a group, and wait until what it could do is known. Raises LookupError where it cannot be clicked."""
    place = hand.place(group)
    if place is None:
        raise LookupError(group)
    hand.click(place)
    hand.until(lambda: hand.view.gestures.subject == group and hand.view.gestures.survey.is_done)


def _refusal(hand: GestureHand, camera: Camera) -> None:
    """Show what is said where a group cannot go."""
    _at_rest(hand)
    _focus(hand, OWN)
    place = hand.free(FAR_OFF)
    if place is None:
        raise LookupError(FAR_OFF)
    hand.click(place)
    hand.until(lambda: hand.view.gestures.note is not None)
    camera.take(hand.app, "refusal")


def _survey(hand: GestureHand, camera: Camera) -> None:
    """Show what a group could do, and the group on its way. Raises LookupError where the match has no such moment."""
    for _ in range(MOST_ACTS):
        play(hand.local, hand, SEED, 1)
        _at_rest(hand)
        if _is_with_a_target(hand):
            camera.take(hand.app, "survey", hand.view.layout.board)
            return
    raise LookupError("no group can both move and shoot")


def _is_with_a_target(hand: GestureHand) -> bool:
    """Bring a group of one's own that can move and shoot into focus; return False where none can."""
    for group in sorted(id for id in hand.view.model.top.groups if id.startswith("group/0.") and hand.place(id)):
        _focus(hand, group)
        found = hand.view.gestures.survey.found.values()
        if any(one.reach for one in found) and any(target.why is None for one in found for target in one.targets):
            return True
        hand.give_up()
    return False


def _drag(hand: GestureHand, camera: Camera) -> None:
    """Show a group on its way. Raises LookupError where it cannot be taken."""
    hand.give_up()
    _focus(hand, OWN)
    start = hand.place(OWN)
    if start is None:
        raise LookupError(OWN)
    end = hand.view.board.camera.to_window(*BEFORE_THE_MILL)
    (ax, ay), (bx, by) = ((round(x), round(y)) for x, y in (start, end))
    hand.app.on_mouse_press(ax, ay, arcade.MOUSE_BUTTON_LEFT, 0)
    hand.app.on_mouse_drag(bx, by, bx - ax, by - ay, arcade.MOUSE_BUTTON_LEFT, 0)
    hand.until(lambda: bool((shown := hand.view.gestures.proposals.shown) and shown.seen and not shown.more))
    camera.take(hand.app, "drag", hand.view.layout.board, mouse=(bx, by))
    hand.press(keys.ESCAPE)
    hand.app.on_mouse_release(ax, ay, arcade.MOUSE_BUTTON_LEFT, 0)
    hand.give_up()
