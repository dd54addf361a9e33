"""Shares of a catalogue in another language."""

from __future__ import annotations

import pytest

from engine.core.view.languages import is_words, share_of


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("ac.log.shot", True),
        ("help.status.pinned", True),
        ("help.status.pinned.rule", False),
        ("book.ac", False),
        ("book.ac.move", True),
        ("book.ac.move.picture", False),
        ("book.ac.rule/AC-MOVE-01", False),
    ],
)
def test_places_pictures_and_rules_are_no_words(key: str, expected: bool) -> None:
    assert is_words(key) is expected


def test_a_share_is_of_the_lines_that_people_read_rounded_down() -> None:
    english = {"a": "1", "b": "2", "c": "3", "help.a.rule": "AC-1"}
    assert share_of(english, {"a": "eins", "b": "zwei", "help.a.rule": "AC-1", "z": "unknown"}) == 66
    assert share_of(english, dict.fromkeys("abc", "")) == 100
    assert share_of({}, {}) == 0
