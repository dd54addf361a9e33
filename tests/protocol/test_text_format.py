"""Texts are put into words, whatever keys, arguments and entries are sent."""

from __future__ import annotations

from hypothesis import given, strategies as st

from protocol.text import Text, text
from protocol.text_format import LONGEST, blanks_in, format_text

ENTRIES = {
    "lost": "{group} lost {n|one figure|{n} figures}.",
    "group": "the {what}",
    "odd": "{ {n|one} {} {n|a|b|c} }",
}


def test_arguments_and_plurals() -> None:
    group = text("group", what="riflemen")
    assert format_text(text("lost", group=group, n=1), ENTRIES) == "the riflemen lost one figure."
    assert format_text(text("lost", group=group, n=3), ENTRIES) == "the riflemen lost 3 figures."


def test_what_is_missing_stays_visible() -> None:
    assert format_text(text("no.such", n=1), ENTRIES) == "no.such"
    assert format_text(text("lost", n=2), ENTRIES) == "{group} lost 2 figures."
    assert format_text(text("odd", n=1), ENTRIES) == ENTRIES["odd"]


def test_blanks_of_an_entry() -> None:
    assert blanks_in(text("lost"), ENTRIES) == {"group", "n"}
    assert blanks_in(text("no.such"), ENTRIES) == set()


def test_a_name_that_ends_in_a_full_stop_ends_its_sentence() -> None:
    entries = {"hit": "{who} hit {whom}.", "hm": "{whom} hm..."}
    assert format_text(text("hit", who="U.N.I.T.", whom="U.N.I.T."), entries) == "U.N.I.T. hit U.N.I.T."
    assert format_text(text("hit", who="They", whom="you"), entries) == "They hit you."
    assert format_text(text("hm", whom="U.N.I.T."), entries) == "U.N.I.T. hm..."


def test_an_argument_is_not_read_as_an_entry() -> None:
    assert format_text(text("group", what="{what} {n|a|b}"), ENTRIES) == "the {what} {n|a|b}"


def test_hostile_texts_stay_short() -> None:
    bomb = text("bomb", x="x" * 10_000)
    for _ in range(50):
        bomb = text("bomb", x=bomb)
    assert len(format_text(bomb, {"bomb": "{x}" * 10_000})) <= LONGEST
    assert len(format_text(bomb, {})) <= LONGEST


@given(st.text(alphabet="{}|nx1 ", max_size=60), st.integers(0, 2) | st.text(max_size=3))
def test_any_entry_can_be_formatted(entry: str, n: int | str) -> None:
    assert isinstance(format_text(Text("k", {"n": n}), {"k": entry}), str)
