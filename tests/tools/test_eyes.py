"""The key to pictures for newcomers is a TOML file, and the pin stands with its point at the place that it marks."""

from __future__ import annotations

import tomllib

from PIL import Image

from protocol.ids import NodeId
from tools.pictures.eyes.answers import as_toml
from tools.pictures.eyes.moments import Spot
from tools.pictures.eyes.part import MATCHES, with_pin


def test_answers_are_read_as_they_were_written() -> None:
    answers = {"who": 'Ann ("The Hush")', "can": ["Move: up to 12″", "Shoot\\"], "beside": []}
    text = "\n".join(as_toml(name, answers) for name in ("01.png", "02.png"))
    assert tomllib.loads(text) == {"01.png": answers, "02.png": answers}


def test_the_pin_points_at_its_place_from_above() -> None:
    plain = Image.new("RGB", (200, 100), "green")
    pinned = with_pin(plain.copy(), Spot(NodeId("feature/1"), (120.0, 30.0)))
    changed = [
        (x, y) for x in range(200) for y in range(100) if pinned.getpixel((x, y)) != plain.getpixel((x, y))
    ]  # fmt: skip
    x, y = max(changed, key=lambda spot: spot[1])
    assert (x, y) == (120, 70)


def test_each_game_has_four_different_scenarios() -> None:
    games = {match.system for match in MATCHES}
    scenarios = {game: {match.scenario for match in MATCHES if match.system == game} for game in games}
    assert [len(found) for found in scenarios.values()] == [4, 4, 4]
