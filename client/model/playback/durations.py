"""Durations of acts as they are shown, in seconds, at the viewer's speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from client.model.playback.told_acts import QueuedAct
from protocol.scene.nodes import Cue, Point

SPEEDS: Final = {"slow": 0.5, "normal": 1.0, "fast": 2.0, "skip": math.inf}
"""Speeds of acts, by the name of the viewer's setting."""
NORMAL: Final = "normal"
CATCH_UP: Final = 3.0
"""Seconds in which all that is queued has been shown when the viewer is asked for something."""
LONGEST_QUEUE: Final = 4.0
"""Seconds of acts that may be queued before they are shown faster than the viewer has set."""
LONGEST_ACT: Final = 2.6
"""Seconds that an act with many cues takes."""
AFTER: Final = 0.35
"""Seconds for which the end of an act is left to be read."""
_WALK: Final = 1200
"""Hundredths that a group walks in a second."""
_SECONDS: Final = {"shot": 0.5, "dice": 0.7, "casualty": 0.5, "combat": 0.5, "card": 0.35, "note": 0.3, "end": 0.6}
_ELSE: Final = 0.3


def seconds_of(cue: Cue) -> float:
    """Return the seconds that a cue is shown at normal speed."""
    if cue.path:
        return min(0.4 + length_of(cue.path) / _WALK, 1.4)
    return _SECONDS["dice"] if cue.dice is not None else _SECONDS.get(cue.kind, _ELSE)


def length_of(path: Sequence[Point]) -> float:
    """Return the length of a way in hundredths."""
    return sum(math.dist(a, b) for a, b in pairwise(path))


def moments_of(queued: QueuedAct) -> list[float]:
    """Return the seconds of each moment of an act at normal speed, shortened where there are many."""
    each = [seconds_of(moment.cue) for moment in queued.moments]
    most = LONGEST_ACT - AFTER
    return [seconds * min(1.0, most / sum(each)) for seconds in each]


def seconds_after(queued: QueuedAct) -> float:
    """Return the seconds after the last moment of an act: none where it has nothing to show, or goes on."""
    return AFTER if queued.moments and (queued.told.has_ended or queued.told.act is None) else 0.0
