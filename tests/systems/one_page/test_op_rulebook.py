"""The rulebook: it tells every rule that code or data name, and every choice; its numbers are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from client.model.rulebook import Rulebook
from engine.rulesets.one_page.content.lists import MOST_HEROES, MOST_SPECIAL
from engine.rulesets.one_page.rules import formations, moving
from engine.rulesets.one_page.system import CATALOGUE
from engine.rulesets.one_page.text import texts
from engine.rulesets.one_page.text.texts import BOOK as TEXT, ENGLISH
from tests.support.systems.rulebooks import rules_named, told

BOOK = Rulebook(CATALOGUE, "one_page")
FOLDER = Path(texts.__file__).parents[1]
WORDS = 1100


def test_it_is_whole_in_the_catalogue_and_short() -> None:
    assert [list(s.paragraphs) for s in BOOK.sections] == [[p.words for p in s.paragraphs] for s in TEXT.sections]
    assert len(told(BOOK).split()) < WORDS


def test_every_rule_that_code_or_data_name_has_its_paragraph() -> None:
    rules = rules_named(FOLDER, "OP")
    assert len(rules) > 60
    assert {rule for rule in rules if BOOK.of_rule(rule) is None} == set()


def test_every_choice_has_its_paragraph() -> None:
    answers = {"stay", "pursue", "ahead", "back"}
    choices = {key.split(".")[2] for key in CATALOGUE if re.fullmatch(r"op\.choice\.[a-z_]+", key)} - answers
    assert len(choices) > 20
    assert {choice for choice in choices if BOOK.of_choice(choice) is None} == set()
    assert all(BOOK.of_choice(key.partition("choice/")[2]) for key in ENGLISH if "choice/" in key)


def test_its_numbers_are_those_of_the_code() -> None:
    assert (moving.REACH["walk"], moving.REACH["run"], moving.REACH["assault"]) == (600, 1200, 1200)
    assert "Walk: 6 inches" in told(BOOK)
    assert "Run: 12 inches" in told(BOOK)
    assert formations.SPREAD == 600
    assert "within 6 inches of him" in told(BOOK)
    assert (MOST_HEROES, MOST_SPECIAL) == (3, 8)
    assert "three Heroes at most, and eight" in told(BOOK)


def test_an_assault_has_no_other_word() -> None:
    assert [key for key, words in CATALOGUE.items() if re.search(r"\bcharg", words)] == []
