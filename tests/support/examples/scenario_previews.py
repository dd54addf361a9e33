"""A preview of a scenario as a server sends it: two seats that start west and east, and one zone that is not given."""

from __future__ import annotations

from typing import Final

from protocol.ids import NodeId
from protocol.scene.delta import node_map
from protocol.scene.nodes import AnyNode, Feature, SeatNode, Table, Zone
from protocol.text import Text
from protocol.wire.previews import Preview

NODES: Final[dict[NodeId, AnyNode]] = {
    NodeId("table"): Table((4800, 3200)),
    NodeId("feature/a"): Feature(((2000, 1000), (2600, 1000), (2600, 1500), (2000, 1500)), "building", Text("Mill")),
    NodeId("feature/b"): Feature(((3000, 400), (3000, 900)), "wall", Text("Wall"), line=True),
    NodeId("feature/c"): Feature(((3200, 400), (3200, 900)), "wall", Text("Wall"), line=True),
    NodeId("feature/d"): Feature(((1200, 400), (1500, 400), (1500, 900)), "dream_pond", Text("Pond")),
    NodeId("zone/start.0"): Zone(
        "deployment", ((0, 0), (800, 0), (800, 3200), (0, 3200)), owner=0, name=Text("The west")
    ),
    NodeId("zone/start.1"): Zone("deployment", ((4000, 0), (4800, 0), (4800, 3200), (4000, 3200)), owner=1),
    NodeId("zone/open.0"): Zone("deployment", ((2000, 1400), (2800, 1400), (2800, 1800), (2000, 1800))),
    NodeId("seat/0"): SeatNode(Text("One"), 0),
    NodeId("seat/1"): SeatNode(Text("Two"), 1),
}


def preview(system: str, scenario: str, name: str = "a1", **changes: object) -> Preview:
    """Return the preview of a scenario under a hash, with these fields changed."""
    fields = {"hash": name, "nodes": {id: node_map(node) for id, node in NODES.items()}, "left_out": 3} | changes
    return Preview(system, scenario, **fields)  # type: ignore[arg-type]
