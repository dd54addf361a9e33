"""Rectangles: rows and columns stay inside, on the steps of the grid."""

from __future__ import annotations

import pytest

from client.ui import theme
from client.ui.layout import Rect


def test_rows_and_columns_stay_inside() -> None:
    box = Rect(10, 20, 100, 90)
    rows = list(box.rows(20, 5))
    assert len(rows) == 3
    assert rows[0].top == box.top
    assert rows[-1].y >= box.y
    assert box.columns(3, 5)[2].right == pytest.approx(box.right)
    assert list(box.share(3, 20, 5)) == rows
    assert [row.h for row in box.share(6, 20, 5)][:6] == [8] * 6


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("width", [96, 300, 304])
def test_columns_and_what_is_in_the_middle_stand_on_the_grid(count: int, width: int) -> None:
    box = Rect(12, 20, width, 100)
    columns = box.columns(count, 4)
    assert not any(edge % theme.STEP for column in columns for edge in (column.x, column.w))
    assert columns[0].x == box.x
    assert columns[-1].right == box.right
    assert max(column.w for column in columns) - min(column.w for column in columns) <= theme.STEP
    assert not any(edge % theme.STEP for edge in box.middle(52, 44))
