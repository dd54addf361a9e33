"""Reasons against the objects of a choice: counted, the commonest first, in words that fit one line."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.view import de
from engine.core.view.barred_reasons import why_none
from engine.core.view.texts import ENGLISH
from protocol.scene.fields import Barred
from protocol.text import Text, text
from protocol.text_format import format_text
from protocol.words import words_of

OWN = {
    "far": "It is out of range.",
    "hidden": "Nobody sees it.",
    "blocked": "{blocker} is in the way.",
    "fight": "It fights.",
    "held": "It is held.",
}
HILL, WOOD = (text("blocked", blocker=name) for name in ("A hill", "A wood"))


def barred(*reasons: Text) -> list[Barred]:
    return [Barred(f"group/{number}", why.k, why) for number, why in enumerate(reasons)]


def said(found: Sequence[Barred], entries: dict[str, str] | None = None) -> str:
    return format_text(why_none(found), {**(entries or ENGLISH), **OWN})


@pytest.mark.parametrize(
    ("reasons", "words"),
    [
        ([text("far")], "It is out of range."),
        ([text("far")] * 8, "All 8: It is out of range."),
        ([HILL, HILL, WOOD], "All 3, such as: A hill is in the way."),
        ([text("hidden"), *[text("far")] * 6, text("hidden")], "6 of 8: It is out of range. 2: Nobody sees it."),
        ([HILL, text("far"), WOOD], "2 of 3, such as: A hill is in the way. 1: It is out of range."),
        (
            [*map(text, ("far", "far", "hidden", "fight", "held")), HILL],
            "2 of 6: It is out of range. 1: Nobody sees it. 1: It fights. 2 others: point there to see why.",
        ),
    ],
    ids=["one object", "one reason", "one in two wordings", "two reasons", "wordings and another", "too many to tell"],
)
def test_the_commonest_reasons_are_told_first_with_their_numbers(reasons: list[Text], words: str) -> None:
    assert said(barred(*reasons)) == words


def test_a_choice_without_any_object_has_nothing_to_choose() -> None:
    assert why_none(()) == text("survey.nothing")


def test_it_is_told_in_german() -> None:
    found = barred(*[text("far")] * 2, text("hidden"))
    assert said(found, dict(words_of(de.__name__, "core"))) == "2 von 3: It is out of range. 1: Nobody sees it."
