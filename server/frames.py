"""What a projector shows, as messages of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protocol.from_server import Delta, Snapshot

if TYPE_CHECKING:
    from engine.core.audience import Seat
    from engine.core.projection import Change, Projector

PUBLIC = "public"
PRIVATE = "private"


def public_snapshot(projector: Projector[Any]) -> Snapshot:
    """The public part whole."""
    view = projector.public
    return Snapshot(PUBLIC, projector.stream, view.n, dict(view.hashed.nodes), view.hashed.hash)


def private_snapshot(projector: Projector[Any], seat: Seat) -> Snapshot:
    """A seat's private part whole."""
    view = projector.private[seat]
    return Snapshot(PRIVATE, projector.stream, view.n, dict(view.hashed.nodes), view.hashed.hash, projector.public.n)


def delta(part: str, change: Change) -> Delta:
    """The change of a part."""
    return Delta(part, change.n, dict(change.patch), change.hash, change.cues, change.after)
