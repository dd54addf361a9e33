"""Names: readable, short, unique."""

import unicodedata

from hypothesis import given, strategies as st

from protocol.lines import FORBIDDEN, clean_line
from server.names import clean_name, unique_name


@given(st.text())
def test_a_clean_name_is_short_and_has_nothing_unprintable(text: str) -> None:
    name = clean_name(text, 24, "Guest")
    assert 1 <= len(name) <= 24 and name == name.strip()
    assert not {unicodedata.category(c) for c in name} & FORBIDDEN


def test_lines_are_normalised_and_single_spaced() -> None:
    assert clean_line("  \uff21nn\t\u202ex\u200b \n y\x1b[0m ") == "Ann x y[0m"
    assert clean_name("\u202e", 24, "Guest") == "Guest"


def test_names_are_told_apart_whatever_the_case() -> None:
    assert unique_name("Ann", ["Ben"], 24) == "Ann"
    assert unique_name("Ann", ["ann", "Ann 2"], 24) == "Ann 3"
    assert unique_name("x" * 24, ["x" * 24], 24) == "x" * 22 + " 2"
