"""Advice of the table for talk: what a thing could do, and a choice filled in with what it would come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from client.input.gestures.proposals import Proposals
from client.input.gestures.survey import GroupSurvey
from client.model.session import ClientSession
from client.plain.told.shown_table import ShownTable
from client.text.forecast_words import chance_words
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.advice import Target
from protocol.scene.nodes import Choice, Prompt
from protocol.wire.from_server import Proposed, Surveyed


class TableAdvice:
    """Questions to the table and their answers, one survey and one proposal at a time."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session
        self.survey = GroupSurvey()
        self.proposals = Proposals(session)

    def look_at(self, subject: NodeId, prompt: Prompt) -> None:
        """Ask what a thing could do, unless that is known or asked."""
        link = self._session.links_made
        if (self.survey.subject, self.survey.prompt, self.survey.link) != (subject, prompt.id, link):
            number = self._session.ask_survey(subject)
            self.survey = GroupSurvey(subject, prompt.id, number, link, is_done=False)

    def propose(self, choice: str, fields: Mapping[str, object]) -> None:
        """Ask for a choice filled in with these fields kept."""
        self.proposals.want(choice, fields, self._session.clock())

    def hear(self, answers: Iterable[Surveyed | Proposed]) -> None:
        """Take in the answers that have come to one's own questions, and ask what waits."""
        for message in answers:
            if not self.survey.take(message):
                self.proposals.take(message)
        self.proposals.tick(self._session.clock())

    def answer_to(self, choice: str, fields: Mapping[str, object]) -> Proposed | None:
        """Return the choice filled in, once it has come."""
        return self.proposals.answer_to(choice, fields)

    @property
    def is_busy(self) -> bool:
        """True where an answer is on its way, or the second part of one."""
        shown = self.proposals.shown
        return not self.survey.is_done or self.proposals.is_busy or (shown is not None and shown.more)

    def notes(self, choice: Choice, shown: ShownTable) -> dict[str, str]:
        """Return what the survey has found of the objects of a choice, by id."""
        found = self.survey.found.get(choice.id)
        targets = found.targets if found is not None else ()
        return {target.id: words for target in targets if (words := target_words(target, shown))}


def target_words(target: Target, shown: ShownTable) -> str:
    """Return what is known of a possible object: its chance and loss, its cover, and who may answer; "" where nothing
    is."""
    back = ", ".join(map(shown.names.of, target.back))
    parts = [chance_words(target), shown.texts.say(target.cover)]
    parts += [phrase("plain.target.back", names=back)] if back else []
    return ", ".join(part for part in parts if part)
