"""The activations of a round: who is on, who is next and how many are left stand in one place, seat by seat."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, SeatNode
from protocol.wire.from_server import Snapshot
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.examples.recorded_table import arrival, as_heard, frames_of

SIZES = ((1280, 800), (1024, 640))


def tips(app: ReadableApp, size: tuple[int, int]) -> dict[str, str]:
    """Return what is told of the activations of each seat in a window of this size."""
    app.describe(size)
    found = {spot.label: spot.tip for spot in app.ui.hotspots if spot.label.startswith("activations of ")}
    app.refresh()
    return found


@pytest.mark.parametrize("size", SIZES)
def test_each_seat_has_its_place_with_what_is_left(app: ReadableApp, tmp_path: Path, size: tuple[int, int]) -> None:
    nodes: dict[NodeId, AnyNode] = scenes.public_nodes()
    seats = [NodeId(f"seat/{seat}") for seat in range(3)]
    for number, id in enumerate(seats):
        node = nodes[id]
        assert isinstance(node, SeatNode)
        nodes[id] = replace(node, left=number, next=number == 2)
    del nodes[NodeId("row")]
    welcome, catalogue, view, _, private = scenes.table_frames(1)
    public = scenes.snapshot("public", nodes)
    assert isinstance(public, Snapshot)
    Table(app, tmp_path, [welcome, catalogue, view, *frames_of([public]), private])
    told = list(tips(app, size).values())
    assert told[0].endswith("0 groups have not acted in this round")
    assert told[1].endswith("one group has not acted in this round\nThey act now.")
    assert told[2].endswith("2 groups have not acted in this round\nThey act next.")


def test_a_battle_without_cards_tells_them(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, frames_of(arrival("one_page", -1)))
    for frame in as_heard("one_page", 60, -1):
        table.say(frame)
    table.session.story.jump()
    table.settle()
    told = list(tips(app, (1280, 800)).values())
    assert [("have not acted" in tip or "has not acted" in tip) for tip in told] == [True, True]
    assert sum(tip.endswith("They act now.") for tip in told) == 1
