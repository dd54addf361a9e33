"""The delayed view: all that anybody at the table knows, as it was two minutes and a whole round ago."""

from __future__ import annotations

from collections import deque
from typing import Any, Final, NamedTuple

from engine.core.view.projection import Projector, SceneChanges
from protocol.canonical import packed
from protocol.ids import BEGINNING, Seq
from protocol.scene.all_seeing import all_seen
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.delta import HashedNodes, Nodes, Patch, difference
from protocol.scene.nodes import Act, Cue
from protocol.wire.codec import encode
from protocol.wire.from_server import Delta, Snapshot
from server.match.frames import PUBLIC, as_told

ROUNDS: Final = 2
"""What happened in a round is shown when the round after it is over: then a whole round lies between."""
MOST_BYTES: Final = 8 * 1024 * 1024
"""What may be kept of steps not shown yet; beyond it they are forgotten for one picture of what they came to."""


class _Waiting(NamedTuple):
    at: float
    round: int
    patch: Patch
    version: int
    cues: tuple[Cue | TemplatedCues, ...] = ()
    acts: tuple[Act, ...] = ()
    of: tuple[int, ...] = ()
    whole: bool = False


class DelayedView:
    """A buffer that takes what is shown now, and gives it out when it is due, never earlier.

    The log does not tell when something happened: after a restart all of it is taken to have happened then. `now`:
    seconds of a clock that does not go backwards.
    """

    def __init__(self, projector: Projector[Any], stream: str, seconds: float, now: float, round: int) -> None:
        self.stream = stream
        self.n = BEGINNING
        self.shown: HashedNodes | None = None
        """What is shown, None where nothing is yet."""
        self.version = 0
        """That of the match as it is shown."""
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
        self._waiting.append(_Waiting(now, round, dict(self._known), self._projector.version, whole=True))

    def step(self, frames: SceneChanges, now: float, round: int) -> None:
        """Take the frames of a step that has been shown."""
        newest = everything(self._projector)
        patch = difference(self._known, newest)
        cues, public = _cues(frames), frames.public
        if not patch and not cues and public is None:
            return
        self._known = newest
        # acts that one seat alone knows of have numbers of its own: here only those of everyone are named
        acts, of = (public.acts, public.of) if public is not None else ((), ())
        self._waiting.append(_Waiting(now, round, patch, self._projector.version, cues, acts, of))
        self._bytes += len(packed(patch))
        if self._bytes > MOST_BYTES:
            self._begin(now, round)

    def release(self, now: float, round: int, *, is_over: bool) -> list[bytes]:
        """Return the frames that are due now: all of them once the match is over, since it has no secrets then."""
        found: list[bytes] = []
        while self._waiting and (is_over or self._is_due(self._waiting[0], now, round)):
            found.append(self._show(self._waiting.popleft()))
        return found

    def _is_due(self, waiting: _Waiting, now: float, round: int) -> bool:
        return now - waiting.at >= self._seconds and round - waiting.round >= ROUNDS

    def _show(self, waiting: _Waiting) -> bytes:
        self.n = Seq(self.n + 1)
        self.version = waiting.version
        if self.shown is None or waiting.whole:
            nodes = {id: node for id, node in waiting.patch.items() if node is not None}
            self.shown = HashedNodes(nodes)
            return self.snapshot()
        self._bytes -= len(packed(waiting.patch))
        self.shown.apply(waiting.patch)
        told = as_told(waiting.cues)
        shown = Delta(n=self.n, patch=waiting.patch, hash=self.shown.hash, told=told, acts=waiting.acts, of=waiting.of)
        return encode(shown)

    def snapshot(self) -> bytes:
        """Return what is shown, whole: an empty table as long as nothing is."""
        shown = self.shown or HashedNodes()
        return encode(Snapshot(PUBLIC, self.stream, self.n, dict(shown.nodes), shown.hash))

    def behind(self, now: float) -> float:
        """Return the seconds for which the picture shown has not been the newest; below 0 where none is shown yet."""
        if self.shown is None:
            return -1.0
        return now - self._waiting[0].at if self._waiting else 0.0


def everything(projector: Projector[Any]) -> Nodes:
    """Return the all-seeing picture of a match as it stands now."""
    private = {int(seat): view.hashed.nodes for seat, view in projector.private.items()}
    return all_seen(projector.public.hashed.nodes, private)


def _cues(frames: SceneChanges) -> tuple[Cue | TemplatedCues, ...]:
    """Collect all cues of a step; one that several seats were told is told once."""
    found = list(frames.public.cues) if frames.public is not None else []
    private: list[Cue | TemplatedCues] = []
    for change in frames.private.values():
        private += [cue for cue in change.cues if cue not in private]
    return (*found, *private)
