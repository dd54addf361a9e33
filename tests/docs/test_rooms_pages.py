"""The pages about the rooms name files and folders that are there, and names that are in them."""

import re
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ENGINE = ROOT / "engine"
TEMPLATE = ROOT / "server" / "cli" / "skeleton" / "skeleton"
ROOMS = (DOCS, ENGINE / "rulesets" / "action_cards", ROOT / "server")


def folders(place: Path) -> list[Path]:
    """Return the packages in a package, and itself."""
    return [place, *(file.parent for file in sorted(place.glob("*/__init__.py")))]


PLACES = {
    "rooms.md": ROOMS,
    "intent.md": ROOMS,
    "verb.md": ROOMS,
    "ruleset.md": (DOCS, *folders(ENGINE / "core"), TEMPLATE),
    "kit.md": (DOCS, ENGINE, *folders(ENGINE / "kit"), ENGINE / "core" / "view", ROOT / "tests" / "proving"),
}
"""Folders of the files that pages name without their whole path."""
MADE = "hills/"
"""The package that docs/ruleset.md makes (tests/docs/test_ruleset_page.py)."""
CODE = re.compile(r"`([^`\n]+)`")
NAMES = re.compile(r"((?:`[\w.]+`(?:, | and ))*`[\w.]+`)\s+\(`([\w./]+\.py)`")
"""Names, and the file in brackets in which all of them are defined."""


def found(page: str, name: str) -> Path | None:
    """Return the file of this name on a page."""
    return next((place / name for place in (ROOT, *PLACES[page]) if (place / name).is_file()), None)


@pytest.mark.parametrize("page", PLACES)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    named = [name for name in CODE.findall(text) if re.fullmatch(r"[\w./]+\.(py|md)", name)]
    assert named
    assert [name for name in named if not name.startswith(MADE) and found(page, name) is None] == []


@pytest.mark.parametrize("page", [page for page in PLACES if page != "rooms.md"])
def test_every_name_that_stands_before_its_file_is_defined_there(page: str) -> None:
    text = " ".join((DOCS / page).read_text("utf-8").split())
    placed = NAMES.findall(text)
    assert placed
    for names, file in placed:
        place = found(page, file)
        assert place is not None, file
        source = place.read_text("utf-8")
        for word in chain.from_iterable(name.split(".") for name in CODE.findall(names)):
            assert re.search(rf"\b(class|def) {word}\b", source), (word, file)
