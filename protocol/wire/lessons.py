"""Lessons: matches in which the window points at what to do next. Data of a rule system, run by the client."""

from __future__ import annotations

from typing import Final

import msgspec

from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Point
from protocol.text import Text

OWN: Final = "own"
"""In place of a node: any group of the player's that can make the choice."""
TARGET: Final = "target"
"""In place of a node: the best of the choice's possible objects."""
WAIT: Final = "wait"
"""In place of an offer: the learner has nothing to choose now."""
PARTS: Final = ("board", "dice", "log", "prompt", "row", "seats")
"""Named parts of the window that a step may point at."""


class LessonEnd(msgspec.Struct, frozen=True, omit_defaults=True):
    """End of a step: the learner has made a `choice`, in whatever way; a `cue` of this kind was told; a `prompt` of
    the learner's offers this choice. Without any of them the learner says that they go on."""

    choice: str = ""
    cue: str = ""
    prompt: str = ""


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """Step of a lesson. It fits while the learner's prompt offers the choice `offer`, or, of a question, has that as
    its window (WAIT: while they have none; "": at any time), unless it offers the choice `unless`; with `again` as
    often as that is so, else until it has ended once.

    `text` says what to do, `picked` what comes next once the subject is picked or an answer is proposed. What is
    pointed at: a `part` of the window; or the way to a `choice`: its `subject` (a node, or OWN), then its `object` (a
    node, or TARGET); where that is a place on the ground, the one within reach that is nearest to the object, to the
    point `at`, or of TARGET to the nearest enemy. With `inside` the step is passed over unless the subject can get into
    the object, a feature in which none of its side is; with `held` unless the learner's groups alone stand in that
    feature, with `unheld` while they do.

    The words may have blanks: `group` is the name of the subject, `target` that of the object, `question` the title of
    a question.
    """

    id: str
    text: Text
    picked: Text | None = None
    offer: str = ""
    unless: str = ""
    again: bool = False
    part: str = ""
    choice: str = ""
    subject: NodeId = NO_NODE
    object: NodeId = NO_NODE
    inside: bool = False
    held: NodeId = NO_NODE
    unheld: NodeId = NO_NODE
    at: Point | None = None
    ends: LessonEnd = LessonEnd()


class Lesson(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lesson of a rule system: a match of a `scenario` in about so many `minutes`, with its steps in order."""

    id: str
    name: Text
    about: Text
    scenario: str
    minutes: int
    steps: tuple[LessonStep, ...]
