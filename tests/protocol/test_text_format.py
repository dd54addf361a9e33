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


def test_forms_by_name_are_chosen_by_the_plural_rule_of_the_language() -> None:
    entries = {
        "n": "{n|one=jedna {n}|few={n} figury|other={n} figur}, {who}",
        "short": "{n|one=a|other=b}",
        "old": "{n|one|many}",
        "no_other": "{n|one=a|few=b}",
        "three": "{n|a|b|c}",
    }

    def rule(number: int) -> str:
        return "one" if number == 1 else "few" if number < 5 else "many"

    said = [format_text(text("n", n=n, who="x"), entries, rule) for n in (1, 3, 7)]
    assert said == ["jedna 1, x", "3 figury, x", "7 figur, x"]
    assert [format_text(text("n", n=n, who="x"), entries) for n in (1, 3)] == ["jedna 1, x", "3 figur, x"]
    assert [format_text(text("short", n=n), entries, rule) for n in (1, 3, "word", "9" * 40)] == ["a", "b", "b", "b"]
    assert [format_text(text("old", n=n), entries, rule) for n in (1, 3)] == ["one", "many"]
    assert [format_text(text("no_other", n=n), entries, rule) for n in (1, 3)] == ["one=a", "few=b"]
    assert format_text(text("three", n=1), entries, rule) == "{n|a|b|c}"


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


@given(st.text(alphabet="{}|nx1 =oter", max_size=60), st.integers(0, 2) | st.text(max_size=3))
def test_any_entry_can_be_formatted(entry: str, n: int | str) -> None:
    assert isinstance(format_text(Text("k", {"n": n}), {"k": entry}), str)
