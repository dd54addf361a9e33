"""Every word of a game that the window shows has an explanation, of one or two sentences, with a way into the
rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from client.model.rulebook import Rulebook
from client.text.texts import Texts
from client.text.word_help import help_on, helps_in
from engine.kit.verbs import Verbs
from engine.rulesets.action_cards.rules.verbs import VERBS as CARD_VERBS
from engine.rulesets.action_cards.view import forces, scene as card_scene
from engine.rulesets.one_page.rules.flow import VERBS as PAGE_VERBS
from engine.rulesets.one_page.view import scene as page_scene
from protocol.text import Text, text
from server.content.systems import Installed
from tests.support.systems.installed import shipped_systems

SYSTEMS = ("action_cards", "one_page")
SENTENCES = 3
OF_LINES = re.compile(
    r"(op\.)?(dice|counter|pile|card|trait)\.[a-z_]+|op\.(rule|kind)\.[a-z_]+"
    r"|sheet\.(figure|weapon|blast|gun)|op\.sheet\.(numbers|weapon|melee|power)|faction\.(numbers|cards)"
)
"""Keys of the words in rows, counters, rolls and sheets."""


@cache
def installed() -> dict[str, Installed]:
    return shipped_systems()


def texts(system: str) -> Texts:
    return Texts([installed()[system].catalogue("en")])


def statuses(system: str) -> Iterator[str]:
    tables = (forces.GROUP, card_scene.GROUND) if system == "action_cards" else (page_scene.UNIT, page_scene.GROUND)
    yield from (f"status.{word}" for table in tables for word in table.words)


def shown(system: str) -> set[str]:
    """Return the keys of all words that scenes show beside names: states, ground, cover, counters, dice, rules."""
    words = texts(system).entries
    content: Any = installed()[system].content
    terrain = content.terrain
    covers = {kind.cover if isinstance(kind.cover, str) else "cover" for kind in terrain.values() if kind.cover}
    ground = {*(f"terrain.{kind}" for kind in terrain), *(f"cover.{cover}" for cover in covers)}
    return {*statuses(system), *ground, *(key for key in words if OF_LINES.fullmatch(key))}


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_word_that_is_shown_lacks_its_explanation(system: str) -> None:
    told = texts(system)
    assert len(shown(system)) > 30
    assert sorted(key for key in shown(system) if help_on(told, key) is None) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_explanation_is_short_explains_a_word_and_leads_into_the_rulebook(system: str) -> None:
    entries = texts(system).entries
    book = Rulebook(entries, system)
    for key in [key for key in entries if key.startswith("help.") and not key.endswith(".rule")]:
        words = entries[key]
        assert words.endswith("."), key
        assert len(re.findall(r"\.(?= |$)", words)) <= SENTENCES, key
        rule = entries.get(f"{key}.rule", "")
        assert book.of_rule(rule) is not None, f"{key}: the book tells nothing of {rule}"


@pytest.mark.parametrize(("system", "verbs"), [("action_cards", CARD_VERBS), ("one_page", PAGE_VERBS)])
def test_each_verb_says_what_it_means(system: str, verbs: Verbs[Any]) -> None:
    entries = texts(system).entries
    names = [key for key in entries if re.fullmatch(r"(op\.)?choice\.[a-z_]+", key)]
    assert len(names) > 8
    assert [key for key in names if key in verbs.english and f"{key}.hint" not in entries] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_numbers_of_the_thing_itself_stand_in_an_explanation(system: str) -> None:
    numbers = {"open": 6, "cover": 8, "building": 10}
    for key in texts(system).entries:
        if key.startswith("help.status.") and not key.endswith(".rule"):
            found = help_on(texts(system), key.removeprefix("help."), numbers)
            assert found is not None
            assert "{" not in found.words


def test_words_inside_a_line_are_explained_after_its_own() -> None:
    line = text(
        "op.sheet.weapon", weapon=text("op.weapon.1", weapon="Carbine", rule1=Text("op.rule.piercing")), count=5
    )
    assert [name for name, _ in helps_in(texts("one_page"), line)][1:] == ["Piercing"]
