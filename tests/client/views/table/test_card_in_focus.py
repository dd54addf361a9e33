"""The card of the group in focus stays while the pointer rests on what has none, such as terrain."""

from __future__ import annotations

from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from tests.support.clients.sessions import Table


def test_terrain_under_the_pointer_leaves_the_card_of_the_group_in_focus(table: Table) -> None:
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    own, other = NodeId("group/11"), NodeId("group/21")
    screen.gestures.focus(own)
    assert screen.hover.looked_at() == own
    screen.hover.thing = next(iter(screen.model.top.features))
    assert screen.hover.looked_at() == own
    screen.hover.thing = other
    assert screen.hover.looked_at() == other
