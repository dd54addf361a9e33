"""Places of figures on their way, while a cue with a path is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from client.model.playback.durations import length_of
from client.model.playback.shown_scene import Playing
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Piece, Point

Place = tuple[float, float]


def places_of(playing: Playing | None, nodes: Mapping[NodeId, AnyNode]) -> dict[NodeId, Place]:
    """Return where the figures stand that walk now, in hundredths; empty where none walks."""
    cue = playing.cue if playing is not None else None
    if playing is None or cue is None or len(cue.path) < 2:
        return {}
    after = next((moment.changes for moment in playing.queued.moments if moment.cue is cue), {})
    way = _from_start(cue.path, playing.progress)
    whole = _from_start(cue.path, 1.0)
    found: dict[NodeId, Place] = {}
    for id, piece in nodes.items():
        if not isinstance(piece, Piece) or not {id, piece.group} & {*cue.about}:
            continue
        end = after.get(id)
        x, y = piece.at
        aside = (end.at[0] - x - whole[0], end.at[1] - y - whole[1]) if isinstance(end, Piece) else (0.0, 0.0)
        share = playing.progress
        found[id] = (x + way[0] + aside[0] * share, y + way[1] + aside[1] * share)
    return found


def along(path: Sequence[Point], share: float) -> Place:
    """Return the place after a share (0 to 1) of a way."""
    left = length_of(path) * min(max(share, 0.0), 1.0)
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if left <= length and length > 0:
            part = left / length
            return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
        left -= length
    return (float(path[-1][0]), float(path[-1][1]))


def _from_start(path: Sequence[Point], share: float) -> Place:
    x, y = along(path, share)
    return (x - path[0][0], y - path[0][1])
