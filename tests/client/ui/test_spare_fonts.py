"""Letters that a cut lacks are set, and measured, in another font."""

from __future__ import annotations

import pytest

from client.art.fonts import FAMILY
from client.ui import measure, theme
from client.ui.lettering import Key, Lettering
from client.ui.spare_fonts import spare_font
from tests.support.clients.windows.readable_app import ReadableApp

WHITE = (255, 255, 255, 255)


def test_letters_of_the_cut_itself_need_no_other_font() -> None:
    assert all(spare_font(letter, bold=False, narrow=True) is None for letter in "aÄé″·…→")


def test_the_condensed_cut_borrows_of_the_wide_one() -> None:
    for letter in "Жω":
        assert spare_font(letter, bold=False, narrow=False) is None
        spare = spare_font(letter, bold=True, narrow=True)
        assert spare is not None
        assert (spare.family, spare.file.name) == (FAMILY, "IBMPlexSans-Bold.ttf")


def test_what_the_family_lacks_comes_from_the_system() -> None:
    spare = spare_font("▶", bold=False, narrow=False)
    assert spare is not None
    assert spare.family != FAMILY
    assert spare.file.is_file()


def test_a_line_is_as_wide_as_its_parts_each_in_its_font() -> None:
    whole, parts = measure.width("to ▶ там", 15), ("to ", "▶", " там")
    assert abs(whole - sum(measure.width(part, 15) for part in parts)) < 1
    assert measure.width("▶", 30) > measure.width("▶", 15) > 5


def test_the_window_draws_a_letter_of_another_font(app: ReadableApp) -> None:
    letters = Lettering()
    letters.put(Key("▶", 30, False, True, WHITE, "left"), 40, 40)
    letters.put(Key("\U0010fffd", 30, False, True, WHITE, "left"), 40, 80)
    letters.draw()
    drawn, lacking = (letters.current[key][0] for key in letters.current)
    assert drawn.content_width > 10
    assert drawn.content_width != lacking.content_width


@pytest.mark.parametrize("size", theme.SIZES)
@pytest.mark.parametrize("bold", [False, True])
def test_a_line_is_measured_as_wide_as_the_window_sets_it(app: ReadableApp, size: int, *, bold: bool) -> None:
    letters, is_narrow = Lettering(), size == theme.SMALL
    words = ("Von Tischen entfernen", "Fen Levy 5 shot U.N.I.T. 6: 31 damage, 4 killed", "To ▶ AVATAR")
    for number, line in enumerate(words):
        letters.put(Key(line, size, bold, is_narrow, WHITE, "left"), 40, 40 * number)
    letters.draw()
    for key, (label,) in letters.current.items():
        assert abs(label.content_width - measure.width(key.text, size, bold=bold, narrow=is_narrow)) <= 2, key.text
