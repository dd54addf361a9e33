"""Client's picture of a table: the public part and its own private part, kept up by deltas."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from protocol.ids import BEGINNING, NodeId, Seq
from protocol.scene.cue_templates import TemplateBody
from protocol.scene.delta import HashedNodes, typed
from protocol.scene.nodes import PROMPT_NODE, AnyNode, Cue, Prompt
from protocol.scene.template_filling import TemplateFilling
from protocol.wire.from_server import Delta, Snapshot

Frames = tuple[Snapshot | Delta, ...]
"""Frames that are shown by the one that came, in order: none while it waits."""

PARTS: Final = ("public", "private")
MOST_HELD: Final = 256
MOST: Final = 2**53
"""The largest number that a client can name in a `Resume`."""


class Drift(NamedTuple):
    """Difference of a part (public, private) from what the server has: ask for it whole. `why`: number, hash, shape,
    stream, held. `taken` is what was shown before that was noticed."""

    part: str
    why: str
    taken: Frames = ()


class _State(Enum):
    MISSING = auto()  # no snapshot has come
    WHOLE = auto()
    LOST = auto()  # drifted: only a snapshot helps


class _Part:
    """Part of the scene with its number."""

    def __init__(self) -> None:
        self.n = BEGINNING
        self.nodes = HashedNodes()
        self.state = _State.MISSING


class SceneModel:
    """Picture kept by snapshots and deltas in the order they come; a private one is held back until its public number
    is there.

    After a drift the part shows what it last showed, and takes nothing but a snapshot. `forms`: those of the cues, by
    id; a live view of what is known.
    """

    def __init__(self, forms: Mapping[int, TemplateBody] = MappingProxyType({})) -> None:
        self._templates = forms
        self.stream = ""
        self._parts = {part: _Part() for part in PARTS}
        self._typed: dict[NodeId, AnyNode] = {}
        self._held: deque[Snapshot | Delta] = deque()

    @property
    def nodes(self) -> Mapping[NodeId, AnyNode]:
        """All nodes that are shown, typed; a private node hides the public one of the same id. A live, read-only
        view."""
        return MappingProxyType(self._typed)

    @property
    def prompt(self) -> Prompt | None:
        """Prompt of the viewer; None where they may do nothing now."""
        node = self._typed.get(PROMPT_NODE)
        return node if isinstance(node, Prompt) else None

    @property
    def public(self) -> HashedNodes:
        """Public part in wire form."""
        return self._parts["public"].nodes

    @property
    def private(self) -> HashedNodes:
        """Private part in wire form (empty for a spectator)."""
        return self._parts["private"].nodes

    @property
    def numbers(self) -> tuple[Seq, Seq]:
        """Last public and last private number shown."""
        return self._parts["public"].n, self._parts["private"].n

    @property
    def hashes(self) -> tuple[tuple[Seq, int], tuple[Seq, int]]:
        """Number and hash of the public and of the private part."""
        public, private = self._parts["public"], self._parts["private"]
        return (public.n, public.nodes.hash), (private.n, private.nodes.hash)

    @property
    def is_whole(self) -> bool:
        """True where the public part has come and nothing has drifted."""
        return self._parts["public"].state is _State.WHOLE and not self.is_lost

    @property
    def has_private(self) -> bool:
        """True where the private part has come (a spectator has none)."""
        return self._parts["private"].state is _State.WHOLE

    @property
    def is_lost(self) -> bool:
        """True where a part has drifted: only a snapshot of it helps."""
        return any(part.state is _State.LOST for part in self._parts.values())

    def take(self, frame: Snapshot | Delta) -> Frames | Drift:
        """Apply a frame, and what waited for it. Nothing of a frame that has drifted is shown; the cues of those that
        were shown are filled.

        Raises BadFrame for a node of an unknown kind or shape, or a cue of an unknown form; the picture is then as
        before.
        """
        if frame.part not in PARTS:
            return self._drifted("public", "shape")
        if not (0 <= frame.n <= MOST and 0 <= frame.after <= MOST):
            return self._drifted(frame.part, "shape")
        if frame.part == "private" and isinstance(frame, Snapshot) and frame.stream != self.stream:
            return self._drifted("private", "stream")
        if frame.part == "private" and frame.after > self._parts["public"].n:
            return self._hold(frame)
        taken = self._apply(frame)
        while not isinstance(taken, Drift) and self._held and self._held[0].after <= self._parts["public"].n:
            more = self._apply(self._held.popleft())
            taken = more._replace(taken=taken) if isinstance(more, Drift) else taken + more
        return taken

    def _hold(self, frame: Snapshot | Delta) -> Frames | Drift:
        if isinstance(frame, Snapshot):
            self._held.clear()
        if len(self._held) >= MOST_HELD:
            self._held.clear()
            return self._drifted("private", "held")
        self._held.append(frame)
        return ()

    def _apply(self, frame: Snapshot | Delta) -> Frames | Drift:
        if isinstance(frame, Snapshot):
            return self._take_snapshot(frame)
        part = self._parts[frame.part]
        if part.state is _State.LOST:
            return ()
        if part.state is _State.MISSING or frame.n != part.n + 1:
            return self._drifted(frame.part, "number")
        try:
            nodes = part.nodes.after(frame.patch)
        except TypeError:
            return self._drifted(frame.part, "shape")
        return self._show(self._filled(frame, nodes), nodes, frozenset(frame.patch))

    def _filled(self, frame: Delta, after: HashedNodes) -> Delta:
        """Return the delta with its cues filled: names as they were before it, or else as they are after it."""
        if not frame.acts and not frame.of and all(isinstance(cue, Cue) for cue in frame.told):
            return frame
        before = self._parts[frame.part].nodes
        filling = TemplateFilling(self._templates, (before.nodes, after.nodes, self.public.nodes))
        acts = TemplateFilling({}, (after.nodes, self.public.nodes)).acts(frame.acts)
        return msgspec.structs.replace(frame, told=filling.cues(frame.told, frame.of), of=(), acts=acts)

    def _take_snapshot(self, frame: Snapshot) -> Frames | Drift:
        if frame.stream != self.stream:
            self._begin(frame.stream)
        try:
            nodes = HashedNodes(frame.nodes)
        except TypeError:
            return self._drifted(frame.part, "shape")
        before = self._parts[frame.part].nodes.nodes
        return self._show(frame, nodes, frozenset(before.keys() | frame.nodes.keys()))

    def _begin(self, stream: str) -> None:
        self.stream = stream
        self._parts = {part: _Part() for part in PARTS}
        self._typed = {}
        self._held.clear()

    def _show(self, frame: Snapshot | Delta, nodes: HashedNodes, changed: frozenset[NodeId]) -> Frames | Drift:
        if nodes.hash != frame.hash:
            return self._drifted(frame.part, "hash")
        public = nodes if frame.part == "public" else self.public
        private = nodes if frame.part == "private" else self.private
        shown = {id: private.nodes.get(id) or public.nodes.get(id) for id in changed}
        fresh = {id: typed(node) for id, node in shown.items() if node is not None}
        part = self._parts[frame.part]
        part.n, part.nodes, part.state = frame.n, nodes, _State.WHOLE
        for id in changed - fresh.keys():
            self._typed.pop(id, None)
        self._typed.update(fresh)
        return (frame,)

    def _drifted(self, part: str, why: str) -> Drift:
        self._parts[part].state = _State.LOST
        return Drift(part, why)
