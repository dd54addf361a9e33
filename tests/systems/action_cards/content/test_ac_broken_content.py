"""Broken content files, one fault each: each is reported by file, line, key and reason, and nothing else is."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import ContentRefused
from engine.rulesets.action_cards.content import content
from tests.support.examples.broken_content import CROSSING, FORD, RATS, TABLE, Broken
from tests.support.systems.own_content import FACTION, GOOD, MAP, SCENARIO
from tests.support.systems.shipped import shipped_texts


def faults(texts: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(ContentRefused) as caught:
        content.read({**shipped_texts(), **texts})
    return caught.value.problems


def test_as_they_stand_nothing_is_wrong_with_them() -> None:
    read = content.read({**shipped_texts(), **GOOD})
    crossing = read.scenarios["crossing"]
    assert "rats" in read.factions
    assert crossing.size == (4800, 4800)
    assert crossing.feature[0].id == "hut"


def test_every_fault_is_another() -> None:
    assert len({(broken.file, broken.said) for broken in TABLE}) == len(TABLE) >= 40


@pytest.mark.parametrize("broken", TABLE, ids=lambda broken: broken.said)
def test_a_broken_file_is_told_with_its_line_and_reason(broken: Broken) -> None:
    assert broken.old in GOOD[broken.file]
    (told,) = faults({**GOOD, broken.file: GOOD[broken.file].replace(broken.old, broken.new, 1)})
    assert told.startswith(f"{broken.file}:{broken.said}")


def test_all_faults_of_all_files_are_told_at_once() -> None:
    """Faults beside a fault of form are reported too, and those that only show once another file is read."""
    texts = {
        **GOOD,
        RATS: FACTION.replace("size = 4", "size = = 4")
        .replace("dice = 1", "dice = 99")
        .replace('id = "rat"', "id = 7"),
        FORD: MAP.replace('"building"', '"castle"').replace("[0, 20, 6, 8]", "[46, 20, 6, 8]"),
        CROSSING: SCENARIO.replace("win = 1", "win = 9"),
    }
    assert [told.partition(": ")[0] for told in faults(texts)] == [
        f"{RATS}:4",
        f"{RATS}:16",
        f"{RATS}:19",
        f"{FORD}:7",
        f"{FORD}:15",
        f"{CROSSING}:32",
    ]


def test_nobody_is_blamed_for_naming_what_stands_in_a_broken_file() -> None:
    (told,) = faults({**GOOD, FORD: MAP.replace("size = [48, 48]", "size = [48]")})
    assert told.startswith(f"{FORD}:3: map.size: ")


def test_faults_of_form_keys_names_references_and_places_are_told_in_one_round() -> None:
    """Each is checked as far as what it needs is sound, and none is a consequence of another."""
    texts = {
        **GOOD,
        RATS: FACTION.replace("size = 4", "size = = 4")
        .replace('"burrow"', '"burow"')
        .replace('weapons = ["sling"]', 'weapons = ["slings"]'),
        FORD: MAP.replace("[map]", "[map")
        .replace('"building"', '"biulding"')
        .replace("[0, 20, 6, 8]", "[46, 20, 6, 8]"),
        CROSSING: SCENARIO.replace("start = [2, 38, 20, 8]", "strat = [2, 2, 2, 8]")
        .replace('"eels"', '"eel"')
        .replace("win = 1", "win = 9"),
    }
    assert [told.partition(": ")[2] for told in faults(texts)] == [
        "Invalid value",
        "faction.figure.0.weapons: no weapon has the id slings; did you mean sling?",
        "faction.special.0.effect: burow is none of burrow, clear, daunt, demolish, dig_in, leap, mend, open, search, "
        "work; did you mean burrow?",
        "Expected ']' at the end of a table declaration",
        "map.feature.0.kind: no terrain has the id biulding; did you mean building?",
        "map.zone.0.box: reaches beyond the table",
        "scenario.events: no event has the id eel; did you mean eels?",
        "scenario.role.1.strat: no such key is known here; did you mean start?",
        "scenario.role.1.strat: a start zone is 3 inches wide and high at least",
        "scenario.role.1.strat: the start zone lies over that of role 0",
        "scenario.role.1.win: only 1 points can be had",
    ]
