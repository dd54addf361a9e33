"""Index of a scene: things under a point."""

from __future__ import annotations

from client.model.tabletop import Tabletop
from protocol.ids import NodeId
from tests.support.examples import scenes


def test_things_under_a_point() -> None:
    top = Tabletop(scenes.public_nodes())
    assert top.things_at((6500, 500)) == ("piece/13", "group/11")
    assert top.things_at((3400, 700))[-1] == "feature/0"
    assert top.things_at((1000, 3010)) == ("feature/15",)
    assert top.centre_of(NodeId("group/11")) == (6500, 500)
