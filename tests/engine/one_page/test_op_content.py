"""Files of One Page Apocalypse that do not go together are told with file, line, key and reason."""

from __future__ import annotations

import pytest

from engine.core.system import ContentProblem
from engine.rulesets.one_page.system import system
from tests.support.op_shipped import texts

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
    with pytest.raises(ContentProblem) as raised:
        system.content({**texts(), "mine.toml": mine})
    return raised.value.problems


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
