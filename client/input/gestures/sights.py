"""Sights: what is known of the prompt and of the thing in focus, and what pointing at a place would mean."""

from __future__ import annotations

import math
from collections.abc import Mapping

from client.input.gestures.aims import (
    Meaning,
    Pointed,
    aim_of,
    of_the_prompt,
    subjects,
    with_corners,
)
from client.input.gestures.proposals import Advisor
from client.input.gestures.survey import GroupSurvey
from client.input.prompt_controller import PromptController
from client.input.prompt_driver import CHOOSING
from client.text.lengths import short_length
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.advice import Target
from protocol.scene.fields import AnyField
from protocol.scene.nodes import NO_NODE, Choice, Point, Prompt
from protocol.text import Text
from protocol.wire.from_server import Surveyed


class Sights:
    """Knowledge of one prompt. `survey` is of the thing in focus, or of the one that the pointer rests on
    (`is_glance`); `armed`: the choice taken from the bar, which alone is looked at; `corners`: of the way that is being
    drawn; `fields`: those whose options a proposal has told, by choice and key."""

    def __init__(self, prompts: PromptController, advisor: Advisor) -> None:
        self.prompts = prompts
        self.advisor = advisor
        self.survey = GroupSurvey()
        self.is_glance = False
        self.armed = ""
        self.corners: list[Point] = []
        self.fields: dict[tuple[str, str], AnyField] = {}

    @property
    def prompt(self) -> Prompt | None:
        """The prompt that gestures answer now; None while a form is being filled in, or an answer is on its way."""
        driver = self.prompts.driver
        if driver is None or driver.stage != CHOOSING or self.prompts.sent is not None:
            return None
        return driver.prompt

    @property
    def subject(self) -> NodeId:
        """The thing whose possibilities the next click takes up: the one in focus, else the only one there is."""
        prompt, driver = self.prompt, self.prompts.driver
        if prompt is None or driver is None:
            return NO_NODE
        known = subjects(prompt)
        if driver.focus in known:
            return driver.focus
        return next(iter(known)) if len(known) == 1 else NO_NODE

    def look_at(self, subject: NodeId, *, glance: bool) -> bool:
        """Ask what a thing could do, unless that is known or asked; return True if it is asked now."""
        prompt, link = self.prompt, self.advisor.links_made
        if prompt is None:
            return False
        is_known = (self.survey.subject, self.survey.prompt, self.survey.link) == (subject, prompt.id, link)
        if not is_known:
            number = self.advisor.ask_survey(subject)
            self.survey = GroupSurvey(subject, prompt.id, number, link, is_done=False)
        self.is_glance = glance
        return not is_known

    def look_away(self) -> None:
        """Forget what was seen of a thing."""
        self.survey, self.is_glance = GroupSurvey(), False

    def aims(self, at: Pointed) -> list[Meaning]:
        """Return what a click there could mean, the lowest rank first, so far as it is known."""
        return [aim for aim in self.meanings(at) if isinstance(aim, Meaning)]

    def meanings(self, at: Pointed) -> list[Meaning | Text]:
        """Return what a click there could mean, or why it cannot, the lowest rank first."""
        prompt = self.prompt
        if prompt is None:
            return []
        subject = self.subject
        # a group covers the ground below it, unless one is dragged there or a choice with a place is armed
        is_ground = at.held or bool(self.armed) or not any(thing.startswith("group/") for thing in at.things)
        found: list[Meaning | Text] = []
        for choice, survey in self.known(prompt, glance=False):
            gesture = choice.gesture
            if gesture is None or (gesture.on in ("point", "cell") and not is_ground):
                continue
            known = self.fields.get((choice.id, gesture.object))
            meant = aim_of(choice, survey, subject, at, known)
            if isinstance(meant, Meaning) and self.corners:
                meant = with_corners(meant, self.corners)
            if meant is not None:
                found.append(meant)
        return found

    def known(self, prompt: Prompt, *, glance: bool = True) -> list[tuple[Choice, Surveyed]]:
        """Return the choices whose objects are known, the lowest rank first. `glance`: those of a thing that the
        pointer only rests on, too."""
        survey = GroupSurvey(found={one.choice: one for one in of_the_prompt(prompt)})
        if glance or not self.is_glance:
            survey.found |= self.survey.found
        return list(survey.by_rank(prompt, self.armed))

    @property
    def of_subject(self) -> Mapping[str, Surveyed]:
        """The answers about the thing whose possibilities the next click takes up, by choice."""
        is_own = not self.is_glance and bool(self.subject) and self.survey.subject == self.subject
        return self.survey.found if is_own else {}

    def targets(self, prompt: Prompt) -> dict[NodeId, tuple[Choice, Target]]:
        """Return what the next click could meet, and what it cannot."""
        survey = GroupSurvey(found={choice.id: found for choice, found in self.known(prompt)})
        return survey.targets(prompt)

    def why_not(self, at: Pointed, meanings: list[Meaning | Text]) -> Text | str | None:
        """Return why a click there means nothing; None where it is about nothing at all."""
        prompt = self.prompt
        why = next((meant for meant in meanings if isinstance(meant, Text)), None)
        if why is not None or prompt is None or self.subject in at.things:
            return why
        known = self.known(prompt, glance=False)
        if not any(choice.gesture is not None and choice.gesture.on == "point" for choice, _ in known):
            return None
        if at.from_at is None:
            return phrase("gesture.nowhere")
        return phrase("gesture.too_far", length=short_length(math.dist(at.from_at, at.point), at.unit))
