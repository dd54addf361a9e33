"""Projection: a match as each viewer sees it, node by node, kept up with deltas.

One public part for all, one private part a seat; each has its own numbers and hash (protocol/delta.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

import msgspec

from engine.core.audience import Seat
from engine.core.events import DiceRolled, QuestionClosed, Undone, Voided
from engine.core.prompts import prompt_for, waits_for
from engine.core.system import Part
from protocol.delta import HashedNodes, Patch, difference_node, node_map
from protocol.scene import AnyNode, Cue, Prompt
from protocol.text import Text

if TYPE_CHECKING:
    from engine.core.course import Step
    from engine.core.game import Trace
    from engine.core.match import Match

S = TypeVar("S")

MOST_UNSHOWN: Final = 64
"""Rolls that are remembered until a cue shows them: a question may come between the dice and what they mean."""


class Change(NamedTuple):
    """One part's change to number `n`; a private one belongs to public number `after`."""

    n: int
    patch: Patch
    hash: int
    cues: tuple[Cue, ...]
    after: int


class Frames(NamedTuple):
    """What one step changes for whom. `public` is None where nobody else may notice that anything happened."""

    public: Change | None
    private: dict[Seat, Change]


class PartView:
    """One part of the scene as last presented."""

    def __init__(self) -> None:
        self.n = 0
        self.prompts = 0
        self.typed: dict[str, AnyNode] = {}
        self.hashed = HashedNodes()
        self._keys: dict[str, tuple[object, ...]] = {}

    def present(self, parts: Iterable[Part]) -> Patch:
        """Make the nodes whose part of the state is no longer the same object; returns what changed."""
        patch: Patch = {}
        seen: set[str] = set()
        for part in parts:
            seen.add(part.id)
            known = self._keys.get(part.id)
            if known is not None and len(known) == len(part.key) and all(map(_same, known, part.key)):
                continue
            self._keys[part.id] = part.key
            self._show(part.id, part.make(), patch)
        for gone in [id for id in self.typed if id not in seen]:
            del self.typed[gone], self._keys[gone]
            patch[gone] = None
        if patch:
            self.hashed.apply(patch)
        return patch

    def _show(self, id: str, node: AnyNode, patch: Patch) -> None:
        if node == self.typed.get(id):
            return
        before = self.hashed.nodes.get(id)
        after = node_map(node)
        self.typed[id] = node
        change = difference_node(before, after)
        if change is not None:
            patch[id] = change


def _same(one: object, other: object) -> bool:
    return one is other


class Projector(Generic[S]):
    """All viewers' pictures of one match. `stream` names this run of numbers (a restart begins another)."""

    def __init__(self, match: Match[S], stream: str) -> None:
        self._match = match
        self.stream = stream
        self.public = PartView()
        self.private = {Seat(seat): PartView() for seat in range(match.record.seats)}
        self._rolled: deque[DiceRolled] = deque(maxlen=MOST_UNSHOWN)
        self._refresh()

    def scene(self, seat: Seat | None) -> dict[str, AnyNode]:
        """The nodes that this viewer sees (None: a spectator)."""
        if seat is None:
            return self.public.typed
        return {**self.public.typed, **self.private[seat].typed}

    def prompt(self, seat: Seat) -> Prompt | None:
        """The prompt that this seat has been shown last."""
        node = self.private[seat].typed.get("prompt")
        return node if isinstance(node, Prompt) else None

    def advance(self, step: Step[S]) -> Frames:
        """The step is settled: what each viewer is to be told."""
        public_cues, private_cues = self._cues(step.trail)
        public_patch, private_patches = self._refresh()
        public: Change | None = None
        if public_patch or public_cues:
            self.public.n += 1
            public = Change(self.public.n, public_patch, self.public.hashed.hash, tuple(public_cues), 0)
        private: dict[Seat, Change] = {}
        for seat, view in self.private.items():
            cues = tuple(private_cues.get(seat, ()))
            if private_patches[seat] or cues:
                view.n += 1
                private[seat] = Change(view.n, private_patches[seat], view.hashed.hash, cues, self.public.n)
        return Frames(public, private)

    def _refresh(self) -> tuple[Patch, dict[Seat, Patch]]:
        match = self._match
        public = [*match.system.public(match.state), Part("waits", (object(),), lambda: waits_for(match))]
        patch = self.public.present(public)
        return patch, {seat: self._refresh_seat(seat, view) for seat, view in self.private.items()}

    def _refresh_seat(self, seat: Seat, view: PartView) -> Patch:
        match = self._match
        parts = list(match.system.private(match.state, seat))
        prompt = prompt_for(match, seat)
        if prompt is not None:
            shown = self._numbered(prompt, view)
            parts.append(Part("prompt", (object(),), lambda: shown))
        return view.present(parts)

    def _numbered(self, prompt: Prompt, view: PartView) -> Prompt:
        """Keep the id while the choices stay the same; else the next of this seat's prompts."""
        before = view.typed.get("prompt")
        if isinstance(before, Prompt) and msgspec.structs.replace(before, id="") == prompt:
            return before
        view.prompts += 1
        return msgspec.structs.replace(prompt, id=f"{self.stream}-{view.prompts}")

    def _cues(self, trail: Sequence[Trace[S]]) -> tuple[list[Cue], dict[Seat, list[Cue]]]:
        public: list[Cue] = []
        private: dict[Seat, list[Cue]] = {}
        for trace in trail:
            if isinstance(trace.event, DiceRolled):
                self._rolled.append(trace.event)
            found = (*_core_cues(trace), *self._match.system.cues(*trace))
            cues = [_numbered_dice(cue, self._rolled) for cue in found]
            if not cues:
                continue
            audience = trace.event.audience()
            if audience.public:
                public.extend(cues)
            else:
                for seat in audience.seats or ():
                    private.setdefault(Seat(seat), []).extend(cues)
        return public, private


def _numbered_dice(cue: Cue, rolled: deque[DiceRolled]) -> Cue:
    """The cue whose dice say which roll they were: the first with these faces that no cue has shown yet."""
    dice = cue.dice
    if dice is None:
        return cue
    for place, roll in enumerate(rolled):
        if (roll.sides, roll.faces, roll.seat) == (dice.sides, dice.faces, dice.seat):
            del rolled[place]
            shown = msgspec.structs.replace(dice, round=roll.round, n=roll.n, hidden=not roll.to.public)
            return msgspec.structs.replace(cue, dice=shown)
    return cue


def _core_cues(trace: Trace[S]) -> Iterable[Cue]:
    event = trace.event
    if isinstance(event, Undone):
        yield Cue("note", Text("log.undone", {"seat": Text(f"seat.{event.seat}")}), seat=event.seat)
    elif isinstance(event, Voided):
        yield Cue("note", Text("log.voided", {"error": event.error}))
    elif isinstance(event, QuestionClosed):
        for given in event.answers:
            if given.by_default:
                yield Cue("note", Text("log.expired", {"seat": Text(f"seat.{given.seat}")}), seat=given.seat)
