"""A lesson finds the step that fits, whatever has been played; steps end by what ends them, in whatever way."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from client.model.lesson_run import MOST_REFUSALS, LessonRun
from protocol.ids import NodeId, PromptId
from protocol.scene.nodes import Choice, Prompt
from protocol.text import Text
from protocol.wire.lessons import Lesson, LessonEnd, LessonStep

NAME = Text("name")
STEPS = (
    LessonStep("answer", NAME, offer="choice", again=True),
    LessonStep("move", NAME, offer="move", choice="move", ends=LessonEnd(choice="move")),
    LessonStep("end", NAME, offer="end", unless="move", choice="end", ends=LessonEnd(choice="end")),
    LessonStep("watch", NAME, offer="wait", part="log", ends=LessonEnd(prompt="end")),
    LessonStep("dice", NAME, offer="wait", part="dice", ends=LessonEnd(cue="dice")),
    LessonStep("row", NAME, offer="end", part="row"),
    LessonStep("held", NAME, offer="hold", part="seats", held=NodeId("feature/mill")),
    LessonStep("move_on", NAME, offer="move", again=True, choice="move", ends=LessonEnd(choice="move")),
    LessonStep("end_on", NAME, offer="end", again=True, choice="end", ends=LessonEnd(choice="end")),
    LessonStep("wait_on", NAME, offer="wait", again=True, part="board"),
)
LESSON = Lesson("first", NAME, NAME, "small", 10, STEPS)
ONCE = [step.id for step in STEPS if not step.again]


def prompt(*choices: str, id: str = "p", window: str = "turn") -> Prompt:
    return Prompt(PromptId(id), NAME, tuple(Choice(choice, NAME) for choice in choices), window=window)


def shown(run: LessonRun) -> str:
    return run.step.id if run.step is not None else ""


def test_steps_come_in_their_order_as_their_moments_do() -> None:
    run = LessonRun(LESSON)
    run.look(prompt("move", "end"))
    assert shown(run) == "move"
    run.chose("move")
    run.look(prompt("end", id="q"))
    assert shown(run) == "end"
    run.chose("end")
    run.look(None)
    assert shown(run) == "watch"
    run.look(prompt("move", "end", id="r"))
    assert shown(run) == "row"
    run.go_on()
    assert shown(run) == "move_on"
    assert run.ended == ["move", "end", "watch", "row"]
    assert run.progress == (4, 5)
    run.look(None)
    run.told("shot")
    assert shown(run) == "dice"
    run.told("dice")
    assert (shown(run), run.is_taught) == ("wait_on", True)


def test_a_question_comes_first_and_comes_again() -> None:
    run = LessonRun(LESSON)
    for id in ("a", "b"):
        run.look(prompt("pick", id=id, window="choice"))
        assert shown(run) == "answer"
        run.chose("pick")


def test_whatever_is_chosen_instead_ends_the_step_that_waits_for_it() -> None:
    run = LessonRun(LESSON, ["move"])
    run.look(prompt("move", "end"))
    assert shown(run) == "row"
    run.chose("end")
    assert run.ended == ["move", "row", "end"], "one that only tells something is not told again"


def test_a_step_that_is_refused_too_often_is_passed_over_until_the_prompt_changes() -> None:
    run = LessonRun(LESSON, ["row"])
    run.look(prompt("move", "end"))
    for _ in range(MOST_REFUSALS - 1):
        run.refused()
        assert shown(run) == "move"
    run.refused()
    assert shown(run) == "move_on"
    run.pass_over()
    assert shown(run) == "end_on"
    run.pass_over()
    assert shown(run) == ""
    run.look(prompt("move", "end", id="later"))
    assert shown(run) == "move"
    assert run.ended == ["row"]


def test_a_lesson_is_taken_up_where_it_was_left_and_unknown_steps_are_forgotten() -> None:
    run = LessonRun(LESSON, ["end", "move", "nonsense", "end"])
    assert run.ended == ["end", "move"]
    run.look(prompt("move", "end"))
    assert shown(run) == "row"


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_a_step_has_at_most_one_end(step: LessonStep) -> None:
    assert sum(map(bool, (step.ends.choice, step.ends.cue, step.ends.prompt))) <= 1


MOMENTS = st.one_of(
    st.builds(
        lambda offered, id: ("look", prompt(*offered, id=id)),
        st.sets(st.sampled_from(["move", "end", "shoot"])),
        st.sampled_from("abc"),
    ),
    st.just(("look", None)),
    st.builds(lambda choice: ("chose", choice), st.sampled_from(["move", "end", "shoot", "core:undo"])),
    st.builds(lambda kind: ("told", kind), st.sampled_from(["dice", "move"])),
    st.sampled_from([("go_on",), ("refused",), ("pass_over",)]),
)


@given(st.lists(MOMENTS, max_size=40))
def test_whatever_happens_the_step_fits_and_what_has_ended_stays_so(moments: list[tuple[object, ...]]) -> None:
    run, now = LessonRun(LESSON), None
    for name, *about in moments:
        before = list(run.ended)
        getattr(run, str(name))(*about)
        now = about[0] if name == "look" else now
        offered = {choice.id for choice in now.choices} if isinstance(now, Prompt) and now.choices else {"wait"}
        assert run.step is None or run.step.offer in offered
        assert run.step is None or run.step.unless not in offered
        assert run.ended[: len(before)] == before
        assert set(run.ended) <= set(ONCE)
        assert LessonRun(LESSON, run.ended).ended == run.ended
