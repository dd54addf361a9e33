"""Scout: surveys of things that nobody has taken up, for whoever must know beforehand which of them can do what."""

from __future__ import annotations

from typing import Final

from client.input.gestures.proposals import Advisor
from client.input.gestures.survey import GroupSurvey
from protocol.ids import NodeId
from protocol.scene.nodes import NO_PROMPT, Prompt
from protocol.wire.from_server import Proposed, Surveyed

NEWER: Final = "questions/newer"
"""Code of an answer that another survey has cut short: the thing is asked about again."""


class Scout:
    """Surveys at one prompt, asked one after another, since a newer one ends an older one at the server."""

    def __init__(self, advisor: Advisor) -> None:
        self.advisor = advisor
        self.surveys: dict[NodeId, GroupSurvey] = {}
        self.asked = GroupSurvey()

    def survey_of(self, thing: NodeId, prompt: Prompt, other: GroupSurvey) -> GroupSurvey | None:
        """Return all that a thing could do; None while that is being asked. `other`: the survey of what is in focus,
        which goes first."""
        link = self.advisor.links_made
        if (self.asked.prompt, self.asked.link) not in ((prompt.id, link), (NO_PROMPT, 0)):
            self.surveys.clear()
        for survey in (other, self.surveys.get(thing)):
            if survey is not None and (survey.subject, survey.prompt, survey.is_done) == (thing, prompt.id, True):
                return survey
        is_ended = self.asked.is_done or self.asked.prompt != prompt.id or self.asked.number < other.number
        if (other.is_done or other.link != link) and (is_ended or self.asked.link != link):
            number = self.advisor.ask_survey(thing)
            self.asked = self.surveys[thing] = GroupSurvey(thing, prompt.id, number, link, is_done=False)
        return None

    def take(self, message: Surveyed | Proposed) -> bool:
        """Take in an answer; return False for one of another question."""
        is_taken = self.asked.take(message)
        if is_taken and isinstance(message, Surveyed) and message.code == NEWER:
            self.surveys.pop(self.asked.subject, None)
        return is_taken
