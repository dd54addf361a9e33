"""Lessons of a session: the one that is held at the present table, and what the profile remembers of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from client.model.lesson_run import LessonRun
from client.storage.profile import UserProfile
from protocol.ids import NO_TABLE, TableId
from protocol.scene.nodes import Cue, Prompt
from protocol.wire.choices import SystemChoice
from protocol.wire.from_server import TableView
from protocol.wire.lessons import Lesson

MOST_KEPT: Final = 20
"""Tables of lessons whose steps are remembered, the newest ones."""


def first_lesson(systems: Sequence[SystemChoice]) -> tuple[SystemChoice, Lesson] | None:
    """Return the lesson for beginners of the first system that has one."""
    return next(((system, system.lessons[0]) for system in systems if system.lessons), None)


class SessionLessons:
    """Lesson at the session's table. `keep` writes the profile once there is something new to remember.

    `is_left`: the learner has left the lesson, and plays on without it.
    """

    def __init__(self, profile: UserProfile, keep: Callable[[], object]) -> None:
        self._profile = profile
        self._keep = keep
        self._table = NO_TABLE
        self._name = ""
        self.run: LessonRun | None = None
        self.is_left = False

    @property
    def present(self) -> LessonRun | None:
        """The lesson that is shown, None where there is none or it has been left."""
        return None if self.is_left else self.run

    def is_taught(self, system: str, lesson: str) -> bool:
        """Tell whether the person has been through a lesson, or has left it."""
        return f"{system}/{lesson}" in self._profile.taught

    def sit(self, view: TableView, systems: Sequence[SystemChoice]) -> None:
        """Take in the table: a lesson that is held there goes on from what has ended."""
        if view.id != self._table:
            self._table, self._name, self.run, self.is_left = view.id, "", None, False
        if self.run is None and view.lesson and view.seat >= 0:
            lessons = next((system.lessons for system in systems if system.id == view.system), ())
            lesson = next((lesson for lesson in lessons if lesson.id == view.lesson), None)
            if lesson is not None:
                self._name = f"{view.system}/{lesson.id}"
                self.run = LessonRun(lesson, self._profile.lessons.get(view.id, ()))
        if view.state == "finished":
            self.finish()
            self.run = None
            self._forget(view.id)

    def take_unseen(self) -> TableId | None:
        """Return the newest table of a lesson whose result the person has not seen, None where there is none, and
        forget all such tables."""
        newest = next(reversed(self._profile.lessons), None)
        if newest is not None:
            self._profile.lessons.clear()
            self._keep()
        return TableId(newest) if newest is not None else None

    def look(self, prompt: Prompt | None) -> None:
        """Take in the learner's prompt."""
        if self.run is not None:
            self.run.look(prompt)
            self._remember(self.run)

    def chose(self, choice: str) -> None:
        """Take in that a choice of the learner's has been accepted."""
        if self.run is not None:
            self.run.chose(choice)
            self._remember(self.run)

    def told(self, cues: Sequence[Cue]) -> None:
        """Take in what was told of the match."""
        if self.run is not None:
            for cue in cues:
                self.run.told(cue.kind)
            self._remember(self.run)

    def refused(self) -> None:
        """Take in that a choice of the learner's was refused."""
        if self.run is not None:
            self.run.refused()

    def go_on(self) -> None:
        """End the step that is shown."""
        if self.run is not None:
            self.run.go_on()
            self._remember(self.run)

    def finish(self) -> None:
        """Take in that the person has been through the lesson: the match has a result, or they leave the lesson."""
        if self._teach():
            self._keep()

    def leave(self) -> None:
        """Leave the lesson; the match goes on, and the lesson can be taken up again."""
        self.is_left = True
        self.finish()

    def take_up(self) -> None:
        """Go on with the lesson that was left."""
        self.is_left = False

    def _forget(self, table: TableId) -> None:
        if self._profile.lessons.pop(table, None) is not None:
            self._keep()

    def _remember(self, run: LessonRun) -> None:
        known = self._profile.lessons
        if known.get(self._table, []) == run.ended:
            return
        known.pop(self._table, None)
        known[self._table] = list(run.ended)
        for oldest in list(known)[:-MOST_KEPT]:
            del known[oldest]
        if run.is_taught:
            self._teach()
        self._keep()

    def _teach(self) -> bool:
        """Note that the person has been through the lesson; return False where that is known, or none is held."""
        if not self._name or self._name in self._profile.taught:
            return False
        self._profile.taught.append(self._name)
        return True
