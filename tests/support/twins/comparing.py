"""Comparison of the frames that viewers of two matches were sent: contents, order and times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from protocol.wire.from_server import Delta, Proof, Snapshot
from tests.support.twins.viewer import Frame

PROOF_PLANE: Final = frozenset({"proof"})
"""Tags of messages that carry salted bytes: of them number and length are compared."""
PICTURES: Final = frozenset(str(kind.__struct_config__.tag) for kind in (Snapshot, Delta))
assert Proof.__struct_config__.tag in PROOF_PLANE


class Told(AssertionError):
    """Failure: a viewer of one match was told something else, or at another time, than in its twin. `kind`: the tag of
    the first message that was not the same."""

    def __init__(self, problem: str, frame: Frame) -> None:
        super().__init__(problem)
        self.kind = tag(frame.data)


def compare(viewer: str, one: Sequence[Frame], other: Sequence[Frame]) -> int:
    """Return how many frames were the same to this viewer. Raises Told."""
    for place, (first, second) in enumerate(zip(one, other, strict=False)):
        if first.data != second.data and not _differs_by_salt(first.data, second.data):
            raise Told(f"frame {place} of {viewer}: {shown(first)}\nin the twin: {shown(second)}", first)
        if first.at != second.at:
            raise Told(f"when: frame {place} of {viewer}, {shown(first)}\nin the twin at {second.at}", first)
    if len(one) != len(other):
        more = max(one, other, key=len)[min(len(one), len(other))]
        raise Told(
            f"numbers: {viewer} got {len(one)} frames, and {len(other)} in the twin; the next: {shown(more)}", more
        )
    return len(one)


def _differs_by_salt(one: bytes, other: bytes) -> bool:
    return len(one) == len(other) and tag(one) == tag(other) and tag(one) in PROOF_PLANE


def tag(data: bytes) -> str:
    """Return the kind of message."""
    return str(_fields(data)["t"])


def _fields(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.msgpack.decode(data)
    return found


def shown(frame: Frame) -> str:
    """Format a frame for people."""
    return f"at {frame.at}: {str(_fields(frame.data))[:1500]}"


def until_late(frames: Sequence[Frame]) -> Sequence[Frame]:
    """Return the frames of a viewer of the delayed view, up to the first that shows anything: from then on they may
    know."""
    stream = ""
    for place, frame in enumerate(frames):
        found = _fields(frame.data)
        if found["t"] not in PICTURES:
            continue
        stream = found.get("stream", stream)
        if stream.endswith(".late") and found["n"]:
            return frames[:place]
    return frames
