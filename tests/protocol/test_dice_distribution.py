"""Test 42: dice and orders are as even as chance, by chi-square of single faces and of pairs in a row."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations
from math import sqrt

import pytest

from protocol import dice

LIMIT = 3.09
"""Standard deviations: p between 0.001 and 0.999."""
ROLL = 50_000
SIZES = (2, 3, 4, 6, 8, 10, 12, 20, 100)


def deviation(seen: Counter[int], cells: int, total: int) -> float:
    """How far chi-square lies from where it should, in standard deviations (Wilson and Hilferty 1931)."""
    wanted = total / cells
    square = sum((seen[cell] - wanted) ** 2 for cell in range(cells)) / wanted
    freedom = cells - 1
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def check(sides: int, total: int) -> None:
    key = sha256(f"distribution of {sides}".encode()).digest()
    singles: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    for n in range(total // ROLL):
        faces = dice.faces(key, n, sides, ROLL)
        singles.update(faces)
        pairs.update([one * sides + two for one, two in zip(faces[::2], faces[1::2], strict=True)])
    assert set(singles) == set(range(1, sides + 1))
    assert abs(deviation(Counter({face - 1: n for face, n in singles.items()}), sides, total)) < LIMIT
    shifted = Counter({cell - sides - 1: n for cell, n in pairs.items()})
    assert abs(deviation(shifted, sides * sides, total // 2)) < LIMIT


@pytest.mark.parametrize("sides", SIZES)
def test_dice_are_even(sides: int) -> None:
    check(sides, 100_000)


@pytest.mark.long("dice")
@pytest.mark.parametrize("sides", SIZES)
def test_ten_million_dice_are_even(sides: int) -> None:
    check(sides, 10_000_000)


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
