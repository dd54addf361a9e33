"""Run of a lesson: the step that fits the moment, found anew after whatever has happened. Needs no window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from protocol.ids import PromptId
from protocol.scene.nodes import NO_PROMPT, TURN, Prompt
from protocol.wire.lessons import WAIT, Lesson, LessonStep

MOST_REFUSALS: Final = 3
"""Refusals of what a step points at, after which another step is looked for while the prompt stands."""


class LessonRun:
    """A learner's way through the steps of a lesson. `ended`: ids of the steps that have ended for good.

    The step is looked for in the order of the lesson among those that fit; so play may go anywhere, and whoever comes
    back goes on from what has ended.
    """

    def __init__(self, lesson: Lesson, ended: Iterable[str] = ()) -> None:
        known = {step.id for step in lesson.steps}
        self.lesson = lesson
        self.ended = [id for id in dict.fromkeys(ended) if id in known]
        self.step: LessonStep | None = None
        self.refusals = 0
        """Of what the present step points at."""
        self._prompt: Prompt | None = None
        self._prompt_id: PromptId = NO_PROMPT
        self._passed: set[str] = set()
        """Steps that cannot be done at the present prompt."""

    @property
    def progress(self) -> tuple[int, int]:
        """The steps that have ended, and how many there are, without those that come again, or only if play goes so."""
        once = [step.id for step in self.lesson.steps if not (step.again or step.held)]
        return sum(id in self.ended for id in once), len(once)

    @property
    def is_taught(self) -> bool:
        """True once every step has ended that comes but once."""
        done, most = self.progress
        return done == most

    def look(self, prompt: Prompt | None) -> None:
        """Find the step that fits the learner's prompt (None: they have none)."""
        id = prompt.id if prompt is not None else NO_PROMPT
        if id != self._prompt_id:
            self._prompt_id, self.refusals = id, 0
            self._passed.clear()
        self._prompt = prompt
        offered = _offered(prompt)
        if self.step is not None and self.step.ends.prompt in offered:
            self._end(self.step)
        self._find()

    def chose(self, choice: str) -> None:
        """Take in that the learner has made a choice, in whatever way: it ends the step that waits for it, and one that
        only tells something."""
        if self.step is not None and only_tells(self.step):
            self._end(self.step)
        awaited = next((step for step in self._open() if step.ends.choice == choice), None)
        if awaited is not None:
            self._end(awaited)
        self.refusals = 0
        self._passed.clear()
        self._find()

    def told(self, kind: str) -> None:
        """Take in a cue of this kind."""
        if self.step is not None and self.step.ends.cue == kind:
            self._end(self.step)
            self._find()

    def go_on(self) -> None:
        """End the present step, as the learner wishes; one that comes again is passed over at this prompt."""
        if self.step is not None:
            self._end(self.step)
            self._passed.add(self.step.id)
            self._find()

    def refused(self) -> None:
        """Take in that what the present step points at was refused."""
        self.refusals += 1
        if self.refusals >= MOST_REFUSALS:
            self.pass_over()

    def pass_over(self) -> None:
        """Look for another step while the prompt stands: nothing can be pointed at for this one."""
        if self.step is not None:
            self._passed.add(self.step.id)
            self.refusals = 0
            self._find()

    def try_again(self) -> None:
        """Look among the steps that were passed over, too."""
        self._passed.clear()
        self._find()

    def _open(self) -> Iterator[LessonStep]:
        return (step for step in self.lesson.steps if step.again or step.id not in self.ended)

    def _end(self, step: LessonStep) -> None:
        if not step.again and step.id not in self.ended:
            self.ended.append(step.id)

    def _find(self) -> None:
        before = self.step
        offered = _offered(self._prompt)
        fitting = (step for step in self._open() if step.id not in self._passed and _fits(step, offered))
        self.step = next(fitting, None)
        if self.step is not before:
            self.refusals = 0


def only_tells(step: LessonStep) -> bool:
    """Tell whether a step waits for nothing: the learner says that they go on."""
    ends = step.ends
    return not (ends.choice or ends.cue or ends.prompt or step.again)


def _offered(prompt: Prompt | None) -> frozenset[str]:
    """Return what a prompt offers: its choices, and its window where it is a question."""
    if prompt is None or not prompt.choices:
        return frozenset({WAIT})
    window = {prompt.window} if prompt.window != TURN else set()
    return frozenset({choice.id for choice in prompt.choices} | window)


def _fits(step: LessonStep, offered: frozenset[str]) -> bool:
    return (not step.offer or step.offer in offered) and step.unless not in offered
