"""The program's icon."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from client.app.icon import FORMATS, WINDOW_SIZES, draw_icon, save_icons, window_icons
from client.ui import theme


def colour_at(icon: Image.Image, place: int) -> tuple[int, ...]:
    """Return the colour of the pixel so far from the left and from above."""
    colour = icon.getpixel((place, place))
    assert isinstance(colour, tuple)
    return tuple(round(part) for part in colour)


@pytest.mark.parametrize("size", WINDOW_SIZES)
def test_the_icon_has_clear_corners_and_a_die_in_the_middle(size: int) -> None:
    icon = draw_icon(size)
    assert icon.size == (size, size)
    assert colour_at(icon, 0)[3] < 32
    die = colour_at(icon, size // 2)
    assert max(abs(seen - meant) for seen, meant in zip(die, theme.PAPER, strict=True)) < 8


def test_a_window_has_it_in_all_sizes() -> None:
    assert [(icon.width, icon.height) for icon in window_icons()] == [(size, size) for size in WINDOW_SIZES]


def test_each_system_has_a_file_of_it(tmp_path: Path) -> None:
    save_icons(tmp_path)
    for suffix in FORMATS:
        with Image.open(tmp_path / f"eschaton.{suffix}") as picture:
            assert picture.format == suffix.upper()
            assert min(picture.size) >= 256
