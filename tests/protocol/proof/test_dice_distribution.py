"""Distribution of dice and orders: as even as chance, by chi-square of single faces and of pairs in a row."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest

from protocol.proof import dice
from tests.support.faults.evenness import LIMIT, deviation
from tests.support.runs.longrun import Figures, LongRun

ROLLS = (8, 50_000)
"""Dice of a roll, as tables roll them and as many as fit: half of all dice each."""
SIZES = (2, 3, 4, 6, 8, 10, 12, 20, 100)


def check(sides: int, total: int) -> Figures:
    key = sha256(f"distribution of {sides}".encode()).digest()
    seen: Counter[int] = Counter()
    n = 0
    for count in ROLLS:
        for _ in range(total // len(ROLLS) // count):
            faces = dice.faces(key, n, sides, count)
            # pairs in a row, as one number; single faces follow from them
            seen.update([one * 256 + two for one, two in zip(faces[::2], faces[1::2], strict=True)])
            n += 1
    pairs: Counter[int] = Counter()
    singles: Counter[int] = Counter()
    for pair, times in seen.items():
        one, two = pair // 256 - 1, pair % 256 - 1
        assert 0 <= one < sides
        assert 0 <= two < sides
        pairs[one * sides + two] = times
        singles[one] += times
        singles[two] += times
    assert singles.total() == total
    leanings = deviation(singles, sides, total), deviation(pairs, sides * sides, total // 2)
    assert max(map(abs, leanings)) < LIMIT, leanings
    return {"dice": total, "worst_deviation": round(max(map(abs, leanings)), 2)}


@pytest.mark.parametrize("sides", SIZES)
def test_dice_are_even(sides: int) -> None:
    check(sides, 100_000)


def batch(number: int) -> Figures:
    return check(SIZES[number], 10_000_000)


@pytest.mark.long("dice")
def test_ten_million_dice_of_each_size_are_even() -> None:
    total = LongRun("dice", batches=len(SIZES)).complete(batch)
    assert total["dice"] == 10_000_000 * len(SIZES)


def test_orders_are_even() -> None:
    key = sha256(b"distribution of orders").digest()
    places = {order: cell for cell, order in enumerate(permutations(range(4)))}
    seen = Counter(places[dice.shuffled(key, n, 4)] for n in range(24_000))
    assert abs(deviation(seen, 24, 24_000)) < LIMIT


def test_a_loaded_die_would_be_noticed() -> None:
    """A byte taken modulo six without refusing the last four values: 1.6 parts in a hundred."""
    data = b"".join(sha256(n.to_bytes(4, "big")).digest() for n in range(31_250))
    loaded = Counter(byte % 6 for byte in data)
    assert deviation(loaded, 6, len(data)) > LIMIT
