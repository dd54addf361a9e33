"""Situations: the choices of a seat, now and after an act of its own."""

from __future__ import annotations

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.view.situations import Situation
from protocol.scene.nodes import Reply
from tests.support.play.proving_checks import table_of
from tests.support.proving import system

WEST, EAST = Seat(0), Seat(1)
FLAGS = {f"piece/flag-0-{n}": [300 + 80 * n, 300] for n in range(6)}


def test_a_question_is_chosen_from_by_those_asked() -> None:
    table = table_of(system, 3)
    situation = Situation.of(table.match, EAST)
    assert [choice.id for choice in situation.choices()] == ["hide"]
    situation.check(Reply("hide", {"cell": [8, 2]}))
    with pytest.raises(IllegalIntent, match="reply/bad-field"):
        situation.check(Reply("hide", {"cell": [0, 0]}))
    assert situation.after(Reply("hide", {"cell": [8, 2]})) is situation


def test_only_the_acting_seat_has_choices_on_a_turn() -> None:
    table = table_of(system, 3)
    while table.match.question is not None:
        table.play.expire()
    assert Situation.of(table.match, EAST).choices() == ()
    now = Situation.of(table.match, WEST)
    assert "flags" in [choice.id for choice in now.choices()]
    after = now.after(Reply("flags", {"places": FLAGS}))
    assert "flags" not in [choice.id for choice in after.choices()]
    assert "flags" in [choice.id for choice in Situation.of(table.match, WEST).choices()]
