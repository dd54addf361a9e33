"""The all-seeing picture: the public part of a scene with what each seat alone knows."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.ids import NodeId
from protocol.scene.delta import NodeMap, Nodes
from protocol.scene.nodes import PROMPT_NODE


def all_seen(public: Nodes, private: Mapping[int, Nodes]) -> Nodes:
    """Merge the public part and all private ones (by seat), without the prompts. Nodes of several seats with the same
    id get the later seats' numbers behind it."""
    nodes: dict[NodeId, NodeMap] = dict(public)
    taken: set[NodeId] = set()
    for seat, part in private.items():
        for id, node in part.items():
            if id != PROMPT_NODE:
                name = NodeId(f"{id}.{seat}") if id in taken else id
                taken.add(name)
                nodes[name] = node
    return nodes
