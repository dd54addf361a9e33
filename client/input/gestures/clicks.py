"""Clicks on the table: one that waits for its answer, one that was refused, and one that must be confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.input.gestures.aims import Meaning, Pointed
from client.storage.profile import Confirm
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Choice, Point
from protocol.text import Text
from protocol.wire.from_server import Proposed

WAITS: Final = 1.0
"""Seconds that a click waits for its answer."""


@dataclass(frozen=True)
class Waiting:
    """Click that waits for its answer. `kept`: what it proposes is not carried out yet, but shown to be changed;
    `accepted`: it needs no other click; `together`: an act of several groups is meant, if there is one; `start`: where
    what is to act stands."""

    at: Pointed | None
    until: float
    prompt: str
    aim: Meaning | None = None
    kept: bool = False
    accepted: bool = False
    together: bool = False
    towards: Point | None = None
    start: Point | None = None


@dataclass(frozen=True)
class Note:
    """Reason why a click did nothing, at the place of the click. `by`: the thing that is in the way; `better`: a place
    near by that would do; `start`: where the way or the line of sight begins."""

    words: Text | str
    at: Point | NodeId
    by: NodeId = NO_NODE
    better: Point | None = None
    start: Point | None = None


def must_be_confirmed(confirm: Confirm, choice: Choice, proposal: Proposed) -> bool:
    """Tell whether what is proposed is carried out by a click of its own only."""
    match confirm:
        case "always":
            return True
        case "dice":
            rolls = proposal.forecast is not None or (choice.gesture is not None and choice.gesture.ends)
            return rolls or (proposal.more and not proposal.ghosts)
        case _:
            return False
