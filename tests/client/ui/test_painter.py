"""Shapes of the painter: computed once while they stay, and dropped when they are gone."""

from __future__ import annotations

from client.ui import theme
from client.ui.layout import Rect
from client.ui.painter import MOST_KNOWN, Painter
from tests.support.clients.windows.readable_app import ReadableApp


def sketch(painter: Painter, *sides: int) -> bytes:
    """Draw frames and discs of these sizes; return the painter's data."""
    painter.clear()
    for side in sides:
        painter.rect(Rect(5, 5, side, side), theme.PANEL, 4)
        painter.frame(Rect(5, 5, side, side), 2, theme.WARN, 4)
        painter.disc(side, side, side / 2, theme.SELECT)
        painter.region([(0, 0), (side, 0), (side / 2, side / 3), (side, side)], theme.REACH)
    return b"".join(triangles for _, triangles in painter.shapes)


def test_a_picture_that_stays_is_the_same_and_its_shapes_are_kept(app: ReadableApp) -> None:
    painter = Painter(app.ctx)
    first = sketch(painter, 20, 40)
    made = [id(triangles) for _, triangles in painter.shapes]
    assert sketch(painter, 20, 40) == first
    assert [id(triangles) for _, triangles in painter.shapes] == made
    assert len(made) == 8
    assert not painter.has_changed()


def test_shapes_that_are_gone_are_forgotten(app: ReadableApp) -> None:
    painter = Painter(app.ctx)
    sketch(painter, 20, 40)
    for side in range(MOST_KNOWN):
        sketch(painter, side)
        assert painter.has_changed()
    assert len(painter.known) <= MOST_KNOWN + 2 * 4
    assert sketch(painter, 20, 40) == sketch(Painter(app.ctx), 20, 40)
