"""Differences, patches and hashes of parts of a scene."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import pytest
from hypothesis import given, strategies as st

from protocol.errors import BadFrame
from protocol.ids import NodeId
from protocol.scene.delta import (
    HashedNodes,
    NodeMap,
    Nodes,
    TypedNodes,
    apply,
    difference,
    difference_node,
    node_hash,
    node_map,
    nodes_hash,
    typed,
)
from protocol.scene.nodes import PROMPT_NODE, AnyNode, Counter, Piece, Prompt, Table
from protocol.text import text
from tests.support.clients.wire_nodes import ANY_NODES, COUNTERS, LONG_PROMPTS, PIECES, PUBLIC, SEATS

X = NodeId("x")


@given(ANY_NODES, ANY_NODES)
def test_a_difference_leads_from_one_part_to_the_other(before: Nodes, after: Nodes) -> None:
    patch = difference(before, after)
    assert apply(before, patch) == after
    assert difference(after, apply(before, patch)) == {}


@given(ANY_NODES, ANY_NODES, ANY_NODES)
def test_the_hash_kept_node_by_node_is_that_of_the_whole(first: Nodes, second: Nodes, third: Nodes) -> None:
    kept = HashedNodes(first)
    for nodes in (second, third, first):
        copy = kept.after(difference(kept.nodes, nodes))
        kept.apply(difference(kept.nodes, nodes))
        assert kept.nodes == copy.nodes == nodes
        assert kept.hash == copy.hash == nodes_hash(nodes)


@given(PUBLIC, PUBLIC)
def test_nodes_that_a_patch_does_not_name_are_the_same_objects(before: Nodes, after: Nodes) -> None:
    patch = difference(before, after)
    result = apply(before, patch)
    assert all(result[id] is before[id] for id in before.keys() - patch.keys())


@given(PIECES)
def test_a_node_survives_its_wire_form(piece: Piece) -> None:
    assert typed(node_map(piece)) == piece


@given(PIECES, PIECES)
def test_what_typed_nodes_tell_is_the_plain_difference_and_hash(one: Piece, other: Piece) -> None:
    """Long fields that are the same objects are not looked into: of a changed copy, and between any two nodes."""
    moved = msgspec.structs.replace(one, at=other.at, status=other.status)
    back = msgspec.structs.replace(moved, at=one.at, status=one.status)
    course: list[AnyNode] = [one, other, one, moved, back, moved, other, Counter(text("x"), 1), other, other]
    shown, plain = TypedNodes(), HashedNodes()
    for after in course:
        before = plain.nodes.get(X)
        change = difference_node(before, node_map(after))
        assert shown.show(X, after) == change
        plain.apply({X: change} if change is not None else {})
        assert shown.typed == {"x": after}
        assert shown.nodes == plain.nodes == {"x": node_map(after)}
        assert shown.hash == plain.hash
    kept = shown.nodes[X]
    shown.show(NodeId("y"), one)
    assert shown.nodes[X] is kept
    shown.hide(NodeId("y"))
    shown.hide(X)
    assert (shown.nodes, shown.typed, shown.hash) == ({}, {}, 0)


@given(st.lists(SEATS | COUNTERS, min_size=2, max_size=5))
def test_words_and_numbers_are_told_without_packing_them(course: list[AnyNode]) -> None:
    shown, plain = TypedNodes(), HashedNodes()
    for after in course:
        change = difference_node(plain.nodes.get(X), node_map(after))
        assert shown.show(X, after) == change
        plain.apply({X: change} if change is not None else {})
        assert (shown.nodes, shown.hash) == (plain.nodes, plain.hash)


@given(LONG_PROMPTS, LONG_PROMPTS)
def test_a_prompt_whose_choices_stay_is_told_like_any_other(one: Prompt, other: Prompt) -> None:
    renamed = msgspec.structs.replace(one, title=other.title, id=other.id)
    shown, plain = TypedNodes(), HashedNodes()
    for after in (one, renamed, msgspec.structs.replace(renamed, undo=other.undo), one, other, renamed):
        change = difference_node(plain.nodes.get(PROMPT_NODE), node_map(after))
        assert shown.show(PROMPT_NODE, after) == change
        plain.apply({PROMPT_NODE: change} if change is not None else {})
        assert (shown.nodes, shown.hash) == (plain.nodes, plain.hash)


def test_a_patch_says_no_more_than_what_changed() -> None:
    before = node_map(Piece((1, 2), 50, counters={"hits": 1, "ammo": 2}, status=("down",)))
    after = node_map(Piece((1, 3), 50, counters={"hits": 2}))
    assert difference_node(before, after) == {"at": [1, 3], "counters": {"hits": 2, "ammo": None}, "status": None}
    assert difference_node(before, dict(before)) is None
    assert difference_node(None, after) == after


def test_a_node_may_become_one_of_another_kind() -> None:
    before = {X: node_map(Counter(text("turn"), 1))}
    after = {X: node_map(Table((1, 2)))}
    assert apply(before, difference(before, after)) == after


def test_the_hash_is_the_published_one() -> None:
    """A client in another language can be checked against these bytes."""
    node = node_map(Piece((100, 250), 50, counters={"b": 1, "a": 300}))
    data = (
        b"\x92\xa7piece/1\x84\xa2at\x92\x64\xcc\xfa\xa8counters\x82\xa1a\xcd\x01\x2c\xa1b\x01"
        b"\xa1k\xa5piece\xa6radius\x32"
    )
    assert node_hash(NodeId("piece/1"), node) == int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
    assert nodes_hash({}) == 0


def test_what_is_no_node_is_refused() -> None:
    wrong: list[NodeMap] = [{}, {"k": "dance"}, {"k": "table"}, {"k": "table", "size": [1]}]
    for node in wrong:
        with pytest.raises(BadFrame, match="frame/bad-field"):
            typed(node)


def test_no_node_type_can_hold_a_float_or_a_null() -> None:
    """Wire forms need no check: the only `None` of a field is its default, which does not travel."""
    seen: set[type] = set()

    def walk(kind: msgspec.inspect.Type, *, may_be_none: bool = False) -> None:
        assert not isinstance(kind, msgspec.inspect.FloatType | msgspec.inspect.AnyType | msgspec.inspect.BytesType)
        assert may_be_none or not isinstance(kind, msgspec.inspect.NoneType)
        match kind:
            case msgspec.inspect.UnionType():
                for inner in kind.types:
                    walk(inner, may_be_none=may_be_none)
            case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType():
                walk(kind.item_type)
            case msgspec.inspect.TupleType():
                for inner in kind.item_types:
                    walk(inner)
            case msgspec.inspect.DictType():
                walk(kind.key_type)
                walk(kind.value_type)
            case msgspec.inspect.StructType() if kind.cls not in seen:
                seen.add(kind.cls)
                for field in kind.fields:
                    walk(field.type, may_be_none=field.default is None)

    walk(msgspec.inspect.type_info(AnyNode))
    assert len(seen) > 20
