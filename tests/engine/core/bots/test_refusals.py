"""A bot's memory of refusals, as long as it has the same prompt."""

from __future__ import annotations

from engine.core.bots.refusals import Refusals
from protocol.ids import PromptId
from protocol.scene.nodes import Prompt
from protocol.text import text

FIRST, SECOND = (Prompt(id, text("turn"), ()) for id in (PromptId("play-1"), PromptId("play-2")))


def test_refusals_are_counted_and_known_at_their_prompt() -> None:
    refused: Refusals[str] = Refusals()
    assert refused.at(FIRST) == 0
    refused.add("buy")
    refused.add("buy")
    assert refused.at(FIRST) == 2
    assert "buy" in refused
    assert "draw" not in refused


def test_nothing_is_remembered_of_the_prompt_before() -> None:
    refused: Refusals[str] = Refusals()
    refused.at(FIRST)
    refused.add("buy")
    assert refused.at(SECOND) == 0
    assert refused.count == 0
    assert "buy" not in refused
    refused.add("draw")
    assert refused.at(FIRST) == 0


def test_a_decision_is_a_retry_only_after_a_refusal() -> None:
    refused: Refusals[str] = Refusals()
    refused.at(FIRST)
    assert not refused.is_retry
    refused.add("lob")
    refused.at(FIRST)
    assert refused.is_retry
    refused.at(FIRST)
    assert not refused.is_retry, "its reply was carried out, and the prompt is the same"
    refused.add("lob")
    refused.at(SECOND)
    assert not refused.is_retry
    refused.add("burn")
    refused.at(SECOND)
    assert refused.is_retry
