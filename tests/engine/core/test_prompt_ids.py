"""A prompt's id: by it a client knows what it has answered, and the server what an answer is to."""

from __future__ import annotations

import msgspec

from engine.core.audience import Seat
from engine.core.dice import MatchDice
from engine.core.system import Setup
from protocol.scene import Prompt, Reply
from tests.support.haggle import HAGGLE, Market
from tests.support.observed import Observed

RESOLVED = HAGGLE.setup(None, Setup("fair", ("", "", "")))


def market() -> Observed[Market]:
    return Observed(HAGGLE, MatchDice(bytes(32), "m1"), RESOLVED, 3)


def prompts(table: Observed[Market]) -> list[Prompt]:
    """What each seat is shown."""
    shown = [table.play.projector.prompt(Seat(seat)) for seat in range(3)]
    return [prompt for prompt in shown if prompt is not None]


def nameless(shown: list[Prompt]) -> list[Prompt]:
    return [msgspec.structs.replace(prompt, id="") for prompt in shown]


def test_the_same_question_asked_again_is_another_prompt() -> None:
    """In between nothing else is shown: who has answered the first has not answered the second."""
    table = market()
    table.play.submit(Seat(0), Reply("twice"))
    first = prompts(table)
    table.play.submit(Seat(0), Reply("yes"))
    assert prompts(table) == first
    table.play.expire()
    second = prompts(table)
    assert len(first) == len(second) == 3 and nameless(first) == nameless(second)
    assert all(before.id != after.id for before, after in zip(first, second, strict=True))
    table.check_views()


def test_an_act_that_leaves_the_choices_leaves_the_prompt() -> None:
    table = market()
    table.play.submit(Seat(0), Reply("gamble"))
    (before,) = (prompt for prompt in prompts(table) if prompt.choices)
    table.play.submit(Seat(0), Reply("gamble"))
    (after,) = (prompt for prompt in prompts(table) if prompt.choices)
    assert after is before
