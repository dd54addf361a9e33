"""Deltas: a scene part as maps by node id, patches between two of them, and a hash kept up node by node.

A patch is a merge patch: a node id with null deletes the node; inside a node null deletes a field, a map is merged,
anything else (an array too) is replaced whole. The hash of a part is the sum modulo 2^64 of an 8-byte BLAKE2b of each
node, over the canonical msgpack of `[id, node]`: keys sorted by bytes, shortest integers, no floats, no nulls.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final, cast

import msgspec

from protocol.scene import AnyNode

Node = dict[str, Any]
Nodes = dict[str, Node]
Patch = dict[str, Node | None]

MODULUS: Final = 2**64
_ENCODER: Final = msgspec.msgpack.Encoder(order="sorted")
_DECODER: Final = msgspec.msgpack.Decoder()
_TYPED: Final = msgspec.msgpack.Decoder(AnyNode)


def node_map(node: AnyNode) -> Node:
    """A node as it travels: a map of strings, whole numbers, lists and maps."""
    return cast("Node", _DECODER.decode(_ENCODER.encode(node)))


def typed(node: Mapping[str, object]) -> AnyNode:
    """The node of a map. Raises msgspec.ValidationError where it is none."""
    return msgspec.convert(node, AnyNode)  # type: ignore[no-any-return]


def difference_node(before: Node | None, after: Node | None) -> Node | None:
    """The patch of one node; None where nothing changed (or it is gone: the caller says so with a null)."""
    if after is None or before == after:
        return None
    return after if before is None else _merge_patch(before, after)


def difference(before: Nodes, after: Nodes) -> Patch:
    """The patch that makes `after` of `before`."""
    patch: Patch = {id: None for id in before if id not in after}
    for id, node in after.items():
        change = difference_node(before.get(id), node)
        if change is not None:
            patch[id] = change
    return patch


def apply(nodes: Nodes, patch: Patch) -> Nodes:
    """The part after `patch`: a new map; nodes that did not change are the same objects."""
    after = dict(nodes)
    for id, change in patch.items():
        if change is None:
            after.pop(id, None)
        else:
            after[id] = _merged(after.get(id, {}), change)
    return after


def node_hash(id: str, node: Node) -> int:
    """The 8-byte hash of one node under its id."""
    return int.from_bytes(blake2b(_ENCODER.encode((id, node)), digest_size=8).digest(), "big")


def nodes_hash(nodes: Nodes) -> int:
    """The hash of a whole part."""
    return sum(node_hash(id, node) for id, node in nodes.items()) % MODULUS


class HashedNodes:
    """A part with its hash kept up under patches. `nodes` is replaced, never changed in place."""

    def __init__(self, nodes: Nodes | None = None) -> None:
        self.nodes: Nodes = dict(nodes or {})
        self._hashes = {id: node_hash(id, node) for id, node in self.nodes.items()}
        self.hash = sum(self._hashes.values()) % MODULUS

    def apply(self, patch: Patch) -> None:
        """Take a patch over."""
        self.nodes = apply(self.nodes, patch)
        total = self.hash
        for id in patch:
            total -= self._hashes.pop(id, 0)
            node = self.nodes.get(id)
            if node is not None:
                self._hashes[id] = node_hash(id, node)
                total += self._hashes[id]
        self.hash = total % MODULUS


def _merge_patch(before: Node, after: Node) -> Node:
    patch: Node = {key: None for key in before if key not in after}
    for key, value in after.items():
        known = before.get(key)
        if known == value:
            continue
        both_maps = isinstance(known, dict) and isinstance(value, dict)
        patch[key] = _merge_patch(known, value) if both_maps else value  # type: ignore[arg-type]
    return patch


def _merged(node: Node, patch: Node) -> Node:
    after = dict(node)
    for key, value in patch.items():
        if value is None:
            after.pop(key, None)
        elif isinstance(value, dict):
            known = after.get(key)
            after[key] = _merged(known if isinstance(known, dict) else {}, value)
        else:
            after[key] = value
    return after
