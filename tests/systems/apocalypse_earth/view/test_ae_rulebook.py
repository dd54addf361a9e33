"""The rulebook: it tells every rule that code or data name, and every choice; every word that is shown is explained."""

from __future__ import annotations

import re
from pathlib import Path

from client.model.rulebook import Rulebook
from client.text.texts import Texts
from client.text.word_help import help_on
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.moves import overwatch
from engine.rulesets.apocalypse_earth.rules.table import stands, zones
from engine.rulesets.apocalypse_earth.system import CATALOGUE
from engine.rulesets.apocalypse_earth.text import texts
from engine.rulesets.apocalypse_earth.text.texts import BOOK as TEXT, ENGLISH
from engine.rulesets.apocalypse_earth.view import scene
from tests.support.systems import ae_shipped
from tests.support.systems.rulebooks import rules_named, told

BOOK = Rulebook(CATALOGUE, "apocalypse_earth")
FOLDER = Path(texts.__file__).parents[1]
WORDS = 1900
OF_LINES = re.compile(
    r"ae\.(class|experience)\.[a-z_]+|ae\.sheet\.(trait\.)?[a-z_]+(\.hit)?|ae\.(counter|pile)\.[a-z_]+|ae\.objective.*"
    r"|ae\.dice\.[a-z_]+"
)
SENTENCES = 3


def test_it_is_whole_in_the_catalogue_and_short() -> None:
    assert [list(s.paragraphs) for s in BOOK.sections] == [[p.words for p in s.paragraphs] for s in TEXT.sections]
    assert len(told(BOOK).split()) < WORDS


def test_every_rule_that_code_or_data_name_has_its_paragraph() -> None:
    rules = rules_named(FOLDER, "AE")
    assert len(rules) > 80
    assert {rule for rule in rules if BOOK.of_rule(rule) is None} == set()


def test_every_choice_has_its_paragraph() -> None:
    words = {**VERBS.english, **overwatch.ANSWERS.english}
    choices = {key.split(".")[2] for key in words if re.fullmatch(r"ae\.choice\.[a-z_]+", key)}
    assert len(choices) > 20
    assert {choice for choice in choices if BOOK.of_choice(choice) is None} == set()
    assert all(BOOK.of_choice(key.partition("choice/")[2]) for key in ENGLISH if "choice/" in key)


def test_its_numbers_are_those_of_the_code() -> None:
    assert (zones.DEPTH, zones.ENDS) == (1200, 2400)
    assert "12 cm deep along your edge, 24 cm short of the corners" in told(BOOK)
    assert stands.LINK == 600
    assert "gaps of 6 cm at most" in told(BOOK)


def test_no_word_that_is_shown_lacks_its_explanation() -> None:
    content, words = ae_shipped.content(), Texts()
    words.learn(CATALOGUE)
    statuses = {f"status.{word}" for table in (scene.UNIT, scene.GROUND) for word in table.words}
    statuses |= {key for key in CATALOGUE if key.startswith("status.")}
    terrain = {f"terrain.{kind}" for kind in content.terrain}
    lines = {key for key in CATALOGUE if OF_LINES.fullmatch(key)}
    shown = {*statuses, *terrain, *lines, "cover.soft", "cover.hard"}
    assert len(shown) > 80
    assert sorted(key for key in shown if help_on(words, key) is None) == []


def test_each_explanation_is_short_and_leads_into_the_rulebook() -> None:
    for key in [key for key in CATALOGUE if key.startswith("help.") and not key.endswith(".rule")]:
        words = CATALOGUE[key]
        assert words.endswith("."), key
        assert len(re.findall(r"\.(?= |$)", words)) <= SENTENCES, key
        rule = CATALOGUE.get(f"{key}.rule", "")
        assert BOOK.of_rule(rule) is not None, f"{key}: the book tells nothing of {rule}"
