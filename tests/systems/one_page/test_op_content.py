"""Files of One Page Apocalypse that do not go together are told with file, line, key and reason."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import ContentRefused
from engine.rulesets.one_page.system import system
from tests.support.systems.op_shipped import texts

AGAIN = """[terrain.forest]
name = "Wood"

[power.own]
name = "Own"
discipline = "own"
text = "Own"
successes = 1
range = 12
effect = "passage"

[scenario]
id = "crossroads_3000"
name = "Again"
about = "Again"
points = 3000
lot = [{ kind = "forest", count = 15 }]
"""


def told(mine: str) -> tuple[str, ...]:
    """Return the problems of the shipped files and one more."""
    try:
        system.content({**texts(), "mine.toml": mine})
    except ContentRefused as raised:
        return tuple(raised.problems)
    except Exception as error:
        raise AssertionError("content is read, or told what is wrong with it") from error
    return ()


def test_what_another_file_defines_is_not_defined_again() -> None:
    assert told(AGAIN) == (
        "mine.toml:1: terrain.forest: forest is defined in terrain.toml too",
        "mine.toml:13: scenario.id: crossroads_3000 is defined in scenario_crossroads.toml too",
    )


def test_two_pieces_of_a_table_are_not_called_alike() -> None:
    table = texts()["scenario_crossroads.toml"].replace('id = "crossroads_3000"', 'id = "mine"')
    ids = [line.split('"')[1] for line in table.splitlines() if line.startswith("id = ")][1:]
    assert len(ids) > 1
    (line,) = told(table.replace(f'id = "{ids[1]}"', f'id = "{ids[0]}"'))
    assert line.endswith(f"scenario.feature.1.id: the id {ids[0]} is used twice")


POWER = """[power.own]
name = "Own"
discipline = "own"
text = "Own"
successes = 1
range = 12
effect = "passage"
"""


@pytest.mark.rule("OP-SETUP-02")
def test_a_power_has_one_of_the_effects_that_there_are() -> None:
    assert told(POWER) == ()
    (line,) = told(POWER.replace("passage", "lightning"))
    assert line.startswith("mine.toml:7: power.own.effect: lightning is none of hits, ")


CROSSED = "outline = [[40, 30], [47, 37], [47, 30], [40, 37]]"


@pytest.mark.rule("OP-SETUP-02", "OP-OPEN-15")
@pytest.mark.parametrize(("kind", "told_of"), [("forest", 1), ("barricade", 0)])
def test_the_outline_of_a_piece_does_not_cross_itself_and_a_barrier_may(kind: str, told_of: int) -> None:
    table = texts()["scenario_crossroads.toml"].replace('id = "crossroads_3000"', 'id = "mine"')
    piece = f'\n[[scenario.feature]]\nid = "mine"\nkind = "{kind}"\n{CROSSED}\n'
    found = told(table + piece)
    assert ["scenario.feature.18.outline" in line for line in found] == [True] * told_of


@pytest.mark.rule("OP-SETUP-02")
def test_sides_of_a_table_make_a_game() -> None:
    table = texts()["scenario_crossroads.toml"].replace('id = "crossroads_3000"', 'id = "mine"\nsides = [0, 0, 0, 0]')
    with pytest.raises(ContentRefused) as refused:
        system.content({**texts(), "mine.toml": table})
    assert [line.partition(": ")[2] for line in refused.value.problems] == [
        "scenario.sides: there are two sides, 0 and 1, of at most 3 seats"
    ]


@pytest.mark.rule("OP-SETUP-02", "OP-OPEN-15")
@pytest.mark.parametrize("broken", ["terrain = 5\n", "terrain = 5\n[scenario]\n", "colour = 1\n"])
def test_a_file_that_is_not_as_it_should_be_is_told_of_whatever_it_is(broken: str) -> None:
    assert told(broken)


@pytest.mark.rule("OP-SETUP-02", "OP-OPEN-15")
def test_kinds_of_a_file_with_another_fault_are_known() -> None:
    """Pieces of that kind are not reported, too."""
    terrain = '[terrain.own]\nname = "Own"\ncolour = 1\n'
    table = AGAIN[AGAIN.index("[scenario]") :].replace("crossroads_3000", "mine").replace("forest", "own")
    assert [line.split(": ")[1] for line in told(terrain + table)] == ["terrain.own.colour"]


def test_a_range_of_the_points_formula_is_a_number() -> None:
    (line,) = told("[points.weapon]\nrange = { far = 2 }\nsingle = 1\nspecial = {}\n")
    assert line.startswith("mine.toml:2: points.weapon.range.far")


def test_faults_of_form_keys_names_and_places_are_told_in_one_round() -> None:
    table = texts()["scenario_crossroads.toml"].replace('id = "crossroads_3000"', 'id = "mine"')
    page = texts()["armies/iron_marches.toml"].replace('id = "iron_marches"', 'id = "mine_army"')
    broken = {
        "table.toml": table.replace("[scenario]", "[scenario", 1)
        .replace("about =", "abuot =", 1)
        .replace('kind = "forest"', 'kind = "florest"', 1)
        .replace("[[8, 28]", "[[-8, 28]", 1),
        "army.toml": page.replace('code = "IM"', 'code = "ZZ"').replace("quality", "qualtiy", 1),
    }
    with pytest.raises(ContentRefused) as caught:
        system.content({**texts(), **broken})
    told = [line for line in caught.value.problems if "begin with ZZ-" not in line]
    assert [line.partition(": ")[2].partition(";")[0] for line in told if line.startswith("table.toml")] == [
        "Expected ']' at the end of a table declaration",
        "scenario.abuot: no such key is known here",
        "scenario.feature.0.kind: no terrain has the id florest",
        "scenario.feature.0.outline: reaches beyond the table",
    ]
    assert [line.partition("; ")[2] for line in told if "qualtiy" in line] == ["did you mean quality?"]
    assert all("points formula" not in line for line in told), "what is misspelt is read as it was meant"
