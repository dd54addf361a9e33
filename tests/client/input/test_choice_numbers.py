"""The numbers of a prompt's choices: short lists, long ones, and choices that come and go."""

from __future__ import annotations

from hypothesis import given, strategies as st

from client.input.choice_numbers import ONE_DIGIT, ChoiceNumbers
from protocol.ids import PromptId
from protocol.scene.nodes import Choice, Prompt
from protocol.text import Text

lists = st.lists(st.sampled_from([f"c{n}" for n in range(14)]), unique=True)


def prompt(ids: list[str]) -> Prompt:
    return Prompt(PromptId("p"), Text("turn"), tuple(Choice(id, Text(id)) for id in ids))


@given(st.lists(lists, max_size=6))
def test_every_choice_has_a_number_of_its_own_however_many_there_are(prompts: list[list[str]]) -> None:
    numbers = ChoiceNumbers()
    for ids in prompts:
        found = numbers.of(prompt(ids))
        assert set(found) == set(ids)
        assert len(set(found.values())) == len(ids)
        assert len(ids) > len(ONE_DIGIT) or all(number in ONE_DIGIT for number in found.values())
