"""Bots made of plans: the best reply is played, refused ones are not repeated, details have a budget."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

from engine.core.bots.bot import BotView, Picture, run_inline
from engine.kit.bots.chooser import MOST_REFUSALS, BudgetedView, Chooser, Idea, Plan
from protocol.ids import PromptId
from protocol.scene.fields import AnyField, Number
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text


class Known(Picture):
    """A view that answers every question for details, and counts them."""

    asked = 0
    due = False
    known = "what the seat knows"

    def is_due(self) -> bool:
        return self.due

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        self.asked += 1
        return Number("many", text("many"), most=5)


def view(prompt: str = "1") -> Known:
    choices = tuple(Choice(id, text(id)) for id in ("rest", "go"))
    return Known(0, {}, Prompt(PromptId(prompt), text("turn"), choices, default="rest"))


def proposing(*worths: float) -> Plan:
    """A plan that proposes `go` for each of these worths."""

    async def plan(view: BotView) -> AsyncIterator[Idea]:
        for worth in worths:
            yield Idea(worth, Reply("go", {"far": int(worth)}))

    return plan


def bot(*plans: Plan, seed: int = 1) -> Chooser:
    class Made(Chooser):
        pass

    Made.plans = plans
    return Made(seed)


def far(chooser: Chooser, look: BotView) -> object:
    return run_inline(chooser.decide(look)).fields.get("far")


def test_the_reply_of_greatest_worth_among_all_plans_is_played() -> None:
    assert far(bot(proposing(1, -3), proposing(4, 2)), view()) == 4
    assert far(bot(proposing(-3, -2)), view()) == -2


def test_a_prompt_without_a_plan_gets_its_default() -> None:
    assert run_inline(bot().decide(view())) == Reply("rest")
    assert run_inline(bot(proposing()).decide(view())) == Reply("rest")


def test_a_refused_reply_is_not_repeated_at_that_prompt() -> None:
    chooser, look = bot(proposing(3, 2, 1)), view()
    seen: list[object] = []
    for _ in range(3):
        reply = run_inline(chooser.decide(look))
        seen.append(reply.fields["far"])
        chooser.refused(reply, "no")
    assert seen == [3, 2, 1]
    assert run_inline(chooser.decide(look)) == Reply("rest")
    assert far(chooser, view("2")) == 3


def test_after_some_refusals_the_default_is_played() -> None:
    chooser, look = bot(proposing(*range(1, 20))), view()
    for _ in range(MOST_REFUSALS):
        chooser.refused(run_inline(chooser.decide(look)), "no")
    assert run_inline(chooser.decide(look)) == Reply("rest")


def equals(seed: int) -> Sequence[str]:
    async def plan(view: BotView) -> AsyncIterator[Idea]:
        for choice in ("go", "rest"):
            yield Idea(1.0, Reply(choice))

    chooser = bot(plan, seed=seed)
    return [run_inline(chooser.decide(view())).choice for _ in range(12)]


def test_chance_decides_between_equals_and_repeats_with_its_seed() -> None:
    assert {"go", "rest"} == set(equals(1))
    assert equals(1) == equals(1) != equals(2)


def test_details_end_with_the_budget_and_when_an_answer_is_due() -> None:
    look = view()
    budgeted = BudgetedView(look, 2)
    given = [run_inline(budgeted.detail("go", {})) for _ in range(3)]
    assert [field is not None for field in given] == [True, True, False]
    assert look.asked == 2
    look.due = True
    assert run_inline(BudgetedView(look, 2).detail("go", {})) is None
    assert budgeted.known == "what the seat knows"
    assert budgeted.is_due()
