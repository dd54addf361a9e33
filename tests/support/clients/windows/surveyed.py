"""A window at the table of the examples, a group in focus, and what the table has told of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId, PromptId, Seq
from protocol.scene.advice import Gesture, Target
from protocol.scene.nodes import PROMPT_NODE, Choice
from protocol.wire.from_client import Survey
from protocol.wire.from_server import Surveyed
from tests.support.clients.sessions import Table
from tests.support.examples import scenes

SIZE = (1280, 800)
OWN, FOE = NodeId("group/11"), NodeId("group/31")
SHOT = Gesture("group", "target", "group", mark="shot", ends=True)


def shots(*ids: str) -> list[Choice]:
    """Return choices with which a group of seat 1 acts on another."""
    shoot = next(choice for choice in scenes.card_prompt().choices if choice.id == "shoot")
    return [replace(shoot, id=id, gesture=SHOT) for id in ids]


def surveyed(table: Table, choices: Sequence[Choice], target: Target) -> TableScreen:
    """Return the screen with these choices, each of which a group in focus can make with a target."""
    asks = replace(scenes.card_prompt(prompt_id=PromptId("p2")), choices=tuple(choices))
    table.say(replace(scenes.snapshot("private", {PROMPT_NODE: asks}, 2), after=Seq(1)))
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    screen.gestures.focus(OWN)
    asked = table.last(Survey)
    assert isinstance(asked, Survey)
    more = len(choices) - 1
    table.say(*(Surveyed(asked.id, one.id, targets=(target,), more=n < more) for n, one in enumerate(choices)))
    table.app.describe(SIZE)
    return screen
