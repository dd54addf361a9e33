"""Names of glyphs and grounds: the client draws each ground in its own way."""

from __future__ import annotations

import re

from client.ui import theme
from protocol.scene.looks import GLYPHS, GROUNDS, ICONS

ALL_ICONS = [name for names in ICONS.values() for name in names]


def test_every_ground_has_its_colour_and_no_other_has() -> None:
    assert GROUNDS.keys() == theme.GROUNDS.keys()


def test_names_are_in_order_and_each_ground_says_what_it_is() -> None:
    for names in (*ICONS.values(), list(GROUNDS)):
        assert list(names) == sorted(names)
    assert all(re.fullmatch(r"[a-z_]{1,24}", name) and words for name, words in GROUNDS.items())


def test_every_icon_is_listed_once_and_is_a_glyph_by_its_own_name() -> None:
    assert len(set(ALL_ICONS)) == len(ALL_ICONS) >= 300
    assert all(GLYPHS[name] == name and re.fullmatch(r"[a-z0-9-]{1,28}", name) for name in ALL_ICONS)


def test_every_other_word_is_for_an_icon_of_the_list() -> None:
    words = {word: name for word, name in GLYPHS.items() if word != name}
    assert words
    assert set(words.values()) <= set(ALL_ICONS)
