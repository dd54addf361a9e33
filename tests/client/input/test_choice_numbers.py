"""Numbers of choices: they stay with their choice while others come and go."""

from __future__ import annotations

from hypothesis import given, strategies as st

from client.input.choice_numbers import ONE_DIGIT, ChoiceNumbers
from protocol.ids import PromptId
from protocol.scene.nodes import Choice, Prompt
from protocol.text import text

lists = st.lists(st.sampled_from([f"c{n}" for n in range(14)]), unique=True)


def prompt(*ids: str, title: str = "card", window: str = "turn") -> Prompt:
    return Prompt(PromptId("p"), text(title), tuple(Choice(id, text(id)) for id in ids), window)


def test_a_choice_keeps_its_number_while_others_go_and_come_back() -> None:
    numbers = ChoiceNumbers()
    assert numbers.of(prompt("move", "shoot", "end")) == {"move": 1, "shoot": 2, "end": 3}
    assert numbers.of(prompt("end", title="card.done")) == {"end": 3}
    assert numbers.of(prompt("move", "drive", "end")) == {"move": 1, "drive": 4, "end": 3}


def test_questions_have_numbers_of_their_own() -> None:
    numbers = ChoiceNumbers()
    numbers.of(prompt("move", "end"))
    assert numbers.of(prompt("yes", "no", title="vote", window="vote")) == {"yes": 1, "no": 2}


def test_with_nine_taken_a_new_choice_gets_that_of_the_one_offered_longest_ago() -> None:
    numbers = ChoiceNumbers()
    numbers.of(prompt(*"abcdefghi"))
    numbers.of(prompt(*"abdefghi"))
    numbers.of(prompt("a", "b"))
    assert numbers.of(prompt("a", "b", "new")) == {"a": 1, "b": 2, "new": 3}
    assert numbers.of(prompt("a", "c")) == {"a": 1, "c": 4}


def test_with_more_than_nine_at_once_all_have_one() -> None:
    numbers = ChoiceNumbers().of(prompt(*"abcdefghijk"))
    assert sorted(numbers.values()) == list(range(1, 12))


def test_a_choice_that_is_not_offered_any_more_is_shut_until_the_activation_is_over() -> None:
    numbers = ChoiceNumbers()
    numbers.of(prompt("move", "shoot", "end"))
    done = prompt("end", title="card.done")
    assert {id: number for id, (number, _) in numbers.shut(done).items()} == {"move": 1, "shoot": 2}
    assert numbers.shut(prompt("yes", "no", window="vote")) == {}
    assert set(numbers.shut(prompt("move", "end"))) == {"shoot"}
    numbers.rest()
    assert numbers.shut(done) == {}
    assert numbers.of(prompt("shoot")) == {"shoot": 2}


def test_a_shut_choice_whose_number_another_one_has_got_is_not_shown() -> None:
    numbers = ChoiceNumbers()
    numbers.of(prompt(*"abcdefghi"))
    numbers.of(prompt("b", "new"))
    assert numbers.of(prompt("b", "new"))["new"] == 1
    assert set(numbers.shut(prompt("b", "new"))) == set("cdefghi")


@given(st.lists(lists, max_size=6))
def test_every_choice_has_a_number_of_its_own_however_many_there_are(prompts: list[list[str]]) -> None:
    numbers = ChoiceNumbers()
    for ids in prompts:
        found = numbers.of(prompt(*ids))
        assert set(found) == set(ids)
        assert len(set(found.values())) == len(ids)
        assert len(ids) > len(ONE_DIGIT) or all(number in ONE_DIGIT for number in found.values())
