"""The random bot: repeatable chance, legal values for every kind of field, and an end to its tries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest
from hypothesis import given, strategies as st

from engine.core.bots.bot import Picture, run_inline
from engine.core.bots.random_bot import PATIENCE, Chance, RandomBot
from engine.core.rules.replies import check_reply
from protocol.ids import NodeId, PromptId
from protocol.scene.fields import (
    AnyField,
    Assign,
    Band,
    Barred,
    Facing,
    Number,
    Option,
    Order,
    PathPoint,
    PickCell,
    PickOption,
    PickPoint,
    Pieces,
    Placement,
    Template,
    Way,
    Words,
)
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text

PROMPT = PromptId("play-1")

ABC = tuple(map(Option, "abc"))
SQUARE = ((0, 0), (80, 0), (80, 80), (0, 80))
ALL_Y = dict.fromkeys("abc", "y")
FIELDS: tuple[AnyField, ...] = (
    Pieces("pieces", text("f"), options=ABC, least=1, most=2, default=("c",)),
    PickOption("option", text("f"), options=ABC, default="b"),
    PickPoint("point", text("f"), regions=(SQUARE,), start=(40, 40), default=(1, 1)),
    Placement("placement", text("f"), default={NodeId("piece/1"): (3, 4)}),
    PathPoint("path", text("f"), path=SQUARE, least=1, default=2),
    PickCell("cell", text("f"), options=((1, 2), (2, 2)), default=(2, 2)),
    Facing("facing", text("f"), angles=(0, 90), default=90),
    Template("template", text("f"), regions=(SQUARE,), default=(5, 5)),
    Number("number", text("f"), least=2, most=4, default=3),
    Assign(
        "assign",
        text("f"),
        items=ABC,
        slots=(Option("x"), Option("y"), Option("z")),
        room={"x": 1},
        bars={item: (Barred("z", "no/no", text("no")),) for item in "abc"},
        default=ALL_Y,
    ),
    Way("way", text("f"), most=3, bands=(Band(text("walk"), regions=(SQUARE,)),), default=(1, 1)),
    Order("order", text("f"), items=ABC),
    Words("words", text("f"), default="hello"),
)
EVERY = Choice("every", text("every"), FIELDS)
WAIT = Choice("wait", text("wait"))
GOOD, MANY = PickOption("good", text("good"), lazy=True), Number("many", text("many"), lazy=True)
LAZY = Choice("lazy", text("lazy"), (GOOD, MANY))


class Seen(Picture):
    """A picture with given details, by field; a field that it lacks is refused."""

    def __init__(self, *choices: Choice, id: PromptId = PROMPT, details: Mapping[str, AnyField] | None = None) -> None:
        super().__init__(0, {}, Prompt(id, text("turn"), choices, default=choices[-1].id))
        self._details = details or {}

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return next((field for key, field in self._details.items() if key not in fields), None)


def decided(bot: RandomBot, view: Seen) -> Reply:
    return run_inline(bot.decide(view))


@given(st.integers(-(2**63), 2**63 - 1), st.integers(1, 50))
def test_chance_is_within_its_limit_and_repeats_itself(seed: int, limit: int) -> None:
    one, other = Chance(seed), Chance(seed)
    drawn = [one.below(limit) for _ in range(20)]
    assert all(0 <= number < limit for number in drawn)
    assert [other.below(limit) for _ in range(20)] == drawn


def test_chance_comes_to_every_number() -> None:
    chance = Chance(1)
    assert {chance.below(6) for _ in range(200)} == set(range(6))
    assert {chance.pick("abc") for _ in range(100)} == set("abc")


@given(st.integers(0, 2**32), st.integers(0, 9))
def test_some_of_several_are_different_ones(seed: int, count: int) -> None:
    found = Chance(seed).some("abcdef", count)
    assert len(found) == len(set(found)) == min(count, 6)
    assert set(found) <= set("abcdef")


@given(st.integers(0, 2**32))
def test_every_kind_of_field_is_filled_in_as_the_engine_takes_it(seed: int) -> None:
    assert {type(field) for field in FIELDS} == set(get_args(AnyField))
    reply = decided(RandomBot(seed), Seen(EVERY))
    check_reply([EVERY], reply)
    assert set(reply.fields) == {field.key for field in FIELDS}
    assert decided(RandomBot(seed), Seen(EVERY)) == reply


def test_any_choice_may_come() -> None:
    bot = RandomBot(3)
    assert {decided(bot, Seen(EVERY, WAIT)).choice for _ in range(50)} == {"every", "wait"}


def test_after_so_many_refusals_the_default_is_played_until_the_prompt_changes() -> None:
    bot, view = RandomBot(1), Seen(WAIT, EVERY)
    decided(bot, view)
    for _ in range(PATIENCE):
        bot.refused(Reply("wait"), "turn/wait")
    assert [decided(bot, view).choice for _ in range(20)] == ["every"] * 20
    fields = decided(bot, view).fields
    defaults = {"pieces": ["c"], "option": "b", "path": 2, "cell": [2, 2], "facing": 90, "number": 3, "words": "hello"}
    assert {key: fields[key] for key in defaults} == defaults
    assert fields["assign"] == ALL_Y
    assert {decided(bot, Seen(WAIT, EVERY, id=PromptId("play-2"))).choice for _ in range(50)} == {"wait", "every"}


def test_a_field_without_options_is_asked_for_after_those_before_it() -> None:
    details: dict[str, AnyField] = {
        "good": PickOption("good", text("good"), options=ABC),
        "many": Number("many", text("many"), least=7, most=7),
    }
    reply = decided(RandomBot(5), Seen(LAZY, details=details))
    assert reply.fields["good"] in ("a", "b", "c")
    assert reply.fields["many"] == 7


def test_a_choice_whose_detail_is_refused_is_left_there_and_counts_as_refused() -> None:
    assert decided(RandomBot(5), Seen(LAZY)) == Reply("lazy")
    bot, view = RandomBot(5), Seen(LAZY, WAIT)
    tries = [decided(bot, view).choice for _ in range(200)]
    assert tries.count("lazy") == PATIENCE


@pytest.mark.parametrize("by_default", [False, True])
def test_what_the_server_fills_in_may_be_left_to_it(*, by_default: bool) -> None:
    known = Choice("known", text("known"), (Number("many", text("many"), auto=True, most=3),))
    bot, view = RandomBot(2), Seen(known)
    decided(bot, view)
    for _ in range(PATIENCE if by_default else 0):
        bot.refused(Reply("known"), "turn/wait")
    filled = {"many" in decided(bot, view).fields for _ in range(30)}
    assert filled == ({False} if by_default else {False, True})
