"""Lessons as a rule system gives them to its host: the match that is held, and what the window shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from protocol.scene.nodes import Reply
from protocol.wire.choices import OptionValue
from protocol.wire.lessons import Lesson


class LessonSeat(NamedTuple):
    """A seat of a lesson's match: its faction, the code of its army list where lists are brought, its kind of bot ("":
    the learner's seat), and the acts that the bot tries first, each once, when it is offered."""

    faction: str
    army: str = ""
    bot: str = ""
    acts: tuple[Reply, ...] = ()


class LessonPlan(NamedTuple):
    """A lesson with its seats, of which the learner has the first one, and the values of options that are not at their
    default."""

    lesson: Lesson
    seats: tuple[LessonSeat, ...]
    options: Mapping[str, OptionValue] = {}
