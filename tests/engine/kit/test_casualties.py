"""The choice of figures that fall, and wounds shared out among figures, one after another."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.questions import Question
from engine.core.rules.record import Record
from engine.kit.casualties import Allotment, CasualtyQuestion, Harm, allot, chosen
from protocol.ids import FigureId
from protocol.scene.fields import Pieces
from protocol.text import Text
from tests.support.systems.haggle import HAGGLE
from tests.support.systems.scripted import ScriptedDice

A = FigureId("a")
B = FigureId("b")
C = FigureId("c")

ORDER = [(A, 1), (B, 3), (C, 2)]
LIVES = st.lists(st.integers(1, 4), max_size=6).map(
    lambda lives: [(FigureId(f"f{n}"), life) for n, life in enumerate(lives)]
)
HARMS = st.lists(st.builds(Harm, st.integers(0, 6), st.booleans()), max_size=6)


@pytest.mark.parametrize(
    ("harms", "allotment"),
    [
        ([], Allotment({}, (), 0)),
        ([Harm(2)], Allotment({A: 1, B: 1}, (A,), 0)),
        ([Harm(4)], Allotment({A: 1, B: 3}, (A, B), 0)),
        ([Harm(9)], Allotment({A: 1, B: 3, C: 2}, (A, B, C), 3)),
        ([Harm(3, single=True)], Allotment({A: 1}, (A,), 2)),
        ([Harm(1), Harm(2, single=True), Harm(1)], Allotment({A: 1, B: 3}, (A, B), 0)),
        ([Harm(6), Harm(2, single=True)], Allotment({A: 1, B: 3, C: 2}, (A, B, C), 2)),
    ],
)
def test_a_figure_takes_wounds_until_it_falls_and_then_the_next_one(harms: list[Harm], allotment: Allotment) -> None:
    assert allot(ORDER, harms) == allotment


@given(LIVES, HARMS)
def test_every_wound_is_taken_or_lost_and_only_one_figure_is_left_hurt(
    order: list[tuple[FigureId, int]], harms: list[Harm]
) -> None:
    found = allot(order, harms)
    assert sum(found.taken.values()) + found.lost == sum(harm.wounds for harm in harms)
    assert found.fallen == tuple(id for id, life in order if found.taken.get(id) == life)
    assert all(0 < found.taken[id] <= dict(order)[id] for id in found.taken)
    assert list(found.taken) == [id for id, _ in order[: len(found.taken)]]
    assert len(found.taken) - len(found.fallen) in (0, 1)


def test_the_owner_is_asked_for_as_many_as_the_default_names() -> None:
    game = Game(HAGGLE.start(b"", 3), Record(), ScriptedDice([]))
    figures = {figure: Text(figure) for figure in (A, B, C)}
    waiting = chosen(game, Seat(2), figures, (C, A), CasualtyQuestion(Text("who"), "XX-01", "losses"))
    asked = waiting.send(None)
    assert isinstance(asked, Question)
    assert asked.kind == "losses"
    [(seat, ask)] = asked.asks.items()
    assert seat == 2
    [choice] = ask.choices
    [field] = choice.fields
    assert isinstance(field, Pieces)
    assert (field.least, field.most, field.default) == (2, 2, ("piece/c", "piece/a"))
    assert ask.rule == "XX-01"
    with pytest.raises(StopIteration) as done:
        waiting.send({Seat(2): ("piece/b", "piece/c")})
    assert done.value.value == (B, C)


def test_nobody_is_asked_where_all_fall() -> None:
    game = Game(HAGGLE.start(b"", 3), Record(), ScriptedDice([]))
    with pytest.raises(StopIteration) as done:
        chosen(game, Seat(0), {A: Text("a")}, (A,), CasualtyQuestion(Text("who"), "", "losses")).send(None)
    assert done.value.value == (A,)
