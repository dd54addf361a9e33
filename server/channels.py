"""Who sees which part of a match: frames are encoded once an audience and offered to all who belong to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from engine.core.audience import Seat
from protocol.codec import encode
from protocol.server_conversation import KeptFrames
from server.frames import PRIVATE, PUBLIC, delta, private_snapshot, public_snapshot

if TYPE_CHECKING:
    from engine.core.projection import Change, Frames, Projector
    from protocol.from_client import Resume

Shown = Literal["first", "delta", "snapshot"]
"""How a match was shown to a connection: for the first time, or after a gap as what it missed, or whole."""

SLICE: Final = 50
"""Spectators that are served before others may run again."""


class Viewer(Protocol):
    """A connection that looks at a match."""

    def offer(self, data: bytes, droppable: bool = False) -> None:
        """Queue an encoded message, without waiting; scene frames may be dropped for a snapshot later."""
        ...


class Channels:
    """The public part for all, a private part a seat, each with the frames that a returning client may lack."""

    def __init__(self, projector: Projector[Any], kept_frames: int) -> None:
        self._projector = projector
        self._public = KeptFrames(kept_frames)
        self._private = {seat: KeptFrames(kept_frames) for seat in projector.private}
        self.viewers: dict[Viewer, Seat | None] = {}

    def attach(self, viewer: Viewer, seat: Seat | None, resume: Resume | None = None) -> Shown:
        """Show the match to `viewer` from now on: what it missed where that is still known, else all."""
        self.viewers[viewer] = seat
        missed = self._missed(seat, resume)
        if missed is None:
            self.show_all(viewer)
            return "first" if resume is None else "snapshot"
        for data in missed:
            viewer.offer(data, droppable=True)
        return "delta"

    def detach(self, viewer: Viewer) -> None:
        """Show it no more."""
        self.viewers.pop(viewer, None)

    def show_all(self, viewer: Viewer) -> None:
        """Both parts whole."""
        seat = self.viewers[viewer]
        for data in self.snapshots(seat):
            viewer.offer(data, droppable=True)

    def snapshots(self, seat: Seat | None) -> Iterable[bytes]:
        """The encoded snapshots of what a viewer may see."""
        yield encode(public_snapshot(self._projector))
        if seat is not None:
            yield encode(private_snapshot(self._projector, seat))

    async def publish(self, frames: Frames) -> None:
        """Offer a step's frames: the public one before private ones, players before spectators, these in slices."""
        public = None if frames.public is None else self._kept(self._public, PUBLIC, frames.public)
        private = {seat: self._kept(self._private[seat], PRIVATE, c) for seat, c in frames.private.items()}
        watchers: list[Viewer] = []
        for viewer, seat in list(self.viewers.items()):
            if seat is None:
                watchers.append(viewer)
                continue
            if public is not None:
                viewer.offer(public, droppable=True)
            if seat in private:
                viewer.offer(private[seat], droppable=True)
        if public is not None:
            await self._offer_in_slices(watchers, public)

    async def _offer_in_slices(self, watchers: list[Viewer], data: bytes) -> None:
        for count, viewer in enumerate(watchers, start=1):
            if viewer in self.viewers:
                viewer.offer(data, droppable=True)
            if count % SLICE == 0:
                await asyncio.sleep(0)

    def _kept(self, kept: KeptFrames, part: str, change: Change) -> bytes:
        data = encode(delta(part, change))
        kept.add(change.n, data)
        return data

    def _missed(self, seat: Seat | None, resume: Resume | None) -> list[bytes] | None:
        if resume is None or resume.stream != self._projector.stream:
            return None
        public = self._public.since(resume.public)
        if seat is None:
            return public
        private = self._private[seat].since(resume.private)
        return None if public is None or private is None else [*public, *private]
