"""Picture of a scenario's table before anybody has set it up: public, and made without dice."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from engine.core.rules.system import Setup, System, all_parts
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Feature, SeatNode, Table, Zone

SHOWN: Final = (Table, Feature, Zone, SeatNode)
"""Kinds of nodes that are told: what a system presents beside them, such as groups, depends on what seats choose."""


class SeenBefore(NamedTuple):
    """The nodes of a table before its set-up. `left_out`: pieces of terrain that the dice are yet to lay."""

    nodes: dict[NodeId, AnyNode]
    left_out: int = 0


def seen_before(system: System[Any], content: object, setup: Setup) -> SeenBefore:
    """Return what anybody may see of a scenario before its set-up. Raises SetupRefused. Takes up to 0.2 s."""
    state = system.start(system.setup(content, setup), len(setup.factions))
    preview = system.preview(state)
    made = {part.id: part.make() for part in all_parts(preview.shown)}
    return SeenBefore({id: node for id, node in made.items() if isinstance(node, SHOWN)}, preview.left_out)
