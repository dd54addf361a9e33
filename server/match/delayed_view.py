"""The all-seeing view: all that anybody at the table knows, as it was two minutes and a whole round ago."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from protocol.canonical import packed
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.delta import HashedNodes, Nodes, Patch, difference
from protocol.scene.nodes import Cue
from protocol.wire.codec import encode
from protocol.wire.from_server import Delta, Snapshot
from server.match.frames import PUBLIC, as_told

if TYPE_CHECKING:
    from engine.core.view.projection import Projector, SceneChanges

ROUNDS: Final = 2
"""What happened in a round is shown when the round after it is over: then a whole round lies between."""
MOST_BYTES: Final = 8 * 1024 * 1024
"""What may be kept of steps not shown yet; beyond it they are forgotten for one picture of what they came to."""


class _Waiting(NamedTuple):
    at: float
    round: int
    patch: Patch
    cues: tuple[Cue | TemplatedCues, ...]
    whole: bool


class DelayedView:
    """Takes what is shown now, and gives it out when it is due; never earlier.

    When something happened is not in the log: after a restart all that was is taken to have happened then.
    `now`: seconds of a clock that does not go backwards.
    """

    def __init__(self, projector: Projector[Any], stream: str, seconds: float, now: float, round: int) -> None:
        self.stream = stream
        self.n = 0
        self.shown: HashedNodes | None = None
        """What is shown, None where nothing is yet."""
        self._projector = projector
        self._seconds = seconds
        self._known: Nodes = {}
        self._waiting: deque[_Waiting] = deque()
        self._bytes = 0
        self._begin(now, round)

    def _begin(self, now: float, round: int) -> None:
        self._known = everything(self._projector)
        self._waiting.clear()
        self._bytes = 0
        self._waiting.append(_Waiting(now, round, dict(self._known), (), whole=True))

    def step(self, frames: SceneChanges, now: float, round: int) -> None:
        """A step has been shown to all whom it concerns."""
        newest = everything(self._projector)
        patch = difference(self._known, newest)
        cues = _cues(frames)
        if not patch and not cues:
            return
        self._known = newest
        self._waiting.append(_Waiting(now, round, patch, cues, whole=False))
        self._bytes += len(packed(patch))
        if self._bytes > MOST_BYTES:
            self._begin(now, round)

    def release(self, now: float, round: int, *, is_over: bool) -> list[bytes]:
        """The frames of what is due now. A match that is over has no secrets: all of it is."""
        found: list[bytes] = []
        while self._waiting and (is_over or self._is_due(self._waiting[0], now, round)):
            found.append(self._show(self._waiting.popleft()))
        return found

    def _is_due(self, waiting: _Waiting, now: float, round: int) -> bool:
        return now - waiting.at >= self._seconds and round - waiting.round >= ROUNDS

    def _show(self, waiting: _Waiting) -> bytes:
        self.n += 1
        if self.shown is None or waiting.whole:
            nodes = {id: node for id, node in waiting.patch.items() if node is not None}
            self.shown = HashedNodes(nodes)
            return self.snapshot()
        self._bytes -= len(packed(waiting.patch))
        self.shown.apply(waiting.patch)
        return encode(Delta(n=self.n, patch=waiting.patch, hash=self.shown.hash, told=as_told(waiting.cues)))

    def snapshot(self) -> bytes:
        """What is shown, whole: an empty table as long as nothing is."""
        shown = self.shown or HashedNodes()
        return encode(Snapshot(PUBLIC, self.stream, self.n, dict(shown.nodes), shown.hash))

    def behind(self, now: float) -> float:
        """For how many seconds the picture shown has not been the newest; below 0 where none is shown yet."""
        if self.shown is None:
            return -1.0
        return now - self._waiting[0].at if self._waiting else 0.0


def everything(projector: Projector[Any]) -> Nodes:
    """The public part with all private ones over it, but for the prompts. Nodes of several seats with the same id get
    the later seats' numbers behind it."""
    nodes: Nodes = dict(projector.public.hashed.nodes)
    private: set[str] = set()
    for seat, view in projector.private.items():
        for id, node in view.hashed.nodes.items():
            if id != "prompt":
                name = f"{id}.{seat}" if id in private else id
                private.add(name)
                nodes[name] = node
    return nodes


def _cues(frames: SceneChanges) -> tuple[Cue | TemplatedCues, ...]:
    """All that was to be seen and heard; what several seats were told is told once."""
    found = list(frames.public.cues) if frames.public is not None else []
    private: list[Cue | TemplatedCues] = []
    for change in frames.private.values():
        private += [cue for cue in change.cues if cue not in private]
    return (*found, *private)
