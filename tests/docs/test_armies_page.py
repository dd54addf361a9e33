"""docs/armies.md: its examples are sound, and every key that a page or a list may have is on it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from engine.core.content.content_schema import Entry
from engine.kit.lists import list_texts
from engine.kit.values import entry_of
from engine.rulesets.one_page.content import army_schema
from engine.rulesets.one_page.content.army_lists import LISTS
from engine.rulesets.one_page.content.lists import ListEntry, totals
from engine.rulesets.one_page.state import profiles
from tests.support.systems.army_book import army_texts, book, read

PAGE: Final = (Path(__file__).parents[2] / "docs" / "armies.md").read_text("utf-8")
LIST, ARMY = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_list_on_the_page_can_be_played() -> None:
    brought = LISTS.read(book(), LIST)
    assert brought.faction == "sable_order"
    assert brought.points > 0


def test_the_army_on_the_page_is_sound_with_its_ready_list() -> None:
    mine = read({**army_texts(), "mine.toml": ARMY})
    listed = LISTS.sampled(mine, "drowned_post", 3000)
    assert listed is not None
    assert LISTS.faults(mine, listed) == []
    assert totals(mine.armies["drowned_post"], listed).points <= 3000


def test_every_key_is_on_the_page() -> None:
    for schema in (army_schema, list_texts):
        entries = [one for one in vars(schema).values() if isinstance(one, type) and issubclass(one, Entry)]
        entries += [entry_of(ListEntry), entry_of(profiles.Discipline)]
        keys = {"row"} | {field.alias or key for entry in entries for key, field in entry.model_fields.items()}
        written = set(re.findall(r"`\[?([a-z]+)\]?(?:\.[a-z]+)?`", PAGE)) | set(re.findall(r"`[a-z]+\.([a-z]+)`", PAGE))
        written |= set(re.findall(r"^\[+([a-z]+)", PAGE, re.MULTILINE)) | set(
            re.findall(r"^([a-z]+) =", PAGE, re.MULTILINE)
        )
        assert keys - {"rule", "rules"} - written == set()


def test_every_special_rule_is_on_the_page() -> None:
    names = {rule.replace("_", " ").title() for rule in profiles.UNIT_RULES | profiles.WEAPON_RULES}
    assert not [name for name in names if name not in PAGE]
