"""Index of a scene: things under a point."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from client.model.replay.replay_player import ReplayPlayer
from client.model.table.tabletop import Tabletop
from protocol.fairness.replay import read
from protocol.ids import NodeId
from protocol.limits import Limits
from tests.support.examples import scenes

RECORDED: Final = Path(__file__).parents[3] / "golden" / "action_cards-rules8-log2-dice2.replay"


def test_things_under_a_point() -> None:
    top = Tabletop(scenes.public_nodes())
    assert top.things_at((6500, 500)) == ("piece/13", "group/11")
    assert top.things_at((3400, 700))[-1] == "feature/0"
    assert top.things_at((1000, 3010)) == ("feature/15",)
    assert top.centre_of(NodeId("group/11")) == (6500, 500)


def test_a_table_made_from_the_one_before_is_as_one_made_from_nothing() -> None:
    player = ReplayPlayer(read(RECORDED.read_bytes(), Limits()))
    before = Tabletop({})
    for step in (*range(0, player.last + 1, 3), 5, 0):
        player.go(step)
        after, anew = Tabletop(player.nodes(), before), Tabletop(player.nodes())
        for name, found in vars(anew).items():
            made = getattr(after, name)
            assert made == found, name
            if name != "_of_kind" and isinstance(found, dict):
                assert [*made] == [*found], name
        assert Tabletop(anew.nodes, anew).pieces is anew.pieces
        before = after
