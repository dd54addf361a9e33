"""What a projector shows, as messages of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protocol.from_server import Delta, Snapshot

if TYPE_CHECKING:
    from engine.core.audience import Seat
    from engine.core.projection import Change, Projector

PUBLIC = "public"
PRIVATE = "private"


def public_snapshot(projector: Projector[Any], stream: str = "") -> Snapshot:
    """The public part whole; `stream`: its name where it is not the projector's own."""
    view = projector.public
    return Snapshot(PUBLIC, stream or projector.stream, view.n, dict(view.hashed.nodes), view.hashed.hash)


def private_snapshot(projector: Projector[Any], seat: Seat, stream: str = "") -> Snapshot:
    """A seat's private part whole; `stream` as above."""
    view = projector.private[seat]
    nodes = dict(view.hashed.nodes)
    return Snapshot(PRIVATE, stream or projector.stream, view.n, nodes, view.hashed.hash, projector.public.n)


def delta(part: str, change: Change) -> Delta:
    """The change of a part."""
    return Delta(part, change.n, dict(change.patch), change.hash, change.cues, change.after)
