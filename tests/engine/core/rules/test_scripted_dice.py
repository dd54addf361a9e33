"""Scripted dice: a test makes exactly the rolls of its script."""

from __future__ import annotations

import pytest

from engine.core.rules.dice import Pool
from tests.support.systems import scripted
from tests.support.systems.scripted import ScriptedDice


def roll(dice: ScriptedDice, n: int, count: int) -> tuple[int, ...]:
    return dice.faces(0, (), n, Pool(count), hidden=False)


def test_faces_come_in_order_and_again_for_the_same_roll() -> None:
    dice = ScriptedDice((6, 2, 3))
    assert (roll(dice, 0, 2), roll(dice, 1, 1), roll(dice, 0, 2)) == ((6, 2), (3,), (6, 2))


def test_a_roll_beyond_the_script_fails() -> None:
    dice = ScriptedDice((6,))
    with pytest.raises(AssertionError, match="2 dice are rolled, and the script has 1 faces left"):
        roll(dice, 0, 2)
    assert roll(dice, 0, 1) == (6,)


def test_a_face_that_is_never_rolled_fails_the_test() -> None:
    dice = ScriptedDice((6, 1))
    roll(dice, 0, 1)
    with pytest.raises(AssertionError, match=r"never rolled: \[1\]"):
        scripted.check_all_used()
    scripted.forget()
    scripted.check_all_used()


def test_decks_are_sorted_unless_orders_are_scripted() -> None:
    assert ScriptedDice().deck("cards", 0, (), 3) == (0, 1, 2)
    dice = ScriptedDice(orders=[(2, 0, 1)])
    with pytest.raises(AssertionError, match="never asked for"):
        scripted.check_all_used()
    assert dice.deck("cards", 0, (), 3) == dice.deck("cards", 0, (), 3) == (2, 0, 1)
    with pytest.raises(AssertionError, match="no order left"):
        dice.order(0, (), 0, 3)
    with pytest.raises(AssertionError, match="not one of 2"):
        ScriptedDice(orders=[(2, 0, 1)]).deck("cards", 0, (), 2)
    scripted.forget()
