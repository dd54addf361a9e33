"""The pages about the rooms name files and folders that are there, and names that are in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("rooms.md", "intent.md", "verb.md")
CODE = re.compile(r"`([^`\n]+)`")
SYSTEM = ROOT / "engine" / "rulesets" / "action_cards"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    named = [name for name in CODE.findall(text) if re.fullmatch(r"[\w./]+\.(py|md)", name)]
    assert named
    places = (ROOT, ROOT / "docs", SYSTEM, ROOT / "server")
    assert [name for name in named if not any((place / name).is_file() for place in places)] == []


@pytest.mark.parametrize("page", ["intent.md", "verb.md"])
def test_every_name_that_stands_before_its_file_is_defined_there(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8").replace("\n", " ")
    found = re.findall(r"`(\w+)(?:\.(\w+))?`\s+\(`([\w./]+\.py)`\)", text)
    assert found
    for name, method, place in found:
        source = next(root / place for root in (ROOT, SYSTEM) if (root / place).is_file()).read_text("utf-8")
        for word in filter(None, (name, method)):
            assert re.search(rf"\b(class|def) {word}\b", source) or (method and word == name), (word, place)
