"""The parts that a projector shows, as messages of the protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.core.rules.audience import Seat
from engine.core.view.projection import Projector, SceneChange
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Cue
from protocol.wire.from_server import Delta, Snapshot

PUBLIC = "public"
PRIVATE = "private"


def public_snapshot(projector: Projector[Any], stream: str = "") -> Snapshot:
    """Make a snapshot of the public part; `stream`: its name where it is not the projector's own."""
    view = projector.public
    return Snapshot(PUBLIC, stream or projector.stream, view.n, dict(view.hashed.nodes), view.hashed.hash)


def private_snapshot(projector: Projector[Any], seat: Seat, stream: str = "") -> Snapshot:
    """Make a snapshot of a seat's private part; `stream` as above."""
    view = projector.private[seat]
    nodes = dict(view.hashed.nodes)
    return Snapshot(PRIVATE, stream or projector.stream, view.n, nodes, view.hashed.hash, projector.public.n)


def delta(part: str, change: SceneChange) -> Delta:
    """Make the delta of a part."""
    return Delta(
        part=part,
        n=change.n,
        patch=dict(change.patch),
        hash=change.hash,
        told=as_told(change.cues),
        after=change.after,
        acts=change.acts,
        of=change.of,
    )


def as_told(cues: Iterable[Cue | TemplatedCues]) -> tuple[Cue | tuple[Any, ...], ...]:
    """Return cues as they travel."""
    return tuple([cue.wire if isinstance(cue, TemplatedCues) else cue for cue in cues])
