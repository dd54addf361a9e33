"""Code that bots share: the default of a prompt, a fixed picture, and a decision without an event loop."""

from __future__ import annotations

import pytest

from engine.core.bots.bot import Picture, default_reply, run_inline
from protocol.ids import PromptId
from protocol.scene.fields import Assign, Number, Option, PickCell, Pieces
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text
from tests.support.systems.haggle import Nonsense

PROMPT = PromptId("1")

UNITS = tuple(Option(f"group/{n}") for n in range(3))
GO = Choice(
    "go",
    text("go"),
    (
        Pieces("units", text("units"), options=UNITS, most=2, default=("group/1", "group/2")),
        Number("many", text("many"), most=5, default=4),
        Number("known", text("known"), auto=True, default=3),
        PickCell("cell", text("cell"), options=((1, 2),)),
        Assign("split", text("split"), default={"gun": "group/0"}),
    ),
)
STAY = Choice("stay", text("stay"))


def test_the_default_is_the_prompts_choice_with_its_fields_filled() -> None:
    """Leave out fields that the server fills in, and those that have no default."""
    reply = default_reply(Prompt(PROMPT, text("turn"), (STAY, GO), default="go"))
    assert reply == Reply("go", {"units": ["group/1", "group/2"], "many": 4, "split": {"gun": "group/0"}})


@pytest.mark.parametrize("default", ["", "gone"])
def test_a_prompt_without_a_default_gives_its_first_choice(default: str) -> None:
    assert default_reply(Prompt(PROMPT, text("turn"), (STAY, GO), default=default)) == Reply("stay")


def test_nobody_presses_for_an_answer_to_a_picture() -> None:
    prompt = Prompt(PROMPT, text("turn"), (STAY,))
    picture = Picture(2, {}, prompt)
    assert (picture.seat, picture.nodes, picture.prompt) == (2, {}, prompt)
    assert not picture.is_due()


def test_a_decision_that_waits_for_nothing_is_driven_to_its_end() -> None:
    async def detail() -> int:
        return 3

    async def decision() -> int:
        return await detail() + 1

    assert run_inline(decision()) == 4


def test_a_decision_that_really_waits_is_an_error_and_ended() -> None:
    has_ended = False

    async def decision() -> None:
        nonlocal has_ended
        try:
            await Nonsense()
        finally:
            has_ended = True

    waiting = decision()
    with pytest.raises(RuntimeError, match="nothing but its view's detail"):
        run_inline(waiting)
    assert has_ended
