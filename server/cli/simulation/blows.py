"""The greatest blow of a match: the act that took the greatest share of another side's points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.match.folded_match import Step
from engine.core.rules.game import Trace
from engine.core.rules.record import PendingAction
from engine.core.rules.system import System


class GreatestBlow(NamedTuple):
    """The greatest blow: the share of a side's first points that an act took, and the act's kind."""

    share: float = 0.0
    kind: str = ""


class Blows:
    """Listener of a match's steps that finds its greatest blow: from the declaration of an act to its end, what a side
    lost that the act's seat is not on. Acts that are hidden when they are declared are left out."""

    def __init__(self, system: System[Any]) -> None:
        self.greatest = GreatestBlow()
        self._system = system
        self._whole: Mapping[int, int] = {}
        self._open: dict[int, tuple[PendingAction, Mapping[int, int]]] = {}

    def told(self, step: Step[Any]) -> None:
        """Look at a step."""
        for trace in step.trail:
            acts = {act.n: act for act in trace.record.declared if act.n}
            if acts.keys() != self._open.keys():
                self._look(trace, acts)

    def _look(self, trace: Trace[Any], acts: Mapping[int, PendingAction]) -> None:
        now = self._points(trace.after)
        self._whole = self._whole or now
        for n in self._open.keys() - acts.keys():
            act, before = self._open.pop(n)
            own = self._side(trace.after, act.seat)
            for side, points in now.items() if act.seat >= 0 else ():
                share = (before[side] - points) / max(1, self._whole[side])
                if side != own and share > self.greatest.share:
                    self.greatest = GreatestBlow(round(share, 3), act.kind)
        self._open |= {n: (act, now) for n, act in acts.items() if n not in self._open}

    def _points(self, state: Any) -> dict[int, int]:
        """Return the points that each side has left, none where units have no points."""
        found: dict[int, int] = {}
        for seat, points in enumerate(self._system.forces(state)):
            side = self._side(state, seat)
            found[side] = found.get(side, 0) + points
        return found

    def _side(self, state: Any, seat: int) -> int:
        sides: Sequence[int] = self._system.sides(state)
        return sides[seat] if sides else seat
