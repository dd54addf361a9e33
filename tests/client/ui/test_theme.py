"""Themes and palettes: contrast of words, tokens, rings and edges; seats that are told apart by everybody."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest

from client.draw.board.patterns import pattern
from client.ui import theme
from client.ui.theme import SEAT_SHAPES, Colour
from tests.support.clients.colour_distance import DEFICIENCIES, as_seen, ciede2000

TEXTS = ("TEXT", "MUTED", "GOOD", "BAD", "WARN", "HINT", "PARTLY", "OTHERS")
SURFACES = ("BACK", "PANEL", "RAISED", "HOVER", "FIELD", "VEIL")
MARKS = ("SELECT", "CAN_PICK", "CANNOT_PICK", "TARGET", "LESSON", "MARK_GOOD", "MARK_BAD", "MARK_WARN")
GROUNDS = (*theme.GROUNDS.values(), *(tone for tones in theme.TERRAIN.values() for tone in tones))
FAR, FAR_ENOUGH = 15, 8
"""Least distances by CIEDE2000 of two seats' colours, and of them as the colour-blind see them."""
SIDE = (48, 48)


@pytest.fixture(params=theme.THEMES, autouse=True)
def _theme(request: pytest.FixtureRequest) -> Iterator[None]:
    """Choose each theme in turn."""
    theme.choose(request.param, "")
    yield
    theme.choose("", "")


@pytest.fixture(params=theme.PALETTES)
def palette(request: pytest.FixtureRequest) -> tuple[Colour, ...]:
    """Choose each palette in turn."""
    theme.choose(theme.THEME, request.param)
    return theme.SEAT_COLOURS


def test_contrast_is_that_of_wcag() -> None:
    black, white, grey = (0, 0, 0, 255), (255, 255, 255, 255), (118, 118, 118, 255)
    assert round(theme.contrast(black, white), 2) == round(theme.contrast(white, black), 2) == 21
    assert round(theme.contrast(grey, white), 2) == 4.54


def test_each_theme_has_every_colour_and_no_other() -> None:
    told = tomllib.loads(Path("client/ui/themes.toml").read_text("utf-8"))
    assert tuple(told) == theme.THEMES
    themed = {name.lower() for name, kind in theme.__annotations__.items() if kind == "Colour"}
    assert [set(tones) ^ themed for tones in told.values()] == [set()] * len(told)


def test_an_unknown_theme_or_palette_is_the_first() -> None:
    theme.choose("of another version", "of another version")
    assert (theme.THEMES[0], theme.PALETTES[0]) == (theme.THEME, theme.PALETTE)


def test_themes_differ_and_the_strongest_has_the_most_contrast() -> None:
    strengths = {}
    for name in theme.THEMES:
        theme.choose(name, "")
        strengths[name] = theme.contrast(theme.TEXT, theme.PANEL), theme.contrast(theme.PANEL_EDGE, theme.PANEL)
    assert strengths["contrast"] > max(strengths["dark"], strengths["light"])
    assert strengths["contrast"][1] >= 3


@pytest.mark.parametrize("surface", SURFACES)
def test_text_is_read_on_every_surface(surface: str) -> None:
    found = {name: theme.contrast(getattr(theme, name), getattr(theme, surface)) for name in TEXTS}
    assert {name: value for name, value in found.items() if value < 4.5} == {}


def test_text_is_read_where_it_is_faint_on_buttons_on_cards_and_on_plates() -> None:
    pairs = [(theme.FAINT, back) for back in (theme.BACK, theme.PANEL, theme.FIELD)]
    pairs += [(theme.TEXT, back) for back in (theme.ACCENT, theme.ACCENT_HOVER)]
    pairs += [(theme.INK, paper) for paper in (theme.PAPER, *theme.CARD_STATES.values())]
    pairs += [(theme.SUIT_RED, theme.CARD_STATES[state]) for state in ("waiting", "current")]
    pairs += [(getattr(theme, words), theme.PLATE) for words in ("PLATE_TEXT", "TARGET", "SELECT", "MARK_BAD")]
    assert [pair for pair in pairs if theme.contrast(*pair) < 4.5] == []


@pytest.mark.parametrize("edge", ["CHOSEN", "FOCUS"])
def test_what_is_chosen_has_an_edge_that_is_seen(edge: str) -> None:
    surfaces = (theme.BACK, theme.PANEL, theme.RAISED, theme.FIELD)
    assert [back for back in surfaces if theme.contrast(getattr(theme, edge), back) < 3] == []


@pytest.mark.parametrize("ground", GROUNDS)
def test_tokens_rings_and_edges_stand_off_from_every_ground(ground: Colour) -> None:
    """A token by its dark rim or its pale ring, a ring or edge by its colour or its casing."""
    assert max(theme.contrast(theme.INK, ground), theme.contrast(theme.PAPER, ground)) >= 3
    assert [
        mark
        for mark in MARKS
        if max(theme.contrast(getattr(theme, mark), ground), theme.contrast(theme.CASING, ground)) < 3
    ] == []


def test_a_silhouette_stands_off_from_its_seats_colour(palette: tuple[Colour, ...]) -> None:
    assert [tone for tone in palette if theme.contrast(theme.readable_on(tone), tone) < 4.5] == []


def test_a_seats_shape_stands_off_from_the_dark_disc_under_it(palette: tuple[Colour, ...]) -> None:
    assert [tone for tone in palette if theme.contrast(theme.INK, tone) < 3] == []


def test_seats_are_told_apart_by_everybody(palette: tuple[Colour, ...]) -> None:
    """Two colours are far apart in every sight, or the seats have other shapes and patterns."""
    near = set()
    for deficiency, far in (("", FAR), *product(DEFICIENCIES, [FAR_ENOUGH])):
        seen = [as_seen(colour, deficiency) for colour in palette]
        near |= {(a, b) for a, b in combinations(range(len(seen)), 2) if ciede2000(seen[a], seen[b]) < far}
    assert near == set()


def test_each_seat_has_a_shape_and_a_pattern_of_its_own(palette: tuple[Colour, ...]) -> None:
    patterns = {pattern(seat, SIDE).tobytes() for seat in range(len(palette))}
    assert len(patterns) == len(set(SEAT_SHAPES)) == len(palette) == len(set(palette)) >= 6
    assert theme.seat_colour(-1) == theme.NOBODY


@pytest.mark.parametrize("palette", theme.PALETTES[1:])
def test_a_palette_is_best_for_those_it_is_made_for(palette: str) -> None:
    def least(name: str, deficiencies: tuple[str, ...]) -> float:
        theme.choose("", name)
        return min(
            ciede2000(as_seen(a, deficiency), as_seen(b, deficiency))
            for a, b in combinations(theme.SEAT_COLOURS, 2)
            for deficiency in deficiencies
        )

    meant = ("tritanomaly",) if palette == "blue_yellow" else ("protanomaly", "deuteranomaly")
    assert least(palette, meant) == max(least(name, meant) for name in theme.PALETTES) >= 18
