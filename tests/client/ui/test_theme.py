"""Theme: colours and shapes of seats."""

from __future__ import annotations

import pytest

from client.ui import theme
from client.ui.theme import SEAT_COLOURS, SEAT_SHAPES


def test_every_palette_colour_has_its_own_shape() -> None:
    assert len(set(SEAT_COLOURS)) == len(SEAT_COLOURS) >= 6
    assert len(set(SEAT_SHAPES)) == len(SEAT_SHAPES) == len(SEAT_COLOURS)
    assert theme.seat_colour(-1) == theme.NOBODY


TEXTS = ("TEXT", "MUTED", "GOOD", "BAD", "WARN", "PARTLY", "OTHERS")
SURFACES = ("BACK", "PANEL", "RAISED", "HOVER", "FIELD", "VEIL")
RINGS = (theme.SELECT, theme.CAN_PICK, theme.CANNOT_PICK, theme.WARN, theme.TARGET, theme.LESSON)
GROUNDS = (*theme.GROUNDS.values(), *(tone for tones in theme.TERRAIN.values() for tone in tones))


def test_contrast_is_that_of_wcag() -> None:
    black, white, grey = (0, 0, 0, 255), (255, 255, 255, 255), (118, 118, 118, 255)
    assert round(theme.contrast(black, white), 2) == round(theme.contrast(white, black), 2) == 21
    assert round(theme.contrast(grey, white), 2) == 4.54


@pytest.mark.parametrize("surface", SURFACES)
def test_text_is_read_on_every_surface(surface: str) -> None:
    found = {name: theme.contrast(getattr(theme, name), getattr(theme, surface)) for name in TEXTS}
    assert {name: value for name, value in found.items() if value < 4.5} == {}


def test_text_is_read_where_it_is_faint_on_buttons_and_on_cards() -> None:
    pairs = [(theme.FAINT, back) for back in (theme.BACK, theme.PANEL, theme.FIELD)]
    pairs += [(theme.TEXT, back) for back in (theme.ACCENT, theme.ACCENT_HOVER)]
    pairs += [(theme.INK, paper) for paper in (theme.PAPER, theme.CARD_STATES["waiting"], theme.CARD_STATES["current"])]
    assert [pair for pair in pairs if theme.contrast(*pair) < 4.5] == []


@pytest.mark.parametrize("ground", GROUNDS)
def test_tokens_rings_and_edges_stand_off_from_every_ground(ground: theme.Colour) -> None:
    """A token by its dark rim or its pale ring, a ring or edge by its colour or its casing."""
    assert max(theme.contrast(theme.INK, ground), theme.contrast(theme.PAPER, ground)) >= 3
    assert [ring for ring in RINGS if max(theme.contrast(ring, ground), theme.contrast(theme.CASING, ground)) < 3] == []


@pytest.mark.parametrize("colour", SEAT_COLOURS)
def test_a_silhouette_stands_off_from_its_seats_colour(colour: theme.Colour) -> None:
    assert theme.contrast(theme.readable_on(colour), colour) >= 4.5
