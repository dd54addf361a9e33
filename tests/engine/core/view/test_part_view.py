"""Parts of the scene: nodes made once, and again where their part of the state has changed."""

from __future__ import annotations

from engine.core.rules.system import Part, PartOrSection, Section
from engine.core.view.part_view import PartView
from protocol.ids import NodeId
from protocol.scene.delta import Patch, TypedNodes
from protocol.scene.nodes import AnyNode, Counter, StackItem
from protocol.text import Text

A = NodeId("a")


def shown(id: NodeId, value: int, key: tuple[object, ...], made: list[str] | None = None) -> Part:
    """Present a counter as nodes; note the ids of those that are really made."""

    def make() -> AnyNode:
        if made is not None:
            made.append(id)
        return Counter(Text(id), value)

    return Part(id, key, make)


def view() -> PartView:
    return PartView(TypedNodes(), lambda node: node)


def test_a_node_is_made_again_only_when_its_part_of_the_state_is_another_object() -> None:
    part, made = view(), list[str]()
    one, equal = ["state"], ["state"]
    assert part.present([shown(A, 1, (one,), made)]).keys() == {"a"}
    assert part.present([shown(A, 2, (one,), made)]) == {}
    assert part.typed == {"a": Counter(Text("a"), 1)}
    assert part.present([shown(A, 2, (equal,), made)]) == {"a": {"value": 2}}
    assert part.present([shown(A, 2, (equal, one), made)]) == {}
    assert made == ["a"] * 3


def test_what_is_no_longer_shown_is_gone() -> None:
    part = view()
    part.present([shown(A, 1, ()), Section("s", (), lambda: [shown(NodeId("b"), 1, ()), shown(NodeId("c"), 1, ())])])
    assert part.present([shown(A, 1, ())]) == {"b": None, "c": None}
    assert part.typed.keys() == {"a"}
    assert part.present([]) == {"a": None}
    assert part.hashed.hash == TypedNodes().hash


def test_open_actions_leave_in_the_order_in_which_they_were_shown() -> None:
    part = view()
    stack = {NodeId(f"stack/act.{place}"): StackItem(Text("a"), -place) for place in range(6)}
    part.put_stack(stack, {})
    patch: Patch = {}
    part.put_stack({}, patch)
    assert list(patch) == list(stack)


def test_a_section_that_is_the_same_is_not_looked_into() -> None:
    part, state = view(), object()
    looks: list[str] = []

    def parts() -> list[PartOrSection]:
        looks.append("look")
        return [shown(A, 1, (state,))]

    for _ in range(2):
        part.present([Section("s", (state,), parts)])
    part.present([Section("s", (object(),), parts)])
    assert looks == ["look"] * 2


def test_a_node_may_go_over_to_another_section() -> None:
    part = view()

    def sections(first: list[PartOrSection], second: list[PartOrSection]) -> list[PartOrSection]:
        return [Section("one", (first,), lambda: first), Section("two", (second,), lambda: second)]

    part.present(sections([shown(A, 1, ())], []))
    assert part.present(sections([], [shown(A, 2, ())])) == {"a": {"value": 2}}
    assert part.present(sections([shown(A, 3, ())], [])) == {"a": {"value": 3}}
    assert part.typed == {"a": Counter(Text("a"), 3)}


def test_a_node_of_no_section_is_put_and_taken_away() -> None:
    part, node, patch = view(), Counter(Text("a"), 1), dict[NodeId, dict[str, object] | None]()
    part.put(A, node, patch)
    assert patch.keys() == {"a"}
    patch.clear()
    part.put(A, node, patch)
    part.put(NodeId("b"), None, patch)
    assert patch == {}
    part.put(A, None, patch)
    assert patch == {"a": None}
