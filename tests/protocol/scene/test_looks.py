"""Names of glyphs and grounds: the client draws each ground in its own way."""

from __future__ import annotations

import re

from client.ui import theme
from protocol.scene.looks import GLYPHS, GROUNDS


def test_every_ground_has_its_colour_and_no_other_has() -> None:
    assert GROUNDS.keys() == theme.GROUNDS.keys()


def test_names_are_in_order_and_say_what_they_are() -> None:
    for looks in (GLYPHS, GROUNDS):
        assert list(looks) == sorted(looks)
        assert all(re.fullmatch(r"[a-z_]{1,24}", name) and words for name, words in looks.items())
