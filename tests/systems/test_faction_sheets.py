"""Pages of factions of every system: whole, in words of the catalogue, with ready lists that can be brought."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from engine.core.rules.army_lists import lists_of
from engine.core.rules.system import ScenarioInfo
from protocol.scene.looks import GLYPHS
from protocol.text import Text
from protocol.wire.faction_pages import FactionSheet
from tests.support.systems.duel import Duel
from tests.support.systems.installed import shipped_systems

SYSTEMS = ("action_cards", "one_page", "apocalypse_earth")
MOST_BYTES = 40_000


def chosen(system: str) -> dict[str, ScenarioInfo]:
    """Return each faction that can be chosen, with a scenario of it."""
    found = shipped_systems()[system]
    return {faction.id: info for info in found.scenarios.values() for faction in info.factions}


def sheet(system: str, faction: str) -> FactionSheet:
    found = shipped_systems()[system]
    made = found.system.faction_sheet(found.content, faction)
    assert made is not None, faction
    return made


def texts_in(value: object) -> Iterator[Text]:
    """Yield every text of a sheet, those inside others too."""
    if isinstance(value, Text):
        yield value
        yield from (inner for part in value.a.values() for inner in texts_in(part))
    elif isinstance(value, msgspec.Struct):
        yield from (found for name in value.__struct_fields__ for found in texts_in(getattr(value, name)))
    elif isinstance(value, tuple):
        yield from (found for part in value for found in texts_in(part))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_faction_of_every_scenario_has_a_page_with_its_units(system: str) -> None:
    entries = shipped_systems()[system].catalogue("en").entries
    for faction, info in chosen(system).items():
        page = sheet(system, faction)
        assert page.name == next(one.name for one in info.factions if one.id == faction)
        assert page.glyph in GLYPHS, faction
        assert page.units, faction
        assert all(unit.glyph in GLYPHS and unit.lines for unit in page.units), faction
        assert len(msgspec.msgpack.encode(page)) < MOST_BYTES
        # what has blanks is in the catalogue: nothing else fills them in
        assert {text.k for text in texts_in(page) if text.a} <= entries.keys()
        said = [text.k for text in texts_in(page)]
        assert [key for key in said if key.count(".") > 1 and " " not in key and key not in entries] == []
        rules = [rule for rule in page.rules if rule.says is None]
        assert [rule.name.k for rule in rules if f"help.{rule.name.k}" not in entries] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_faction_says_how_it_plays_and_what_it_is_good_and_bad_at(system: str) -> None:
    for faction in chosen(system):
        page = sheet(system, faction)
        told = page.about[-1].k
        assert told.startswith("How they play: "), faction
        assert 2 <= sum(told.count(mark) for mark in (". ", "; ", ": ")) <= 7, faction
        assert page.strong is not None, faction
        assert page.weak is not None, faction
        assert page.strong != page.weak


@pytest.mark.parametrize("system", ["one_page", "apocalypse_earth"])
def test_ready_lists_are_sound_and_smaller_ones_come_first(system: str) -> None:
    found = shipped_systems()[system]
    lists = lists_of(found.system)
    assert lists is not None
    for faction in lists.factions(found.content):
        ready = sheet(system, faction).lists
        assert ready, faction
        points = [one.name.a["points"] for one in ready]
        assert points == sorted(points, key=int)  # type: ignore[arg-type]
        assert all(one.name.a["points"] <= one.name.a["limit"] for one in ready)  # type: ignore[operator]
        assert all(one.lines for one in ready)


def test_a_force_that_a_scenario_gives_shows_its_own_units_alone() -> None:
    whole, given = sheet("apocalypse_earth", "brotherhood"), sheet("apocalypse_earth", "city_1")
    assert {unit.name.k for unit in given.units} < {unit.name.k for unit in whole.units}
    assert (given.about, given.lists) == (whole.about, ())


@pytest.mark.parametrize("system", SYSTEMS)
def test_of_an_unknown_faction_there_is_no_page(system: str) -> None:
    found = shipped_systems()[system]
    assert found.system.faction_sheet(found.content, "nobody") is None


def test_a_system_without_pages_of_its_own_shows_what_its_scenarios_say() -> None:
    duel = Duel()
    content = duel.content({"duel.toml": "[scenario.two]\nseats = 2\nturns = 6\n"})
    info = duel.scenarios(content)[0].factions[0]
    assert duel.faction_sheet(content, info.id) == FactionSheet(info.name, numbers=info.lines)
    assert duel.faction_sheet(content, "nobody") is None
