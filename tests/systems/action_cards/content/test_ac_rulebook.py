"""Rulebook: it covers every rule that code names, and every choice; its numbers are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from client.model.rulebook import Rulebook
from engine.rulesets.action_cards.rules.board import followers
from engine.rulesets.action_cards.rules.shooting import blast
from engine.rulesets.action_cards.rules.vehicles import transports
from engine.rulesets.action_cards.state import model
from engine.rulesets.action_cards.text import texts
from engine.rulesets.action_cards.text.texts import BOOK as TEXT
from tests.support.systems.rulebooks import told

WORDS = 2300
"""A coffee's worth."""
ROOT = Path(__file__).resolve().parents[4]
BOOK = Rulebook(texts.ENGLISH, "action_cards")


def test_it_is_whole_in_the_catalogue_and_short() -> None:
    assert [section.id for section in BOOK.sections] == [section.id for section in TEXT.sections]
    assert [list(s.paragraphs) for s in BOOK.sections] == [[p.words for p in s.paragraphs] for s in TEXT.sections]
    assert len(told(BOOK).split()) < WORDS


def test_every_rule_that_code_names_has_its_paragraph() -> None:
    folder = ROOT / "engine" / "rulesets" / "action_cards"
    code = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    rules = set(re.findall(r"\"(AC-[A-Z]+-\d\d)\"", code))
    assert len(rules) > 25
    assert {rule for rule in rules if BOOK.of_rule(rule) is None} == set()
    assert BOOK.of_rule("AC-OPEN-01") == ("events", 1)


def test_every_choice_has_its_paragraph() -> None:
    choices = {key.split(".")[1] for key in texts.ENGLISH if re.fullmatch(r"choice\.[a-z_]+", key)}
    assert {choice for choice in choices if BOOK.of_choice(choice) is None} == set()
    assert BOOK.of_choice("special/dig_in") == ("special", 1)


def test_rules_and_choices_lead_to_paragraphs_that_exist() -> None:
    links = {key: place for key, place in texts.ENGLISH.items() if re.match(r"book\.action_cards\.(rule|choice)/", key)}
    assert len(links) > 30
    for key, place in links.items():
        assert f"book.action_cards.{place}" in texts.ENGLISH, key


def test_its_numbers_are_those_of_the_code() -> None:
    cards = model.CardMix()
    assert (cards.single, cards.double, cards.triple) == (5, 3, 1)
    assert "five Singles, three Doubles and a Triple" in told(BOOK)
    assert blast.RADIUS * 2 == 600
    assert "6 inches across" in told(BOOK)
    assert (followers.SPREAD, followers.WIDE_SPREAD, followers.MOST_AT_SPREAD) == (200, 300, 8)
    assert "within 2 inches (3 for groups" in told(BOOK)
    assert transports.WORST == 2
    assert "on 1 or 2 he does not make it" in told(BOOK)
