"""Layout: panels of the table's screen, rows and columns."""

from __future__ import annotations

from itertools import combinations

import pytest

from client.ui.layout import Rect, table_layout


@pytest.mark.parametrize("size", [(960, 640), (1280, 800), (1920, 1080), (3840, 2160)])
@pytest.mark.parametrize("scale", [0.8, 1.0, 1.4])
@pytest.mark.parametrize("cards", [True, False])
def test_panels_fill_the_window_and_never_overlap(size: tuple[int, int], scale: float, cards: bool) -> None:
    layout = table_layout(*size, scale, cards=cards)
    panels = (layout.row, layout.seats, layout.board, layout.prompt, layout.log)
    assert not any(one.overlaps(other) for one, other in combinations(panels, 2))
    assert sum(panel.w * panel.h for panel in panels) == pytest.approx(size[0] * size[1])
    assert layout.board.w > 200
    assert layout.board.h > 200


def test_rows_and_columns_stay_inside() -> None:
    box = Rect(10, 20, 100, 90)
    rows = list(box.rows(20, 5))
    assert len(rows) == 3
    assert rows[0].top == box.top
    assert rows[-1].y >= box.y
    assert box.columns(3, 5)[2].right == pytest.approx(box.right)
    assert list(box.share(3, 20, 5)) == rows
    assert [row.h for row in box.share(6, 20, 5)] == pytest.approx([(90 + 5) / 6 - 5] * 6)
