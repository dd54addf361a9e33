"""The end of activations: said once a table, and after a change."""

from __future__ import annotations

import pytest

from client.input.activation_ending import ENDING, ActivationEnding, listed_asides
from client.storage.profile import Ending
from protocol.ids import PromptId, TableId
from protocol.scene.fields import Option, PickOption
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text

ONE, OTHER = TableId("one"), TableId("other")
WAITS, BY_ITSELF = Reply(ENDING, {"ends": "waits"}), Reply(ENDING, {"ends": "by-itself"})


def offering(now: Ending) -> Prompt:
    field = PickOption("ends", text("ends"), options=(Option("waits"), Option("by-itself")), default=now)
    asides = (Choice("core:settings", text("stops")), Choice(ENDING, text("ending"), (field,)))
    return Prompt(PromptId("p"), text("card"), (), asides=asides)


def test_it_is_said_at_the_first_prompt_of_a_table_that_offers_it_and_after_a_change() -> None:
    wanted: list[Ending] = ["waits"]
    said: list[Reply] = []
    ending = ActivationEnding(lambda: wanted[-1], said.append)
    ending.update(ONE, None)
    ending.update(ONE, Prompt(PromptId("p"), text("watch"), ()))
    assert not said
    ending.update(ONE, offering("by-itself"))
    assert said == [WAITS]
    ending.update(ONE, offering("by-itself"))  # another program of the same seat has said otherwise
    assert said == [WAITS]
    wanted.append("by-itself")
    ending.update(ONE, offering("waits"))
    assert said == [WAITS, BY_ITSELF]
    ending.update(OTHER, offering("waits"))
    assert said == [WAITS, BY_ITSELF, BY_ITSELF]


@pytest.mark.parametrize("now", ["waits", "by-itself"])
def test_nothing_is_said_where_the_match_has_it_already(now: Ending) -> None:
    said: list[Reply] = []
    ActivationEnding(lambda: now, said.append).update(ONE, offering(now))
    assert not said


def test_it_is_no_line_of_the_prompt() -> None:
    assert [aside.id for aside in listed_asides(offering("waits"))] == ["core:settings"]
