"""Theme: colours and shapes of seats."""

from __future__ import annotations

from client.ui import theme
from client.ui.theme import SEAT_COLOURS, SEAT_SHAPES


def test_every_palette_colour_has_its_own_shape() -> None:
    assert len(set(SEAT_COLOURS)) == len(SEAT_COLOURS) >= 6
    assert len(set(SEAT_SHAPES)) == len(SEAT_SHAPES) == len(SEAT_COLOURS)
    assert theme.seat_colour(-1) == theme.NOBODY
