"""A scout asks about one thing after another, again where another survey has cut it short, and never for long."""

from __future__ import annotations

from collections.abc import Mapping

from client.input.gestures.scout import LATE, LONGEST, NEWER, Scout
from client.input.gestures.survey import GroupSurvey
from protocol.ids import NodeId, PromptId
from protocol.scene.nodes import Prompt
from protocol.text import Text
from protocol.wire.from_server import Surveyed

ONE, TWO = NodeId("group/1"), NodeId("group/2")
PROMPT = Prompt(PromptId("p1"), Text("act"), ())
NOTHING = GroupSurvey()


class Asked:
    """Advisor that notes what it is asked, and its clock."""

    def __init__(self) -> None:
        self.links_made = 1
        self.now = 10.0
        self.things: list[NodeId] = []
        self.scout = Scout(self, lambda: self.now)

    def ask_survey(self, subject: NodeId) -> int:
        self.things.append(subject)
        return len(self.things)

    def ask_proposal(self, choice: str, fields: Mapping[str, object]) -> int:
        raise AssertionError((choice, fields))


def test_one_thing_is_asked_about_at_a_time() -> None:
    asked = Asked()
    scout = asked.scout
    assert scout.survey_of(ONE, PROMPT, NOTHING) is None
    assert scout.survey_of(TWO, PROMPT, NOTHING) is None
    assert asked.things == [ONE]
    assert scout.take(Surveyed(1, "shoot"))
    found = scout.survey_of(ONE, PROMPT, NOTHING)
    assert found is not None
    assert "shoot" in found.found
    assert scout.survey_of(TWO, PROMPT, NOTHING) is None
    assert asked.things == [ONE, TWO]


def test_what_is_in_focus_goes_first_and_what_it_cut_short_is_asked_again() -> None:
    asked = Asked()
    scout = asked.scout
    scout.survey_of(ONE, PROMPT, NOTHING)
    focus = GroupSurvey(TWO, PROMPT.id, 2, 1, is_done=False)
    assert scout.take(Surveyed(1, code=NEWER))
    assert scout.survey_of(ONE, PROMPT, focus) is None
    assert asked.things == [ONE]
    focus.is_done = True
    assert scout.survey_of(TWO, PROMPT, focus) is focus
    assert scout.survey_of(ONE, PROMPT, focus) is None
    assert asked.things == [ONE, ONE]


def test_another_connection_or_prompt_asks_anew() -> None:
    asked = Asked()
    asked.scout.survey_of(ONE, PROMPT, NOTHING)
    asked.links_made = 2
    assert asked.scout.survey_of(ONE, PROMPT, NOTHING) is None
    assert asked.scout.survey_of(ONE, Prompt(PromptId("p2"), Text("act"), ()), NOTHING) is None
    assert asked.things == [ONE, ONE, ONE]


def test_a_refusal_is_told_and_what_does_not_come_is_not_waited_for() -> None:
    asked = Asked()
    asked.scout.survey_of(ONE, PROMPT, NOTHING)
    asked.scout.take(Surveyed(1, code="bound/questions-person"))
    refused = asked.scout.survey_of(ONE, PROMPT, NOTHING)
    assert refused is not None
    assert refused.code == "bound/questions-person"
    asked.scout.survey_of(TWO, PROMPT, NOTHING)
    asked.now += LONGEST
    late = asked.scout.survey_of(TWO, PROMPT, NOTHING)
    assert late is not None
    assert late.code == LATE
