"""Pictures of the documentation are small, and each is shown; whose seat something is can be told in them."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from client.ui import theme
from tools.pictures.camera import small

ROOT = Path(__file__).resolve().parents[2]
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.png"))
MOST_BYTES = 100_000
MOST_OF_ALL = 1_500_000
LIST_OF_ICONS = "icons.png"
NEAR = 4
"""Of 255 shades, in which an encoder rounds."""
SHOWN = re.compile(r"pictures/([\w-]+\.png)")


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_a_picture_is_small(picture: Path) -> None:
    assert picture.stat().st_size <= MOST_BYTES or picture.name == LIST_OF_ICONS


def test_all_together_are_small() -> None:
    assert sum(picture.stat().st_size for picture in PICTURES) <= MOST_OF_ALL


def test_each_picture_is_shown_by_a_page() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {name for page in pages for name in SHOWN.findall(page.read_text("utf-8"))}
    assert {picture.name for picture in PICTURES} == shown


def test_the_colours_of_seats_stay_as_they_are() -> None:
    picture = Image.effect_noise((120, 80), 90).convert("RGB")
    for place, colour in enumerate(theme.SEAT_COLOURS):
        picture.putpixel((place, 0), colour[:3])
    with Image.open(io.BytesIO(small(picture))) as found:
        kept = found.convert("RGB")
    for place, colour in enumerate(theme.SEAT_COLOURS):
        seen = kept.getpixel((place, 0))
        assert isinstance(seen, tuple)
        assert all(abs(part - whole) <= NEAR for part, whole in zip(seen, colour[:3], strict=True)), place
