"""Variants: an act of which several kinds fit an object is picked in the bar at the pointer."""

from __future__ import annotations

from protocol.ids import PromptId
from protocol.scene.advice import Gesture, Target
from protocol.scene.fields import Number, Option, PickOption
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Surveyed
from tests.client.input.gestures.test_controller import ENEMY, GROUPS, MINE, TARGETS, Server

POWER = PickOption("power", Text("power"), lazy=True)
DICE = Number("dice", Text("dice"), lazy=True)
CAST = Choice("cast", Text("cast"), (GROUPS, POWER, TARGETS, DICE), gesture=Gesture("group", "target", "group"))
BOLT, HEX = Option("bolt", Text("bolt")), Option("hex", Text("hex"))
CLICKED = {"group": [MINE], "target": [ENEMY]}


def clicked(*options: Option) -> Server:
    """A table at which an enemy has been clicked whom these powers fit."""
    server = Server(Prompt(PromptId("p1"), Text("act"), (CAST,)))
    server.click((0, 0), MINE)
    server.say(Surveyed(1, "cast", targets=(Target(ENEMY),)))
    server.click((5000, 0), ENEMY)
    assert server.asked[-1] == ("cast", CLICKED)
    told = PickOption("power", Text("power"), options=options, default="bolt")
    server.propose(fields={**CLICKED, "power": "bolt", "dice": 2}, open=(told,))
    return server


def test_the_only_one_that_fits_needs_two_clicks() -> None:
    server = clicked(BOLT)
    assert server.gestures.menu is None
    assert [reply.choice for reply in server.sent] == ["cast"]


def test_of_several_one_is_picked_in_the_bar_at_the_pointer() -> None:
    server = clicked(BOLT, HEX)
    assert server.sent == []
    assert server.gestures.menu is not None
    place, aims = server.gestures.menu
    assert (place, [aim.name for aim in aims]) == (ENEMY, [Text("bolt"), Text("hex")])
    server.wait(0.1)
    server.gestures.begin(aims[1])
    assert server.asked[-1] == ("cast", {**CLICKED, "power": "hex"})
    server.propose(fields={**CLICKED, "power": "hex", "dice": 4})
    assert server.sent == [Reply("cast", {**CLICKED, "power": "hex", "dice": 4})]


def test_the_bar_is_taken_back_by_itself() -> None:
    server = clicked(BOLT, HEX)
    assert server.gestures.take_back()
    assert server.gestures.menu is None
    assert server.gestures.subject == MINE
