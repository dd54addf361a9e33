"""The shown scene: it follows the true one through a queue of acts, and needs no clock but the seconds it is given."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from client.model.playback.durations import CATCH_UP, LONGEST_QUEUE, moments_of, seconds_after
from client.model.playback.told_acts import AT_ONCE, Changes, QueuedAct, queued_acts, told_acts
from protocol.ids import NodeId
from protocol.scene.nodes import NO_PROMPT, PROMPT_NODE, ROW_NODE, Act, AnyNode, Cue, Prompt
from protocol.wire.from_server import Delta

MOST_QUEUED = 400
"""Acts in the queue, beyond which the true scene is shown at once."""


@dataclass(frozen=True)
class Playing:
    """The act being shown. `cue`: its present one, None after the last; `progress` of that cue, 0 to 1; `before`: the
    scene as the act began."""

    queued: QueuedAct
    before: Mapping[NodeId, AnyNode]
    cue: Cue | None = None
    progress: float = 1.0


@dataclass
class _Course:
    """Course of the act being shown: `at` is the moment, `gone` the seconds of it at normal speed."""

    queued: QueuedAct
    before: dict[NodeId, AnyNode]
    seconds: list[float]
    after: float
    at: int = 0
    gone: float = 0.0

    @property
    def lasts(self) -> float:
        return self.seconds[self.at] if self.at < len(self.seconds) else self.after

    @property
    def left(self) -> float:
        return sum(self.seconds[self.at :]) + self.after - self.gone


@dataclass
class Listeners:
    """Listeners to what is shown, as it is: `begun` to each act with the scene before it, `cue` to each cue at its
    beginning, `told` to it and its act at its end, `ended` to each act at its end. `begins` and `ends` hear of a cue
    that is seen, rather than passed over, and how many times as fast as at normal speed."""

    begun: Callable[[QueuedAct, Mapping[NodeId, AnyNode]], object] = lambda queued, before: None
    cue: Callable[[Cue], object] = lambda cue: None
    told: Callable[[Cue, QueuedAct], object] = lambda cue, queued: None
    ended: Callable[[QueuedAct], object] = lambda queued: None
    begins: Callable[[Cue, float], object] = lambda cue, rate: None
    ends: Callable[[Cue, float], object] = lambda cue, rate: None


@dataclass
class ShownScene:
    """Scene that is led after the true one while `is_led`; else it takes every change at once.

    `speed`: acts are shown so many times as fast as at normal speed. The prompt and who is waited for are never
    delayed. When a new prompt comes, all that is queued is shown within CATCH_UP seconds.
    """

    listeners: Listeners = field(default_factory=Listeners)
    is_led: bool = False
    speed: float = 1.0
    _nodes: dict[NodeId, AnyNode] = field(default_factory=dict)
    _true: dict[NodeId, AnyNode] = field(default_factory=dict)
    _queue: deque[QueuedAct] = field(default_factory=deque)
    _seconds: float = 0.0
    """Seconds of normal speed that the queue takes."""
    _course: _Course | None = None
    _open: dict[int, Act] = field(default_factory=dict)
    _asked: str = NO_PROMPT
    _left: float | None = None
    """Seconds in which the queue is to be empty."""
    _held: Playing | None = None
    _rate: float = math.inf
    """Times as fast as at normal speed that acts are shown now, infinite where they are passed over."""

    @property
    def nodes(self) -> Mapping[NodeId, AnyNode]:
        """All nodes that are shown. A live, read-only view. The row of cards is the true one while the viewer is asked
        for something: the lit card is the one that they are asked about."""
        row = self._true.get(ROW_NODE)
        if self._asked and row is not None and self._nodes.get(ROW_NODE) is not row:
            return MappingProxyType({**self._nodes, ROW_NODE: row})
        return MappingProxyType(self._nodes)

    @property
    def is_behind(self) -> bool:
        """True while acts are queued or being shown."""
        return self._course is not None or bool(self._queue)

    @property
    def playing(self) -> Playing | None:
        """The act being shown; of a question that is open the act that it interrupts, once all has been shown."""
        course = self._course
        if course is None:
            return self._held
        if course.at >= len(course.seconds):
            return Playing(course.queued, course.before)
        progress = course.gone / course.lasts if course.lasts > 0 else 1.0
        return Playing(course.queued, course.before, course.queued.moments[course.at].cue, min(progress, 1.0))

    def begin(self, nodes: Mapping[NodeId, AnyNode]) -> None:
        """Show a scene that has come whole."""
        self.jump()
        self._nodes, self._true = dict(nodes), dict(nodes)
        self._open.clear()
        self._held = None
        self._note_prompt()

    def take(self, frame: Delta, nodes: Mapping[NodeId, AnyNode]) -> None:
        """Queue what a frame tells and changes; `nodes` is the true scene after it."""
        self.tell(frame.acts, frame.cues, {id: nodes.get(id) for id in frame.patch})

    def tell(self, acts: Sequence[Act], cues: Sequence[Cue], changes: Changes) -> None:
        """Queue acts with their cues, and the nodes that change with them."""
        _apply(self._nodes, {id: node for id, node in changes.items() if id in AT_ONCE})
        told = told_acts(acts, cues, self._open)
        self.queue(queued_acts(told, {id: node for id, node in changes.items() if id not in AT_ONCE}, self._true))
        _apply(self._true, changes)
        for act in acts:
            self._open.pop(act.n, None)
            if not act.how:
                self._open[act.n] = act
        if self._held is not None and self._held.queued.told.n not in self._open:
            self._held = None
        self._note_prompt()
        if not self.is_led or len(self._queue) > MOST_QUEUED:
            self.jump()

    def queue(self, acts: Iterable[QueuedAct]) -> None:
        """Queue acts that change this scene as they once did."""
        for queued in acts:
            self._queue.append(queued)
            self._seconds += _seconds_of(queued)

    def _note_prompt(self) -> None:
        """Hurry where the viewer is asked for something: the queue is to be empty soon."""
        prompt = self._nodes.get(PROMPT_NODE)
        asked = prompt.id if isinstance(prompt, Prompt) and prompt.choices else NO_PROMPT
        if not asked:
            self._left = None
        elif asked != self._asked or self._left is None:
            self._left = CATCH_UP
        self._asked = asked

    def advance(self, seconds: float) -> bool:
        """Let `seconds` pass; return True if anything that is shown has changed."""
        if not self.is_behind:
            return False
        left = self._seconds + (self._course.left if self._course is not None else 0.0)
        rate = max(self.speed, left / LONGEST_QUEUE)
        if self._left is not None:
            rate = max(rate, left / self._left if self._left > 0 else math.inf)
            self._left = max(self._left - seconds, 0.0)
        if math.isinf(rate):
            self.jump()
            return True
        self._rate = rate
        self._play(seconds * rate)
        self._rate = math.inf
        if not self.is_behind:
            self._rest()
        return True

    def jump(self) -> None:
        """Show the true scene at once."""
        if self.is_behind:
            self._play(math.inf)
            self._rest()

    def _rest(self) -> None:
        """Note that all has been shown; an act that a question interrupts stays in sight."""
        if self._asked:
            self._left = CATCH_UP

    def _play(self, seconds: float) -> None:
        """Play on for so many seconds of normal speed."""
        while self.is_behind:
            course = self._course or self._next()
            lasts = course.lasts - course.gone
            if seconds < lasts:
                course.gone += seconds
                return
            seconds -= lasts
            self._end_moment(course)

    def _next(self) -> _Course:
        queued = self._queue.popleft()
        # what is left of an empty queue are faults of rounding
        self._seconds = self._seconds - _seconds_of(queued) if self._queue else 0.0
        if queued.moments or queued.told.act is not None:
            self._held = None
        self._course = _Course(queued, dict(self._nodes), moments_of(queued), seconds_after(queued))
        self.listeners.begun(queued, self._course.before)
        self._begin_moment(self._course)
        return self._course

    def _begin_moment(self, course: _Course) -> None:
        if course.at < len(course.seconds):
            cue = course.queued.moments[course.at].cue
            self.listeners.cue(cue)
            if not math.isinf(self._rate):
                self.listeners.begins(cue, self._rate)
        else:
            _apply(self._nodes, course.queued.changes)
            self.listeners.ended(course.queued)

    def _end_moment(self, course: _Course) -> None:
        if course.at == len(course.seconds):
            told = course.queued.told
            if told.act is not None and not told.has_ended and told.n in self._open:
                moments = course.queued.moments
                self._held = Playing(course.queued, course.before, moments[-1].cue if moments else None)
            self._course = None
            return
        moment = course.queued.moments[course.at]
        _apply(self._nodes, moment.changes)
        self.listeners.told(moment.cue, course.queued)
        if not math.isinf(self._rate):
            self.listeners.ends(moment.cue, self._rate)
        course.at, course.gone = course.at + 1, 0.0
        self._begin_moment(course)


def _seconds_of(queued: QueuedAct) -> float:
    """Return the seconds of normal speed that an act takes."""
    return sum(moments_of(queued)) + seconds_after(queued)


def _apply(nodes: dict[NodeId, AnyNode], changes: Changes) -> None:
    for id, node in changes.items():
        if node is None:
            nodes.pop(id, None)
        else:
            nodes[id] = node
