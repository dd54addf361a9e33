"""Projection: a match as each viewer sees it, node by node, brought up to date by deltas.

One public part for all, one private part a seat; each has its own numbers and hash (protocol/scene/delta.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import is_
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.core.match.causes import TableEvent
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.match.rule_code import named_by
from engine.core.rules.audience import Seat
from engine.core.rules.events import DiceRolled, QuestionClosed, Undone, Voided
from engine.core.rules.questions import Question
from engine.core.rules.record import RollMade
from engine.core.rules.system import PartOrSection, Section
from engine.core.view.prompts import idle_prompt_key, prompt_for, prompt_key, prompt_source, waits_for
from protocol.ids import BEGINNING, NodeId, PromptId, Seq
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.delta import Patch, TypedNodes
from protocol.scene.nodes import NO_PROMPT, PROMPT_NODE, WAITS_NODE, AnyNode, Cue, Dice, Prompt, RollId, StackItem
from protocol.text import Text

S = TypeVar("S")

_SHOWN_BY_CORE: Final = frozenset((Undone, Voided, QuestionClosed))


class SceneChange(msgspec.Struct, frozen=True):
    """The change of one part of the scene to number `n`; a private one belongs to public number `after`."""

    n: Seq
    patch: Patch
    hash: int
    cues: tuple[Cue | TemplatedCues, ...]
    after: Seq


class SceneChanges(msgspec.Struct, frozen=True):
    """The changes of all parts by one step. `public` is None where nobody else may notice that anything happened."""

    public: SceneChange | None
    private: dict[Seat, SceneChange]


class _Presented:
    """The key by which an id was last presented; of a part the id of its node, of a section what is inside."""

    __slots__ = ("key", "node", "within")

    def __init__(self, key: tuple[object, ...], node: NodeId | None, within: dict[str, _Presented]) -> None:
        self.key = key
        self.node = node
        self.within = within


class _BareNodes(TypedNodes):
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
                self.hashed.hide(id)
                patch[id] = None
        self._left.clear()
        self._entered.clear()
        return patch

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
        nodes = TypedNodes if watched else _BareNodes
        finish = partial(_finished, match)
        self.public = PartView(nodes(), finish)
        self.private = {Seat(seat): PartView(nodes(), finish) for seat in range(match.record.seats)}
        self._templates = {template.id for template in match.system.cue_templates}
        self._unseen: set[Seat | None] = set()
        """The parts (None: the public one) to be made again when they are next looked at."""
        self._refresh()

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
        public_cues, private_cues = self._cues(step)
        public_patch, private_patches = self._refresh()
        public: SceneChange | None = None
        if public_patch or public_cues:
            self.public.n = Seq(self.public.n + 1)
            public = SceneChange(self.public.n, public_patch, self.public.hashed.hash, tuple(public_cues), BEGINNING)
        private: dict[Seat, SceneChange] = {}
        for seat in sorted(private_patches.keys() | private_cues.keys()):
            view = self.private[seat]
            view.n = Seq(view.n + 1)
            cues = tuple(private_cues.get(seat, ()))
            private[seat] = SceneChange(view.n, private_patches.get(seat, {}), view.hashed.hash, cues, self.public.n)
        return SceneChanges(public, private)

    def _refresh(self) -> tuple[Patch, dict[Seat, Patch]]:
        match = self._match
        before = self._waiting
        patch = self._refresh_public()
        waiting = self._waiting
        standing = idle_prompt_key(match)
        if len(standing) != len(self._standing) or not all(map(is_, standing, self._standing)):
            self._standing, before = standing, tuple(self.private)
        concerned = {*before, *waiting}
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
        return patch

    def _refresh_seat(self, seat: Seat, view: PartView, shown: tuple[PartOrSection, ...]) -> Patch:
        match = self._match
        patch = view.present(shown) if shown or view.has_more else {}
        view.has_more = bool(shown)
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

    def _cues(self, step: Step[S]) -> tuple[list[Cue | TemplatedCues], dict[Seat, list[Cue | TemplatedCues]]]:
        public: list[Cue | TemplatedCues] = []
        private: dict[Seat, list[Cue | TemplatedCues]] = {}
        tell = self._match.system.cues
        if type(step.cause) is TableEvent and (code := named_by(step.cause)) is not None:
            public.append(Cue("note", Text(f"log.{step.cause.kind}", {"version": code.version})))
        for trace in step.trail:
            event = trace.event
            if type(event) in _SHOWN_BY_CORE:
                public.extend(_core_cues(event))
            told = tell(event, trace.before, trace.after)
            if not told:  # most entries: an empty tuple
                continue
            cues = [self._with_dice(cue, step) for cue in told]
            audience = event.audience()
            if audience.public:
                public.extend(cues)
            else:
                for seat in audience.seats or ():
                    private.setdefault(Seat(seat), []).extend(cues)
        return public, private

    def _with_dice(self, cue: Cue | TemplatedCues, step: Step[S]) -> Cue | TemplatedCues:
        """Fill in the dice that a cue names."""
        if not isinstance(cue, TemplatedCues):
            if cue.dice is None:
                return cue
            return msgspec.structs.replace(cue, dice=_filled(cue.dice, _roll_of(step, cue.dice.roll)))
        if cue.template.id not in self._templates:
            raise LookupError(f"{self._match.system.name} does not list the cue template {cue.template.name!r}")
        roll = cue.template.roll(cue)
        if roll is None:
            return cue
        made = _roll_of(step, roll)
        return cue.template.filled(cue, made.seat, made.sides, made.faces)


def _finished(match: Match[Any], node: AnyNode) -> AnyNode:
    """Fill in the dice that a node names."""
    if type(node) is not StackItem or not node.dice:
        return node
    find = match.record.roll
    return msgspec.structs.replace(node, dice=tuple([_filled(dice, find(dice.roll)) for dice in node.dice]))


def _roll_of(step: Step[S], id: RollId) -> RollMade | DiceRolled:
    """Return the roll of this number that was made in this step, or not long before. Raises LookupError."""
    try:
        return step.record.roll(id)
    except LookupError:
        # the step has more rolls than a record remembers
        for trace in step.trail:
            if isinstance(trace.event, DiceRolled) and trace.event.id == id:
                return trace.event
        raise


def _filled(dice: Dice, made: RollMade | DiceRolled) -> Dice:
    """Copy `dice` with seat, sides and faces of the roll that they name."""
    return msgspec.structs.replace(dice, seat=made.seat, sides=made.sides, faces=made.faces)


def _core_cues(event: object) -> Iterable[Cue]:
    """Yield the cues of an event of the core: all of them are public."""
    if isinstance(event, Undone):
        yield Cue("note", Text("log.undone", {"seat": Text(f"seat.{event.seat}")}), seat=event.seat)
    elif isinstance(event, Voided):
        yield Cue("note", Text("log.voided", {"error": event.error}))
    elif isinstance(event, QuestionClosed):
        for given in event.answers:
            if given.by_default:
                yield Cue("note", Text("log.expired", {"seat": Text(f"seat.{given.seat}")}), seat=given.seat)
