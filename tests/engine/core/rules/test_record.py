"""The record: decks without an order to come, and the newest rolls by their numbers."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.rules.record import ROLLS, RUN, DeckState, Record, RollMade
from protocol.fairness.entropy_record import EntropyRecord
from protocol.scene.nodes import RollId

CARDS = ("apple", "fig", "fig", "plum")


def made(n: int, *, is_hidden: bool = False) -> RollMade:
    return RollMade(RollId(1, n, is_hidden), 0, 6, (n % 6 + 1,))


def with_rolls(count: int) -> Record:
    record = Record()
    for n in range(count):
        record = msgspec.structs.replace(record, rolled=record.with_roll(made(n)))
    return record


@given(st.permutations(CARDS), st.integers(0, 4))
def test_cards_are_drawn_or_left(order: list[str], count: int) -> None:
    deck = DeckState(0, 1, (), CARDS, tuple(order[:count]))
    assert deck.left == 4 - count
    assert deck.undrawn() == tuple(sorted(order[count:]))


def test_entropy_is_the_mix_and_in_the_first_scheme_the_links() -> None:
    assert Record(links=(b"l",), mix=b"m").entropy == b"m"
    assert Record(links=(b"l",)).entropy == (b"l",)
    assert DeckState(0, 1, (b"l",), CARDS, mix=b"m").entropy == b"m"
    assert DeckState(0, 1, (b"l",), CARDS).entropy == (b"l",)


def test_a_call_is_there_until_it_is_opened() -> None:
    assert Record().call is None
    assert Record(participation=EntropyRecord(("person",)).with_call(1, ())).call == ()


@pytest.mark.parametrize("count", [1, RUN, RUN + 1, ROLLS, ROLLS + RUN, ROLLS + RUN + 1, 3 * ROLLS])
def test_the_newest_rolls_are_remembered_and_not_all(count: int) -> None:
    record = with_rolls(count)
    known = sum(map(len, record.rolled))
    assert min(count, ROLLS) <= known <= ROLLS + RUN
    assert max(map(len, record.rolled)) <= RUN
    for n in range(count - known, count):
        assert record.roll(RollId(1, n)) == made(n)
    if known < count:
        with pytest.raises(LookupError, match=f"roll {count - known - 1} of round 1"):
            record.roll(RollId(1, count - known - 1))


def test_a_hidden_roll_is_another_than_the_open_one_of_its_number() -> None:
    record = Record(rolled=Record().with_roll(made(0, is_hidden=True)))
    assert record.roll(RollId(1, 0, hidden=True)) == made(0, is_hidden=True)
    with pytest.raises(LookupError, match=r"^roll 0 of round 1"):
        record.roll(RollId(1, 0))
    with pytest.raises(LookupError, match=r"^hidden roll 1 of round 1"):
        record.roll(RollId(1, 1, hidden=True))
