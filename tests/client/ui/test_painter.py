"""Shapes of the painter: computed once while they stay, and dropped when they are gone."""

from __future__ import annotations

from client.ui import theme
from client.ui.layout import Rect
from client.ui.painter import Painter
from tests.support.clients.windows.readable_app import ReadableApp


def sketch(painter: Painter, *sides: int) -> bytes:
    """Draw frames and discs of these sizes; return the painter's data."""
    painter.clear()
    for side in sides:
        painter.rect(Rect(5, 5, side, side), theme.PANEL, 4)
        painter.frame(Rect(5, 5, side, side), 2, theme.WARN, 4)
        painter.disc(side, side, side / 2, theme.SELECT)
        painter.region([(0, 0), (side, 0), (side / 2, side / 3), (side, side)], theme.REACH)
    return painter.data.tobytes()


def test_a_picture_that_stays_is_the_same_and_its_shapes_are_kept(app: ReadableApp) -> None:
    painter = Painter(app.ctx)
    first = sketch(painter, 20, 40)
    made = {key: id(shape) for key, shape in painter.current.items()}
    assert sketch(painter, 20, 40) == first
    assert {key: id(shape) for key, shape in painter.current.items()} == made
    assert len(made) == 8


def test_shapes_that_are_gone_are_forgotten(app: ReadableApp) -> None:
    painter = Painter(app.ctx)
    sketch(painter, 20, 40)
    sketch(painter, 40)
    sketch(painter, 60)
    assert len(painter.current) == len(painter.previous) == 4
    assert sketch(painter, 20, 40) == sketch(Painter(app.ctx), 20, 40)
