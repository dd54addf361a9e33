"""Deltas: the changes of one part of the scene, as a merge patch of nodes by id, and the part's hash.

In wire form a node is a map of strings, integers, booleans, lists and maps: no floats, no nulls. A patch is a JSON
merge patch (RFC 7386) over node ids and the fields below them: null deletes, maps are merged, a list is replaced
whole. Maps here are never changed in place, so that parts may be shared between versions. Nodes come from typed
structs, so that a place in a list never changes between 1 and true, which Python holds equal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from itertools import compress
from operator import attrgetter, is_
from typing import Final, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from protocol.canonical import packed, packed_struct
from protocol.errors import BadFrame
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Node
from protocol.text import Text

NodeMap = dict[str, object]
Nodes = dict[NodeId, NodeMap]
Patch = dict[NodeId, NodeMap | None]

MODULUS: Final = 2**64
_OTHER: Final[NodeMap] = {}
_TYPED: Final[msgspec.msgpack.Decoder[AnyNode]] = msgspec.msgpack.Decoder(AnyNode)
_PLAIN: Final = msgspec.msgpack.Decoder()


def node_map(node: Node) -> NodeMap:
    """Return the wire form of a node. No type of nodes.py holds floats, bytes or nulls, so that nothing is checked
    here."""
    found: NodeMap = _PLAIN.decode(packed(node))
    return found


def typed(node: NodeMap) -> AnyNode:
    """Return the node of a map in wire form. Raises BadFrame ("frame/bad-field") for an unknown kind or wrong
    fields."""
    try:
        return _TYPED.decode(packed(node))
    except (msgspec.MsgspecError, TypeError, OverflowError, RecursionError):
        kind = node.get("k")
        path = "nodes." + (kind if isinstance(kind, str) and kind.isidentifier() and len(kind) <= 64 else "?")
        raise BadFrame("frame/bad-field", Text("frame.bad_field", {"field": path}), fatal=True) from None


def difference_node(before: NodeMap | None, after: NodeMap) -> NodeMap | None:
    """Return the merge patch from one node (None: there was none) to another; None where nothing changed."""
    if before is None:
        return after
    changes: NodeMap = {} if before.keys() <= after.keys() else {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if old != value or type(old) is not type(value):
            _put_change(changes, key, old, value)
    return changes or None


def _put_change(changes: NodeMap, key: str, old: object, value: object) -> None:
    """Add the change of one entry to a patch: a map within a node is patched, anything else is replaced whole."""
    if type(value) is dict and type(old) is dict:
        inner = difference_node(old, value)
        if inner is not None:
            changes[key] = inner
    else:
        changes[key] = value


def difference(before: Nodes, after: Nodes) -> Patch:
    """Return the patch that makes `after` of `before`."""
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
    """Return patched nodes as a new map; nodes that the patch does not name are the same objects."""
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


def node_hash(id: NodeId, node: NodeMap) -> int:
    """Return the 8-byte BLAKE2b (big-endian) of the canonical msgpack of `[id, node]`, both in wire form already."""
    return int.from_bytes(blake2b(packed((id, node)), digest_size=8).digest(), "big")


def nodes_hash(nodes: Nodes) -> int:
    """Return the hash of a part: the sum modulo 2**64 of its nodes' hashes, so that it does not depend on their
    order."""
    return sum(node_hash(id, node) for id, node in nodes.items()) % MODULUS


class HashedNodes:
    """Nodes of a part with their hash, kept up node by node as patches come in."""

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
        """Return a patched copy; this one stays as it is."""
        copy = HashedNodes.__new__(HashedNodes)
        copy.nodes, copy._hashes, copy.hash = self.nodes, dict(self._hashes), self.hash
        copy.apply(patch)
        return copy


class _Shape(NamedTuple):
    """Fields of a type of node: their names, a function that gets all of them at once, those that hold lists of
    structs, and the values that any of them may have by default."""

    names: tuple[str, ...]
    values: Callable[[Node], tuple[object, ...]]
    lists: frozenset[str]
    defaults: tuple[object, ...]


@cache
def _shape(kind: type[Node]) -> _Shape:
    known = cast("msgspec.inspect.StructType", msgspec.inspect.type_info(kind))
    lists = [
        field.name
        for field in known.fields
        if isinstance(field.type, msgspec.inspect.VarTupleType)
        and isinstance(field.type.item_type, msgspec.inspect.StructType | msgspec.inspect.UnionType)
    ]
    defaults = tuple([field.default for field in known.fields if field.default is not msgspec.NODEFAULT])
    return _Shape(kind.__struct_fields__, attrgetter(*kind.__struct_fields__), frozenset(lists), defaults)


class _Packed:
    """Typed node with its hash. `first`: what stands before it where it is hashed; `lists`: its lists of structs as far
    as they have been packed alone; `plain`: its wire form, made when it is asked for."""

    __slots__ = ("first", "hash", "lists", "node", "plain")

    def __init__(self, first: bytes, node: Node, lists: dict[str, msgspec.Raw]) -> None:
        self.first = first
        self.node = node
        self.lists = lists
        self.plain: NodeMap | None = None
        data = packed_struct(replace(node, **lists) if lists else node)
        self.hash = int.from_bytes(blake2b(first + data, digest_size=8).digest(), "big")

    def map(self) -> NodeMap:
        """Return its wire form, the same object as long as it has not changed."""
        if self.plain is None:
            self.plain = node_map(self.node)
        return self.plain


class TypedNodes:
    """Typed nodes of a part, with the part's hash and its changes in wire form.

    The same as comparing and hashing wire forms (`difference_node`, `node_hash`), but what is the same object as before
    is not compared, and a long list is not packed again: of a prompt with all its choices mostly the title changes.
    """

    def __init__(self) -> None:
        self.typed: dict[NodeId, AnyNode] = {}
        self.hash = 0
        self._packed: dict[NodeId, _Packed] = {}

    @property
    def nodes(self) -> Nodes:
        """Wire forms by id; a node that has not changed is the same object as before."""
        return {id: known.map() for id, known in self._packed.items()}

    def show(self, id: NodeId, node: AnyNode) -> NodeMap | None:
        """Put a node in the place of the one of this id, and return the merge patch to it, None where nothing has
        changed."""
        before = self._packed.get(id)
        self.typed[id] = node
        if before is None:
            found = _Packed(b"\x92" + packed(id), node, {})
            change: NodeMap | None = dict(found.map())
        elif type(before.node) is not type(node):
            found = _Packed(before.first, node, {})
            change = difference_node(before.map(), found.map())
        else:
            found, change = _followed(before, node)
        if change is not None:
            self.hash = (self.hash - (before.hash if before is not None else 0) + found.hash) % MODULUS
            self._packed[id] = found
        return change

    def hide(self, id: NodeId) -> None:
        """Remove the node of this id. KeyError without one."""
        del self.typed[id]
        self.hash = (self.hash - self._packed.pop(id).hash) % MODULUS


def _plain_change(shape: _Shape, shown: Node, node: Node, same: list[str]) -> NodeMap | None:
    """Return the patch where only words, numbers and texts have changed, and none of them is a default, which does not
    travel; else _OTHER. Nothing has to be packed for it."""
    changes: NodeMap = {}
    for key in shape.names:
        if key in same:
            continue
        old, new = getattr(shown, key), getattr(node, key)
        kind = type(new)
        if type(old) is not kind or old in shape.defaults or new in shape.defaults:
            return _OTHER
        if kind is int or kind is str:
            if old != new:
                changes[key] = new
        elif kind is Text:
            if old != new:
                changes[key] = _text_change(old, new)
        else:
            return _OTHER
    return changes


def _text_change(old: Text, new: Text) -> NodeMap:
    """Return the patch between two texts that are not the same."""
    changes: NodeMap = {} if old.k == new.k else {"k": new.k}
    if old.a == new.a:
        return changes
    if not old.a or not new.a:
        changes["a"] = _PLAIN.decode(packed_struct(new)).get("a")
        return changes
    inner: NodeMap = {key: None for key in old.a if key not in new.a}
    for key, value in new.a.items():
        was = old.a.get(key)
        if type(value) is not Text:
            if was != value or type(was) is not type(value):
                inner[key] = value
        elif type(was) is not Text:
            inner[key] = _PLAIN.decode(packed_struct(value))
        elif was != value:
            inner[key] = _text_change(was, value)
    changes["a"] = inner
    return changes


def _followed(before: _Packed, node: Node) -> tuple[_Packed, NodeMap | None]:
    """Return a node of the same type in the place of another, and the patch between them."""
    shown, shape = before.node, _shape(type(node))
    same = list(compress(shape.names, map(is_, shape.values(shown), shape.values(node))))
    change = _plain_change(shape, shown, node, same)
    if change is _OTHER:
        left_out = dict.fromkeys(same, msgspec.UNSET)  # which msgspec does not pack
        old: NodeMap = _PLAIN.decode(packed_struct(replace(shown, **left_out)))
        new: NodeMap = _PLAIN.decode(packed_struct(replace(node, **left_out)))
        change = difference_node(old, new)
    if not change:
        before.node = node
        return before, None
    lists: dict[str, msgspec.Raw] = {}
    for key in shape.lists.intersection(same):
        value = getattr(node, key)
        if value:
            lists[key] = before.lists.get(key) or msgspec.Raw(packed_struct(value))
    return _Packed(before.first, node, lists), change
