"""A bot that tries its acts first, each once, and then plays on its own."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.bots.bot import BotView, Picture, run_inline
from engine.core.bots.scripted_bot import ScriptedBot
from protocol.ids import PromptId
from protocol.scene.fields import AnyField, Number, PickPoint, Placement
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import Text

NAME = Text("name")
MOVE = Choice(
    "move", NAME, (PickPoint("to", NAME), Number("pace", NAME, lazy=True), Placement("places", NAME, auto=True))
)
END = Reply("end")


class View(Picture):
    """Prompt with these choices; every lazy number has the default `pace`, or none."""

    def __init__(self, *choices: Choice, pace: int | None = 3) -> None:
        super().__init__(0, {}, Prompt(PromptId("p"), NAME, choices))
        self.pace = pace

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return None if self.pace is None else Number("pace", NAME, default=self.pace)


class Ender:
    """Bot that ends, and notes what is refused."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    async def decide(self, view: BotView) -> Reply:
        return END

    def refused(self, reply: Reply, code: str) -> None:
        self.noted.append(code)


def test_each_act_is_made_once_as_soon_as_it_is_offered() -> None:
    acts = [Reply("move", {"to": [1, 2]}), Reply("rest")]
    bot, rest = ScriptedBot(acts, Ender()), Choice("rest", NAME)
    assert run_inline(bot.decide(View(rest))) == END, "the first one is not offered yet"
    assert run_inline(bot.decide(View(MOVE, rest))) == Reply("move", {"to": [1, 2], "pace": 3})
    assert run_inline(bot.decide(View(MOVE, rest))) == Reply("rest")
    assert run_inline(bot.decide(View(MOVE, rest))) == END


def test_an_act_whose_fields_cannot_be_filled_is_passed_over() -> None:
    bot = ScriptedBot([Reply("move", {"to": [1, 2]})], Ender())
    assert run_inline(bot.decide(View(MOVE, pace=None))) == END
    assert run_inline(bot.decide(View(MOVE))) == END


def test_refusals_of_its_own_acts_are_not_the_other_bots() -> None:
    ender = Ender()
    bot = ScriptedBot([Reply("rest")], ender)
    bot.refused(run_inline(bot.decide(View(Choice("rest", NAME)))), "rest/not-now")
    bot.refused(run_inline(bot.decide(View(Choice("rest", NAME)))), "end/not-now")
    assert ender.noted == ["end/not-now"]
