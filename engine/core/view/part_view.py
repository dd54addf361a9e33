"""A part of the scene as it was last presented: its nodes, made again where their part of the state has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_
from typing import Final

from engine.core.rules.system import PartOrSection, Section
from protocol.ids import BEGINNING, NodeId
from protocol.scene.delta import Patch, TypedNodes
from protocol.scene.nodes import AnyNode, StackItem
from protocol.text import Text

NAMES: Final = 2_000
"""The names that a part remembers of nodes that have left."""


class _Presented:
    """The key by which an id was last presented; of a part the id of its node, of a section what is inside."""

    __slots__ = ("key", "node", "within")

    def __init__(self, key: tuple[object, ...], node: NodeId | None, within: dict[str, _Presented]) -> None:
        self.key = key
        self.node = node
        self.within = within


class BareNodes(TypedNodes):
    """Nodes without a wire form: they are neither packed nor compared."""

    def show(self, id: NodeId, node: AnyNode) -> None:
        self.typed[id] = node

    def hide(self, id: NodeId) -> None:
        del self.typed[id]


class PartView:
    """A part of the scene as last presented. `finish` completes a node that a system gives."""

    def __init__(self, nodes: TypedNodes, finish: Callable[[AnyNode], AnyNode]) -> None:
        self.n = BEGINNING
        self.prompts = 0
        self.prompt_key: tuple[object, ...] = (object(),)
        self.question = -1
        """The question that the prompt puts, -1 where it puts none."""
        self.has_more = False
        """True where it last showed anything beside its prompt."""
        self.hashed = nodes
        self.gone: dict[NodeId, Text] = {}
        """The names of nodes that have left, the newest NAMES of them."""
        self.stack: dict[NodeId, StackItem] = {}
        """The open actions that the core shows."""
        self._finish = finish
        self._presented: dict[str, _Presented] = {}
        self._entered: set[NodeId] = set()
        self._left: list[NodeId] = []

    @property
    def typed(self) -> dict[NodeId, AnyNode]:
        """The nodes by id."""
        return self.hashed.typed

    def present(self, shown: Iterable[PartOrSection]) -> Patch:
        """Make the nodes whose part of the state is no longer the same object; return what changed."""
        patch: Patch = {}
        self._walk(self._presented, shown, patch)
        for id in self._left:
            if id not in self._entered:  # else it has passed to another section
                self._remember(id)
                self.hashed.hide(id)
                patch[id] = None
        self._left.clear()
        self._entered.clear()
        return patch

    def _remember(self, id: NodeId) -> None:
        name = getattr(self.typed[id], "name", None)
        if isinstance(name, Text):
            self.gone[id] = name
            if len(self.gone) > NAMES:
                del self.gone[next(iter(self.gone))]

    def put(self, id: NodeId, node: AnyNode | None, patch: Patch) -> None:
        """Show a node that is in no section, or hide it (None); the change goes into the patch."""
        before = self.typed.get(id)
        if node is before:
            return
        if node is None:
            self.hashed.hide(id)
            patch[id] = None
            return
        change = self.hashed.show(id, node)
        if change is not None:
            patch[id] = change

    def put_stack(self, stack: dict[NodeId, StackItem], patch: Patch) -> None:
        """Show these open actions in the place of those before."""
        for id in [id for id in self.stack if id not in stack]:  # in one order, as replays and servers are compared
            self.put(id, None, patch)
        for id, item in stack.items():
            self.put(id, self._finish(item), patch)
        self.stack = stack

    def _walk(self, kept: dict[str, _Presented], shown: Iterable[PartOrSection], patch: Patch) -> None:
        seen: set[str] = set()
        for one in shown:
            id, key = one.id, one.key
            seen.add(id)
            known = kept.get(id)
            if known is not None and len(known.key) == len(key) and all(map(is_, known.key, key)):
                continue
            if isinstance(one, Section):
                within = known.within if known is not None else {}
                self._walk(within, one.parts(), patch)
                kept[id] = _Presented(key, None, within)
            else:
                change = self.hashed.show(one.id, self._finish(one.make()))
                if change is not None:
                    patch[one.id] = change
                kept[id] = _Presented(key, one.id, {})
                if known is None:
                    self._entered.add(one.id)
        if len(seen) < len(kept):
            for id in [id for id in kept if id not in seen]:
                self._leave(kept.pop(id))

    def _leave(self, gone: _Presented) -> None:
        if gone.node is not None:
            self._left.append(gone.node)
        for kept in gone.within.values():
            self._leave(kept)
