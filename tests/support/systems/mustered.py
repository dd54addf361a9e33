"""The test system with army lists: a duel to which each of two brings a list of One Page Apocalypse.

The list's name is shown on the table, so that a test sees that it came there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.rules.errors import ListRefused, SetupRefused
from engine.core.rules.system import FactionInfo, ScenarioInfo, Setup
from engine.kit.lists.list_texts import read_list
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.army_lists import LISTS, OnePageLists, muster
from engine.rulesets.one_page.text.texts import ARMY_LISTS as ENGLISH
from protocol.text import text
from server.content.systems import Installed, install
from tests.support.systems.army_book import book
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_state import Resolved

NAME: Final = "mustered"
SETTLED: Final[list[tuple[int, ...]]] = []
"""The points that came to each table, in order."""


class Content(NamedTuple):
    """Content of the system: duels, and the army pages."""

    duels: dict[str, Resolved]
    book: Book


class Mustered(Duel):
    """The system."""

    name = NAME
    lists = OnePageLists()

    def content(self, texts: Mapping[str, str]) -> Content:  # type: ignore[override]
        return Content(super().content({"duel.toml": TOML}), book())

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        assert isinstance(content, Content)
        armies = tuple(FactionInfo(army.id, text("op.words", words=army.name)) for army in content.book.armies.values())
        duels = [info for info in super().scenarios(content.duels) if info.id in ("two", "three")]
        sizes = {"two": 3000, "three": 6000}
        listed = [info._replace(factions=armies, points=sizes[info.id]) for info in duels]
        uneven = listed[0]._replace(id="uneven", points=6000, seat_points=(3000, 6000))
        return [*listed, uneven, *[info._replace(id="plain") for info in duels[:1]]]

    def setup(self, content: object, setup: Setup) -> bytes:
        assert isinstance(content, Content)
        try:
            lists = [read_list(LISTS, content.book, code) for code in setup.lists if code]
            SETTLED.append(tuple(muster(content.book, listed).points for listed in lists))
        except ListRefused as refused:
            raise SetupRefused(refused.faults[0]) from refused
        known = {**content.duels, "plain": content.duels["two"], "uneven": content.duels["two"]}
        return super().setup(known, Setup(setup.scenario, ()))

    def catalogue(self, language: str) -> Mapping[str, str]:
        return {**super().catalogue(language), **ENGLISH, "duel.title": "A duel with armies"}


system: Final = Mustered()


def mustered() -> dict[str, Installed]:
    """Return the system as a server has it."""
    return {NAME: install(system, {})}


def as_installed(folder: Path) -> None:
    """Make a folder look like an installed distribution with this system on the path."""
    dist = folder / "mustered-1.0.dist-info"
    dist.mkdir(parents=True)
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: mustered\nVersion: 1.0\n")
    (dist / "entry_points.txt").write_text(f"[eschaton.rulesets]\n{NAME} = tests.support.systems.mustered:system\n")
