"""Obstacles of a bot's sight: looked up by direction, they block the same lines as all obstacles together."""

from __future__ import annotations

from random import Random

from engine.rulesets.action_cards.bots.bot_sight import TOUCHING, Lines
from protocol.scene.nodes import Feature
from protocol.text import Text
from tests.support.faults.crowded_tables import SIDE, ground, place


def test_a_bot_sees_past_terrain_what_the_plain_way_sees() -> None:
    random, hidden = Random(7), 0
    for _ in range(40):
        table = ground(random)
        shown = {str(a.id): Feature(a.outline, "wood", Text("wood"), blocks=True) for a in table.areas}
        shown |= {str(b.id): Feature(b.corners, "wall", Text("wall"), line=True, blocks=True) for b in table.barriers}
        lines = Lines((SIDE, SIDE), shown)
        for _ in range(60):
            a, b = place(random), place(random)
            walls = [wall for wall in table.barriers if not wall.near(a, TOUCHING) and not wall.near(b, TOUCHING)]
            woods = [wood for wood in table.areas if not wood.holds(a) and not wood.holds(b)]
            plain = not any(w.crossed_by(a, b) for w in walls) and not any(w.pierced_by(a, b) for w in woods)
            assert lines.clear(a, b) is plain
            hidden += not plain
    assert hidden > 200
