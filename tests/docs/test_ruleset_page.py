"""docs/ruleset.md, followed step by step from an empty folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.runs.pages import follow, page

pytestmark = pytest.mark.waits


def test_the_page_makes_a_rule_system_that_the_random_player_plays(tmp_path: Path) -> None:
    said = follow(page("ruleset.md"), tmp_path)
    assert "cd hills" in said[0]
    begun, changed = json.loads(said[2]), json.loads(said[-1])
    assert begun["finished"] == changed["finished"] == 3
    assert begun["system"] == changed["system"] == "hills"
