"""Scenes with numbers that no table has: the window stays, and draws what it can."""

from __future__ import annotations

import time

import pytest

from protocol.ids import NodeId
from protocol.scene.grid import Grid
from protocol.scene.nodes import TABLE_NODE, AnyNode, Feature, Group, Piece, SeatNode, Table as SceneTable, Zone
from protocol.text import text
from tests.support.clients.sessions import Table
from tests.support.examples import scenes

FAR = 2**31
SIZES = ((FAR, FAR), (0, 0), (-FAR, 100), (FAR, 1))
WORD = text("zone.goal")


def strange(size: tuple[int, int]) -> dict[NodeId, AnyNode]:
    """Return nodes of all kinds, far too large, too small and turned inside out."""
    corners = ((0, 0), (FAR, 0), (FAR, FAR), (0, FAR))
    nodes: dict[NodeId, AnyNode] = {
        TABLE_NODE: SceneTable(size),
        NodeId("seat/0"): SeatNode(WORD, 0),
        NodeId("group/1"): Group(0, WORD, (NodeId("piece/1"), NodeId("piece/2"), NodeId("piece/3"), NodeId("piece/4"))),
        NodeId("zone/1"): Zone("objective", at=(FAR, FAR), radius=FAR, name=WORD),
        NodeId("zone/2"): Zone("objective", corners, name=WORD),
    }
    boxes = ((0, 0), (1000, 1), (-5, -5), None)
    for number, box in enumerate(boxes, 1):
        nodes[NodeId(f"piece/{number}")] = Piece((number * 100, 0), 0, 0, NodeId("group/1"), glyph="rifle", box=box)
    for kind in ("trees", "rocks", "river", "building", "wall", "wire_fence", "scrub"):
        nodes[NodeId(f"feature/{kind}")] = Feature(corners, kind, WORD, line="wall" in kind or "fence" in kind)
        nodes[NodeId(f"feature/none {kind}")] = Feature((), kind, WORD)
    return nodes


@pytest.mark.parametrize("size", SIZES)
def test_things_of_any_size_are_drawn_in_bounds(table: Table, size: tuple[int, int]) -> None:
    began = time.process_time()
    nodes = strange(size)
    table.say(scenes.snapshot("public", nodes, 2))
    scene = table.session.conversation.scene
    assert scene is not None
    assert scene.nodes[TABLE_NODE] == nodes[TABLE_NODE]
    table.app.switch_to()
    table.app.on_draw()
    assert time.process_time() - began < 10


def test_a_grid_of_any_number_of_cells_is_drawn_in_bounds(table: Table) -> None:
    began = time.process_time()
    nodes: dict[NodeId, AnyNode] = {TABLE_NODE: SceneTable((7200, 4800), grid=Grid(1, FAR, FAR))}
    table.say(scenes.snapshot("public", nodes, 2))
    scene = table.session.conversation.scene
    assert scene is not None
    assert scene.nodes[TABLE_NODE] == nodes[TABLE_NODE]
    table.app.switch_to()
    table.app.on_draw()
    assert time.process_time() - began < 10
