"""The panel of rolls: what a roll needs and how many dice count, or the sum of dice that are added."""

from __future__ import annotations

import pytest

from client.model.dice_words import sums
from protocol.scene.nodes import Dice
from protocol.text import text


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (4, 6, ["Needs 4 or more", "2 of 3"]),
        (1, 2, ["Counts: 2 or less", "1 of 3"]),
        (1, 1, ["Counts: only a 1", "1 of 3"]),
        (2, 4, ["Counts: 2 to 4", "1 of 3"]),
        (0, 0, ["Total 11"]),
    ],
)
def test_a_roll_says_what_counts_or_its_sum(low: int, high: int, told: list[str]) -> None:
    dice = Dice(text("roll"), -1, 6, (1, 4, 6), total=11, low=low, high=high)
    assert list(sums(dice)) == told


def test_reasons_say_how_many_count() -> None:
    dice = Dice(text("roll"), -1, 6, (1, 4, 6), reasons=(text("hits"),), low=4, high=6)
    assert list(sums(dice)) == ["Needs 4 or more"]


def test_a_single_die_has_no_sum() -> None:
    assert list(sums(Dice(text("roll"), -1, 6, (5,), total=5))) == []
