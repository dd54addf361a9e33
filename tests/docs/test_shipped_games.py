"""Pages speak of all games that are shipped, by the lessons, numbers of players and choices that these have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from client.text import phrases, texts
from server.content.systems import Installed, find_systems, load
from tests.support.clients.programs import DEPLOY, ROOT
from tests.support.runs.pages import page

README: Final = (ROOT / "README.md").read_text("utf-8")
DATA: Final = sorted((ROOT / "engine" / "rulesets").glob("*/data"))
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(DEPLOY.rglob("*.md"))]
TWO: Final = re.compile(r"\b(?:both|either|two)\s+(?:shipped\s+)?(?:rule\s+)?(?:games?|systems?)\b")
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")
WINDOW: Final = (phrases.WORDS, *texts.OWN)
SECTIONS: Final = {"one_page": "One Page Apocalypse", "apocalypse_earth": "Apocalypse: Earth"}


@pytest.fixture(scope="module")
def games() -> Mapping[str, Installed]:
    return load(find_systems([place.parent.name for place in DATA]).values())


def test_the_readme_counts_the_games() -> None:
    assert f"{NUMBERS[len(DATA)].capitalize()} games so far:" in README


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_speaks_as_if_there_were_two_games(path: Path) -> None:
    assert TWO.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize(("game", "words"), [("action_cards", "a skirmish"), ("apocalypse_earth", "Earth, companies")])
def test_the_readme_tells_for_how_many_players_a_game_is(games: Mapping[str, Installed], game: str, words: str) -> None:
    told = re.search(rf"{words}[^;.]* for (\w+)\s+to\s+(\w+)\s+players", " ".join(README.split()))
    seats = [scenario.seats for scenario in games[game].scenarios.values() if scenario.seats > 1]
    assert told is not None
    assert told.groups() == (NUMBERS[min(seats)], NUMBERS[max(seats)])


def test_the_page_on_content_names_every_lesson() -> None:
    lessons = {file.name for place in DATA for file in place.glob("lesson_*.toml")}
    assert set(re.findall(r"`(lesson_\w+\.toml)`", page("content.md"))) == lessons


@pytest.mark.parametrize("game", SECTIONS)
def test_choices_of_a_game_bear_the_names_of_the_manual(games: Mapping[str, Installed], game: str) -> None:
    section = page("playing.md").partition(f"\n## {SECTIONS[game]}\n")[2].partition("\n## ")[0]
    told: list[str] = []
    for paragraph in section.split("\n\n"):
        # what a paragraph begins with is its headline
        words = " ".join(paragraph.split()).removeprefix("**")
        told += [name for name in re.findall(r"\*\*([A-Z][^*]+)\*\*", words) if len(name) > 1]
    known = {*games[game].catalogue("en").entries.values(), *(line for own in WINDOW for line in own.english.values())}
    assert told
    assert [name for name in told if name not in known] == []
