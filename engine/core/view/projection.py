"""Projection: a match as each viewer sees it, node by node, brought up to date by deltas.

One public part for all, one private part a seat; each has its own numbers and hash (protocol/scene/delta.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import is_
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.questions import Question
from engine.core.rules.system import PartOrSection
from engine.core.view.acts import NamesByKey, open_names, stack_of
from engine.core.view.part_view import BareNodes, PartView
from engine.core.view.prompts import idle_prompt_key, prompt_for, prompt_key, prompt_source, waits_for
from engine.core.view.telling import NOTHING, StepTeller, Told, filled
from protocol.ids import BEGINNING, NodeId, PromptId, Seq
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.delta import Patch, TypedNodes
from protocol.scene.nodes import (
    NO_PROMPT,
    PROMPT_NODE,
    WAITS_NODE,
    Act,
    AnyNode,
    Cue,
    Prompt,
    Result,
    StackItem,
)

S = TypeVar("S")


class SceneChange(msgspec.Struct, frozen=True):
    """The change of one part of the scene to number `n`; a private one belongs to public number `after`. `acts` began
    or ended in it; `of`: the act that each of the cues is part of, 0 for none."""

    n: Seq
    patch: Patch
    hash: int
    cues: tuple[Cue | TemplatedCues, ...]
    after: Seq
    acts: tuple[Act, ...] = ()
    of: tuple[int, ...] = ()


class SceneChanges(msgspec.Struct, frozen=True):
    """The changes of all parts by one step. `public` is None where nobody else may notice that anything happened.
    `told`: all that is told of the step, with all names."""

    public: SceneChange | None
    private: dict[Seat, SceneChange]
    told: Mapping[Seat | None, Told] = {}


class Projector(Generic[S]):
    """The scenes of all viewers of one match. `stream` names this run of numbers (a restart begins another).

    One that is not `watched` is for programs in this process that look at nodes and prompts: it gives no changes, no
    hashes and no wire forms, and makes each part when it is looked at.
    """

    def __init__(self, match: Match[S], stream: str, *, watched: bool = True) -> None:
        self._match = match
        self.stream = stream
        self._waiting: tuple[Seat, ...] = ()
        self._waits: tuple[tuple[Seat, ...], Question | None] | None = None
        """The seats that the table last waited for, with the question that was open then."""
        self._standing: tuple[object, ...] = ()
        nodes = TypedNodes if watched else BareNodes
        finish = partial(_finished, match)
        self.public = PartView(nodes(), finish)
        self.private = {Seat(seat): PartView(nodes(), finish) for seat in range(match.record.seats)}
        self._teller = StepTeller(match)
        self._names: tuple[int, NamesByKey] = -1, {}
        """The version of the match, and the names of the actions that were open then."""
        self._unseen: set[Seat | None] = set()
        """The parts (None: the public one) to be made again when they are next looked at."""
        self._refresh()

    @property
    def version(self) -> int:
        """The match's version: that of the newest step."""
        return self._match.version

    def scene(self, seat: Seat | None) -> dict[NodeId, AnyNode]:
        """Return the nodes that this viewer sees (None: a spectator)."""
        if None in self._unseen:
            self._unseen.remove(None)
            self._refresh_public()
        if seat is None:
            return self.public.typed
        self._see(seat)
        return {**self.public.typed, **self.private[seat].typed}

    def prompt(self, seat: Seat) -> Prompt | None:
        """Return the prompt of this seat, None where it has none."""
        self._see(seat)
        node = self.private[seat].typed.get(PROMPT_NODE)
        return node if isinstance(node, Prompt) else None

    def invalidate(self) -> None:
        """Invalidate all parts; they are rebuilt on next access."""
        self._unseen.update((None, *self.private))

    def _see(self, seat: Seat) -> None:
        if seat in self._unseen:
            self._unseen.remove(seat)
            self._waiting = self._match.may_act()
            self._refresh_seat(seat, self.private[seat], tuple(self._match.system.private(self._match.state, seat)))

    def advance(self, step: Step[S]) -> SceneChanges:
        """Return the changes of every viewer's scene by a settled step. Raises LookupError where a cue or node of the
        system shows dice that name no roll which was made, or uses a cue template that the system does not list."""
        told = self._teller.told(step)
        patch, patches = self._refresh()
        public: SceneChange | None = None
        if patch or None in told:
            public = self._changed(self.public, patch, told.get(None, NOTHING), BEGINNING)
        private: dict[Seat, SceneChange] = {}
        for seat, view in self.private.items():
            if seat in patches or seat in told:
                news = told.get(seat, NOTHING)
                private[seat] = self._changed(view, patches.get(seat, {}), news, self.public.n)
        return SceneChanges(public, private, told)

    @staticmethod
    def _changed(view: PartView, patch: Patch, told: Told, after: Seq) -> SceneChange:
        view.n = n = Seq(view.n + 1)
        nodes = view.hashed
        acts = tuple([_named(act, nodes.typed) for act in told.acts])
        return SceneChange(n, patch, nodes.hash, tuple(told.cues), after, acts, tuple(told.of))

    def _refresh(self) -> tuple[Patch, dict[Seat, Patch]]:
        match = self._match
        before = self._waiting
        patch = self._refresh_public()
        waiting = self._waiting
        standing = idle_prompt_key(match)
        if len(standing) != len(self._standing) or not all(map(is_, standing, self._standing)):
            self._standing, before = standing, tuple(self.private)
        concerned = {*before, *waiting}
        for action in match.record.declared:
            concerned.update(map(Seat, action.numbers))
        found: dict[Seat, Patch] = {}
        present, state = match.system.private, match.state
        for seat, view in self.private.items():
            shown = present(state, seat)
            # most seats in most steps: nothing of their own, and the same prompt as before
            if shown or view.has_more or seat in concerned:
                own = self._refresh_seat(seat, view, tuple(shown))
                if own:
                    found[seat] = own
        return patch, found

    def _refresh_public(self) -> Patch:
        match, waits = self._match, self._waits
        waiting = self._waiting = match.may_act()
        patch = self.public.present(match.system.public(match.state))
        if waits is None or waiting != waits[0] or match.question is not waits[1]:
            self._waits = waiting, match.question
            self.public.put(WAITS_NODE, waits_for(match, waiting), patch)
        if match.record.declared or self.public.stack:
            self.public.put_stack(stack_of(match, None, self._open_names()), patch)
        return patch

    def _open_names(self) -> NamesByKey:
        """Return the names of the open actions, worked out once a step for all viewers."""
        if self._names[0] != self._match.version:
            self._names = self._match.version, open_names(self._match)
        return self._names[1]

    def _refresh_seat(self, seat: Seat, view: PartView, shown: tuple[PartOrSection, ...]) -> Patch:
        match = self._match
        patch = view.present(shown) if shown or view.has_more else {}
        own = stack_of(match, seat, self._open_names()) if match.record.declared else {}
        if own or view.stack:
            view.put_stack(own, patch)
        view.has_more = bool(shown) or bool(own)
        source = prompt_source(match, seat) if seat in self._waiting else None
        key = prompt_key(match, seat, source)
        if len(key) != len(view.prompt_key) or not all(map(is_, key, view.prompt_key)):
            view.prompt_key = key
            prompt = prompt_for(match, seat, source)
            question = match.question
            asked = question.id if question is not None and source is not None else -1
            view.put(PROMPT_NODE, self._numbered(prompt, view, asked) if prompt is not None else None, patch)
        return patch

    def _numbered(self, prompt: Prompt, view: PartView, asked: int) -> Prompt:
        """Give a prompt its id: the same while the choices stay the same, else the next of this seat. Another question
        gets another id, though in the same words: an answer to the first is none to the second."""
        before, asked_before = view.typed.get(PROMPT_NODE), view.question
        view.question = asked
        if (
            isinstance(before, Prompt)
            and asked == asked_before
            and msgspec.structs.replace(before, id=NO_PROMPT) == prompt
        ):
            return before
        view.prompts += 1
        return msgspec.structs.replace(prompt, id=PromptId(f"{self.stream}-{view.prompts}"))


def _named(act: Act, nodes: Mapping[NodeId, AnyNode]) -> Act:
    """Return an act without the names that its viewer's part of the scene has."""
    about = act.about
    lacking = {}
    for part, name in act.names.items():
        there = getattr(nodes.get(about[part]), "name", None)
        if there is not name and there != name:
            lacking[part] = name
    return msgspec.structs.replace(act, names=lacking)


def _finished(match: Match[Any], node: AnyNode) -> AnyNode:
    """Fill in the dice that a node names, and the series of the result."""
    if type(node) is Result:
        return msgspec.structs.replace(node, series=match.series())
    if type(node) is not StackItem or not node.dice:
        return node
    find = match.record.roll
    return msgspec.structs.replace(node, dice=tuple([filled(dice, find(dice.roll)) for dice in node.dice]))
