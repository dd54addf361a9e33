"""Scenes of one stream of a replay at any of its frames, each folded on from the nearest key frame before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.errors import CannotPlay
from client.text.phrases import phrase
from protocol.fairness.replay import Frame
from protocol.scene.delta import Nodes, apply
from protocol.wire.from_server import Snapshot

LEAST_APART: Final = 32
"""Frames between two key frames, in a stream of up to LEAST_APART times MOST_KEYS frames."""
MOST_KEYS: Final = 64
"""Key frames of a longer stream. One holds references to its nodes alone, 100 bytes a node: those that have not changed
are the same objects in all. So a stream of 600 nodes has 4 MB of them at most."""


class StreamScenes:
    """Scenes of one stream. `at` costs the folding of as many frames as lie between two key frames at most, and of one
    where the frame before was the last one asked for.

    Raises CannotPlay where the frames do not fit together.
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self.apart = max(LEAST_APART, -(-len(frames) // MOST_KEYS))
        self.keys: list[Nodes] = []
        nodes: Nodes = {}
        for number, frame in enumerate(frames):
            nodes = _folded(nodes, frame)
            if number % self.apart == 0:
                self.keys.append(nodes)
        self._last = 0, self.keys[0] if self.keys else nodes

    def at(self, number: int) -> Nodes:
        """Return the nodes after frame `number`, which is one of the stream's."""
        key = number // self.apart
        start, nodes = key * self.apart, self.keys[key]
        last, those = self._last
        if start <= last <= number:
            start, nodes = last, those
        for frame in self._frames[start + 1 : number + 1]:
            nodes = _folded(nodes, frame)
        self._last = number, nodes
        return nodes


def _folded(nodes: Nodes, frame: Frame) -> Nodes:
    if isinstance(frame, Snapshot):
        return frame.nodes
    try:
        return apply(nodes, frame.patch)
    except TypeError:
        raise CannotPlay(phrase("replay.broken")) from None
