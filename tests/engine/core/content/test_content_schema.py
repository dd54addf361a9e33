"""Schema parts that all rule systems share: ids, words, lengths, entries that name rules."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from engine.core.content.content_schema import MOST_LENGTH, Entry, Id, Inches, Key, Place, Words, paragraphs


class Unit(Entry):
    id: Id
    size: int = 1


@pytest.mark.parametrize("id", ["a", "war_band_2", "a" * 40])
def test_ids_are_small_words(id: str) -> None:
    assert Unit(id=id).id == id


@pytest.mark.parametrize("id", ["", "A", "2a", "_a", "war-band", "war band", "a" * 41, "a\n"])
def test_other_ids_are_refused(id: str) -> None:
    with pytest.raises(ValidationError, match="pattern"):
        Unit(id=id)


@given(st.integers(-MOST_LENGTH * 100, MOST_LENGTH * 100))
def test_a_length_with_two_decimals_is_a_whole_number_of_hundredths(length: int) -> None:
    assert TypeAdapter(Inches).validate_python(Decimal(length) / 100) == length


@pytest.mark.parametrize("inches", [Decimal("0.125"), Decimal("300.01"), Decimal("-300.01"), 301, -301])
def test_a_length_is_neither_finer_nor_longer(inches: int | Decimal) -> None:
    with pytest.raises(ValidationError, match="more than"):
        TypeAdapter(Inches).validate_python(inches)


@pytest.mark.parametrize("place", [[], [1], [1, 2, 3]])
def test_a_place_is_two_lengths_in_hundredths(place: list[int]) -> None:
    assert TypeAdapter(Place).validate_python([1, Decimal("2.5")]) == (100, 250)
    with pytest.raises(ValidationError):
        TypeAdapter(Place).validate_python(place)


@pytest.mark.parametrize("words", ["two  spaces", " first", "last ", "a\nb", "a\u200bb", "a\u202eb"])
def test_words_are_such_that_can_be_shown_in_a_line(words: str) -> None:
    for kind in (Key, Words):
        with pytest.raises(ValidationError, match="cannot be shown"):
            TypeAdapter(kind).validate_python(words)


def test_a_key_has_one_to_80_characters_and_words_up_to_400() -> None:
    assert TypeAdapter(Key).validate_python("k" * 80) == "k" * 80
    assert TypeAdapter(Words).validate_python("") == ""
    for kind, words in ((Key, ""), (Key, "k" * 81), (Words, "w" * 401)):
        with pytest.raises(ValidationError):
            TypeAdapter(kind).validate_python(words)


@pytest.mark.parametrize("values", [{"sise": 2}, {"size": "2"}, {"rule": 1}, {"rules": ["a", "b", "c", "d"]}], ids=str)
def test_an_entry_is_strict_and_knows_all_its_keys(values: dict[str, object]) -> None:
    assert Unit.model_validate({"id": "a", "size": 2, "rule": "XX-01", "rules": ["a", "b", "c"]}).size == 2
    with pytest.raises(ValidationError):
        Unit.model_validate({"id": "a", **values})


def test_an_entry_stays_as_it_was_read() -> None:
    unit = Unit(id="a")
    with pytest.raises(ValidationError, match="frozen"):
        unit.size = 3


def test_paragraphs_are_parted_by_empty_lines() -> None:
    assert paragraphs("\nOne\nline.\n\n\n  Another   one. \n") == ("One line.", "Another one.")
    assert paragraphs(" \n\n ") == ()
