"""Names: readable, short, unique."""

import string
import unicodedata

import pytest
from hypothesis import given, strategies as st

from protocol.text_cleaning import FORBIDDEN, INVISIBLE, MARKS, MOST_MARKS, clean_line
from server.accounts.display_names import can_be_kept, clean_name, look_key, name_key, person_name, unique_name


@given(st.text())
def test_a_clean_name_is_short_and_has_nothing_unprintable(text: str) -> None:
    name = clean_name(text, 24, "Guest")
    assert 1 <= len(name) <= 24
    assert name == name.strip()
    assert not {unicodedata.category(c) for c in name} & FORBIDDEN
    assert not set(name) & INVISIBLE
    assert unicodedata.category(name[0]) not in MARKS
    assert clean_name(name, 24, "Guest") == name


@given(st.text(st.sampled_from("ae\u0301\u0302\u0323\u00e9\u1ed9 \u200d\u3164"), max_size=40))
def test_no_letter_of_a_line_has_more_than_three_marks(text: str) -> None:
    marks = 0
    for c in unicodedata.normalize("NFD", clean_line(text)):
        marks = marks + 1 if unicodedata.category(c) in MARKS else 0
        assert marks <= MOST_MARKS


@pytest.mark.parametrize("invisible", [*sorted(INVISIBLE - set(map(chr, range(0xE0100, 0xE01F0)))), "\u200b", "\u00ad"])
def test_what_is_drawn_as_nothing_makes_no_name(invisible: str) -> None:
    assert person_name(invisible * 3, 24) == "Guest"
    assert person_name(f"Ad{invisible}min", 24) == "Guest"
    assert person_name(f"An{invisible}n{invisible}", 24) == "Ann"


@pytest.mark.parametrize(
    "name", ["\u0430dmin", "adm\u0131n", "ADM1N", "rnoderator", "Serv\u0435r", "r\u043e\u03bft", "R00T"]
)
def test_nobody_looks_like_the_server(name: str) -> None:
    assert person_name(name, 24) == "Guest"


@pytest.mark.parametrize(
    "name",
    [
        "Jos\u00e9",
        "Zo\u00eb K\u00e4the",
        "\u7530\u4e2d",
        "\u0395\u03bb\u03ad\u03bd\u03b7",
        "Col\u00b7legi",
        "\ud55c\uae00",
        "\u0928\u092e\u0938\u094d\u0924\u0947",
        "O'Neil-Smith 2",
        "\U0001f3b2 Bob",
    ],
)
def test_names_of_all_alphabets_stay_as_they_are(name: str) -> None:
    assert person_name(name, 24) == name


def test_plain_letters_look_the_same_only_where_a_capital_or_a_digit_does() -> None:
    groups: dict[str, str] = {}
    for c in string.ascii_lowercase + string.digits:
        groups[look_key(c)] = groups.get(look_key(c), "") + c
    assert sorted(group for group in groups.values() if len(group) > 1) == ["il1", "o0"]


def test_names_that_look_the_same_are_told_apart_at_a_table_and_no_guest_can_keep_what_looks_like_one() -> None:
    assert unique_name("\u0410nn", ["Ann"], 24) == "\u0410nn 2"
    assert unique_name("Ben", ["Ann"], 24) == "Ben"
    assert name_key("\u0410nn") != name_key("Ann")
    assert not can_be_kept("Gu\u0435st")
    assert not can_be_kept("Ann (gu\u0435st)")
    assert can_be_kept("Ann")


def test_lines_are_normalised_and_single_spaced() -> None:
    assert clean_line("  \uff21nn\t\u202ex\u200b \n y\x1b[0m ") == "Ann x y[0m"
    assert clean_name("\u202e", 24, "Guest") == "Guest"


def test_names_are_told_apart_whatever_the_case() -> None:
    assert unique_name("Ann", ["Ben"], 24) == "Ann"
    assert unique_name("Ann", ["ann", "Ann 2"], 24) == "Ann 3"
    assert unique_name("x" * 24, ["x" * 24], 24) == "x" * 22 + " 2"
