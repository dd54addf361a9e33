"""Deltas: what changed in one part of the scene, as a merge patch of nodes by id, and the part's hash.

In wire form a node is a map of strings, integers, booleans, lists and maps: no floats, no nulls. A patch is a JSON
merge patch (RFC 7386) over node ids and the fields below them: null deletes, maps are merged, a list is replaced
whole. Maps here are never changed in place, so that parts may be shared between versions. Nodes come from typed
structs, so that a place in a list never changes between 1 and true, which Python holds equal.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import msgspec

from protocol.scene import AnyNode, Node
from protocol.text import Text
from protocol.wire import BadFrame, packed

NodeMap = dict[str, object]
Nodes = dict[str, NodeMap]
Patch = dict[str, NodeMap | None]

MODULUS: Final = 2**64
_TYPED: Final[msgspec.msgpack.Decoder[AnyNode]] = msgspec.msgpack.Decoder(AnyNode)
_PLAIN: Final = msgspec.msgpack.Decoder()
_FIELDS: Final = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_TAG: Final = object()
"""In place of a field that both nodes lack: their tag, which is the same for both."""


def node_map(node: Node) -> NodeMap:
    """The wire form of a node. No type of scene.py holds floats, bytes or nulls, so that nothing is checked here."""
    found: NodeMap = _PLAIN.decode(packed(node))
    return found


def typed(node: NodeMap) -> AnyNode:
    """The node of a map in wire form. Raises BadFrame ("frame/bad-field") for an unknown kind or wrong fields."""
    try:
        return _TYPED.decode(packed(node))
    except (msgspec.MsgspecError, TypeError, OverflowError, RecursionError):
        kind = node.get("k")
        path = "nodes." + (kind if isinstance(kind, str) and kind.isidentifier() and len(kind) <= 64 else "?")
        raise BadFrame("frame/bad-field", Text("frame.bad_field", {"field": path}), fatal=True) from None


def difference_node(before: NodeMap | None, after: NodeMap) -> NodeMap | None:
    """The merge patch from one node (None: there was none) to another; None where nothing changed."""
    if before is None:
        return after
    changes: NodeMap = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if old != value or type(old) is not type(value):
            _put_change(changes, key, old, value)
    return changes or None


def difference_typed(before: Node, after: Node, plain: NodeMap) -> NodeMap | None:
    """The merge patch between two nodes; `plain` is the wire form of the first.

    The same as `difference_node(plain, node_map(after))`, but fields that are the same objects in both are not looked
    into: of a prompt with its choices, mostly the title alone has changed.
    """
    if type(before) is not type(after):
        return difference_node(plain, node_map(after))
    fields = _FIELDS.decode(packed(after))
    changes: NodeMap = {key: None for key in plain if key not in fields}
    for key, raw in fields.items():
        if key in plain and getattr(before, key, _TAG) is getattr(after, key, _TAG):
            continue
        value, old = _PLAIN.decode(raw), plain.get(key)
        if old != value or type(old) is not type(value):
            _put_change(changes, key, old, value)
    return changes or None


def _put_change(changes: NodeMap, key: str, old: object, value: object) -> None:
    """A map within a node is patched, anything else is replaced whole."""
    if type(value) is dict and type(old) is dict:
        inner = difference_node(old, value)
        if inner is not None:
            changes[key] = inner
    else:
        changes[key] = value


def difference(before: Nodes, after: Nodes) -> Patch:
    """The patch that makes `after` of `before`."""
    patch: Patch = {id: None for id in before if id not in after}
    for id, node in after.items():
        old = before.get(id)
        if old is node:
            continue
        change = difference_node(old, node)
        if change is not None:
            patch[id] = change
    return patch


def apply(nodes: Nodes, patch: Patch) -> Nodes:
    """Patched nodes as a new map; nodes that the patch does not name are the same objects."""
    result = dict(nodes)
    for id, change in patch.items():
        if change is None:
            result.pop(id, None)
        else:
            result[id] = _merged(result.get(id), change)
    return result


def _merged(before: object, change: NodeMap) -> NodeMap:
    result: NodeMap = dict(before) if type(before) is dict else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        elif type(value) is dict:
            result[key] = _merged(result.get(key), value)
        else:
            result[key] = value
    return result


def node_hash(id: str, node: NodeMap) -> int:
    """The 8-byte BLAKE2b (big-endian) of the canonical msgpack of `[id, node]`; both in wire form already."""
    return int.from_bytes(blake2b(packed((id, node)), digest_size=8).digest(), "big")


def nodes_hash(nodes: Nodes) -> int:
    """The hash of a part: the sum modulo 2**64 of its nodes' hashes, so that it does not depend on their order."""
    return sum(node_hash(id, node) for id, node in nodes.items()) % MODULUS


class HashedNodes:
    """A part's nodes with their hash, kept up node by node as patches come in."""

    def __init__(self, nodes: Nodes | None = None) -> None:
        self.nodes: Nodes = dict(nodes or {})
        self._hashes = {id: node_hash(id, node) for id, node in self.nodes.items()}
        self.hash = sum(self._hashes.values()) % MODULUS

    def apply(self, patch: Patch) -> None:
        """Patch the nodes."""
        nodes = apply(self.nodes, patch)
        fresh = {id: node_hash(id, nodes[id]) for id in patch if id in nodes}
        self.hash = (self.hash - sum(self._hashes.get(id, 0) for id in patch) + sum(fresh.values())) % MODULUS
        for id in patch:
            self._hashes.pop(id, None)
        self._hashes |= fresh
        self.nodes = nodes

    def after(self, patch: Patch) -> HashedNodes:
        """A patched copy; this one stays as it is."""
        copy = HashedNodes.__new__(HashedNodes)
        copy.nodes, copy._hashes, copy.hash = self.nodes, dict(self._hashes), self.hash
        copy.apply(patch)
        return copy
