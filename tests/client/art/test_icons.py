"""The atlas of icons and the fonts, as they lie beside the client."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import client.art
from client.art.fonts import font_file
from client.art.icons import ATLAS, CELL, COLUMNS, icon
from protocol.scene.looks import GLYPHS, ICONS

ART = Path(client.art.__file__).parent
MOST_BYTES = 3_000_000


def test_the_atlas_has_a_cell_for_each_icon_and_none_is_empty() -> None:
    count = sum(len(names) for names in ICONS.values())
    with Image.open(ART / ATLAS) as atlas:
        assert atlas.size == (COLUMNS * CELL, -(-count // COLUMNS) * CELL)
    for names in ICONS.values():
        for name in names:
            mask = icon(name, CELL)
            assert mask is not None
            assert mask.getextrema() == (0, 255), name


def test_each_word_for_an_icon_shows_it_and_an_unknown_one_shows_none() -> None:
    assert icon("soldier", 40) == icon("brodie-helmet", 40)
    assert all(icon(word, 12) for word in GLYPHS)
    assert icon("elf", 40) is icon("", 40) is None


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("bold", [False, True])
def test_each_cut_of_the_fonts_is_there(*, bold: bool, narrow: bool) -> None:
    assert font_file(bold=bold, narrow=narrow).is_file()


def test_licences_lie_beside_pictures_and_fonts_and_all_is_small() -> None:
    assert "Lorc, Delapouite and contributors, CC BY 3.0" in (ART / "game-icons.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in (ART / "OFL.txt").read_text("utf-8")
    assert sum(path.stat().st_size for path in ART.iterdir() if path.is_file()) < MOST_BYTES
