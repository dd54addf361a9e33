"""The leaders by score: alone, with their side, level with others, or nobody."""

from __future__ import annotations

import pytest

from client.model.lobby.leaders import leading
from protocol.scene.nodes import SeatNode
from protocol.text import Text

ALONE = (-1, -1, -1)
SIDES = (0, 0, 1)


@pytest.mark.parametrize(
    ("scores", "sides", "first", "is_shared"),
    [
        ((1, 3, 2), ALONE, {1}, False),
        ((3, 3, 2), ALONE, {0, 1}, True),
        ((90, 90, 45), SIDES, {0, 1}, False),
        ((45, 45, 90), SIDES, {2}, False),
        ((0, 0, 0), ALONE, set(), False),
        ((2, 2, 2), ALONE, set(), True),
    ],
)
def test_the_highest_score_leads(
    scores: tuple[int, ...], sides: tuple[int, ...], first: set[int], is_shared: bool
) -> None:
    pairs = zip(scores, sides, strict=True)
    seats = {seat: SeatNode(Text("x"), seat, score, side=side) for seat, (score, side) in enumerate(pairs)}
    assert leading(seats) == (frozenset(first), is_shared)


def test_nobody_leads_where_nobody_sits() -> None:
    assert leading({}) == (frozenset(), False)
