"""Scout: surveys of things that nobody has taken up, for whoever must know beforehand which of them can do what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.input.gestures.proposals import Advisor
from client.input.gestures.survey import GroupSurvey
from protocol.ids import NodeId
from protocol.scene.nodes import Prompt
from protocol.wire.from_server import Proposed, Surveyed

NEWER: Final = "questions/newer"
"""Code of an answer that another survey has cut short: the thing is asked about again."""
LATE: Final = "late"
"""Code of a survey that has not come in time."""
LONGEST: Final = 6.0
"""Seconds at one prompt for which anybody waits for surveys."""
QUIET: Final = 3.5
"""Seconds without any answer after which nobody waits for more."""


class Scout:
    """Surveys at one prompt, asked one after another, since a newer one ends an older one at the server. Nobody waits
    for ever: LONGEST after the first question, or QUIET after the last answer, whatever is not known counts as refused
    (LATE)."""

    def __init__(self, advisor: Advisor, clock: Callable[[], float]) -> None:
        self.advisor = advisor
        self.clock = clock
        self.surveys: dict[NodeId, GroupSurvey] = {}
        self.asked = GroupSurvey()
        self.begun = self.heard = 0.0

    def survey_of(self, thing: NodeId, prompt: Prompt, focus: GroupSurvey) -> GroupSurvey | None:
        """Return all that a thing could do, or the survey with a `code` where that is not told; None while it is being
        asked. `focus`: the survey of what is in focus, which goes first."""
        if (self.asked.prompt, self.asked.link) != (prompt.id, self.advisor.links_made):
            self._begin(prompt)
        for survey in (focus, self.surveys.get(thing)):
            if survey is not None and (survey.subject, survey.prompt, survey.is_done) == (thing, prompt.id, True):
                return survey
        now = self.clock()
        if now >= self.begun + LONGEST or now >= self.heard + QUIET:
            return GroupSurvey(thing, prompt.id, code=LATE)
        if focus.is_done and self.asked.is_done:
            number = self.advisor.ask_survey(thing)
            self.asked = GroupSurvey(thing, prompt.id, number, self.advisor.links_made, is_done=False)
            self.surveys[thing] = self.asked
        return None

    def _begin(self, prompt: Prompt) -> None:
        """Forget what was found at another prompt, or asked on a link that broke."""
        self.surveys.clear()
        self.asked = GroupSurvey(prompt=prompt.id, link=self.advisor.links_made)
        self.begun = self.heard = self.clock()

    def hear(self) -> None:
        """Take in that an answer has come, to this or another question: the server does work at them."""
        self.heard = self.clock()

    def take(self, message: Surveyed | Proposed) -> bool:
        """Take in an answer; return False for one of another question."""
        is_taken = self.asked.take(message)
        if is_taken:
            self.hear()
        if is_taken and self.asked.code == NEWER:
            self.surveys.pop(self.asked.subject, None)
        return is_taken
