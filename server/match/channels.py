"""The views of a match: frames are encoded once for each audience and offered to all viewers who belong to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

from engine.core.rules.audience import Seat
from engine.core.view.projection import Projector, SceneChange, SceneChanges
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode
from protocol.wire.codec import encode
from protocol.wire.from_client import Resume
from protocol.wire.server_conversation import RecentFrames
from server.match.delayed_view import DelayedView
from server.match.frames import PRIVATE, PUBLIC, delta, private_snapshot, public_snapshot
from server.match.spectator_queue import Backlog, SpectatorGate, SpectatorQueue

ShownAs = Literal["first", "delta", "snapshot"]
"""How a match was shown to a connection: for the first time, or after a gap as what it missed, or whole."""

MOST_STEPS: Final = 64
"""That the spectators may be behind; then they are shown the newest state instead."""


class Viewer(Protocol):
    """A connection that looks at a match."""

    def offer(self, *parts: bytes, droppable: bool = False) -> None:
        """Queue encoded messages, without waiting; scene frames may be dropped for a snapshot later."""
        ...


class Viewpoint(NamedTuple):
    """The parts that a viewer is shown: the public one, and the private one of `seat`, if any. `plays`: the viewer
    holds the seat, and is served first. `delayed`: the delayed view of all seats instead."""

    seat: Seat | None = None
    plays: bool = False
    delayed: bool = False


Published = tuple[int, Callable[[Viewpoint], list[bytes]]]
"""The number of what was published, and its frames for each who looks on."""

SPECTATOR: Final = Viewpoint()
DELAYED: Final = Viewpoint(delayed=True)


def player(seat: Seat) -> Viewpoint:
    """Return the viewpoint of the one who holds a seat."""
    return Viewpoint(seat, plays=True)


class _StreamPlace(NamedTuple):
    """The place of a viewer in the stream: they have been shown all frames published up to number `since`."""

    view: Viewpoint
    since: int


class Channels:
    """The public part for all and a private part for each seat, with the frames that a returning client may lack.
    `before` is called just before a viewer is offered frames late: for what belongs before them."""

    def __init__(
        self,
        projector: Projector[Any],
        kept_frames: int,
        gate: SpectatorGate,
        delayed: DelayedView | None = None,
        before: Callable[[Viewer], None] = lambda viewer: None,
    ) -> None:
        self._projector = projector
        self.delayed = delayed
        self._before = before
        self._public = RecentFrames(kept_frames)
        self._private = {seat: RecentFrames(kept_frames) for seat in projector.private}
        self._places: dict[Viewer, _StreamPlace] = {}
        self._players: dict[Viewer, Seat] = {}
        """Those of them who hold a seat: hundreds may look on."""
        self._published = 0
        self._spectators = SpectatorQueue(gate)
        self._backlog: Backlog[Published] = Backlog(self._spectators)

    @property
    def viewers(self) -> Mapping[Viewer, Viewpoint]:
        """Viewers, and their viewpoints."""
        return {viewer: place.view for viewer, place in self._places.items()}

    @property
    def public_nodes(self) -> Mapping[NodeId, AnyNode]:
        """The nodes of the public part, as the newest step has left them."""
        return self._projector.scene(None)

    def view_of(self, viewer: Viewer) -> Viewpoint | None:
        """Return the viewpoint of this viewer, None where it has none."""
        place = self._places.get(viewer)
        return place.view if place is not None else None

    def attach(self, viewer: Viewer, view: Viewpoint, resume: Resume | None = None) -> ShownAs:
        """Show the match to `viewer` from now on: what it missed where that is still known, else all."""
        self._places[viewer] = _StreamPlace(view, self._last(view))
        self._players.pop(viewer, None)
        if view.plays and view.seat is not None:
            self._players[viewer] = view.seat
        missed = self._missed(view, resume)
        self._before(viewer)
        for data in self.snapshots(view) if missed is None else missed:
            viewer.offer(data, droppable=True)
        if missed is not None:
            return "delta"
        return "first" if resume is None else "snapshot"

    def detach(self, viewer: Viewer) -> None:
        """Show the match to `viewer` no more."""
        self._places.pop(viewer, None)
        self._players.pop(viewer, None)

    def show_all(self, viewer: Viewer) -> None:
        """Offer `viewer` a snapshot of everything that it may see."""
        place = self._places.get(viewer)
        if place is not None:
            self.attach(viewer, place.view)

    def _last(self, view: Viewpoint) -> int:
        """Return the number of the newest frames published to such viewers."""
        return self.delayed.n if view.delayed and self.delayed is not None else self._published

    def snapshots(self, view: Viewpoint) -> Iterator[bytes]:
        """Yield the encoded snapshots of what such a viewer may see."""
        if view.delayed:
            if self.delayed is not None:
                yield self.delayed.snapshot()
            return
        stream = self._stream(view)
        yield encode(public_snapshot(self._projector, stream))
        if view.seat is not None:
            yield encode(private_snapshot(self._projector, view.seat, stream))

    def _stream(self, view: Viewpoint) -> str:
        """Return the name of the stream; one who looks into a seat has another, so that the picture is begun anew when
        that changes."""
        return self._projector.stream if view.seat is None or view.plays else f"{self._projector.stream}.{view.seat}"

    def publish(self, frames: SceneChanges, beside: Sequence[bytes] = ()) -> None:
        """Offer a step's frames, with the messages `beside` them, to the players at once; then the frames to the
        spectators. Players who get the same get it one after another, so that it is encoded once."""
        public = [] if frames.public is None else [self._kept(self._public, PUBLIC, frames.public)]
        private: dict[Seat, bytes] = {}
        for seat, change in frames.private.items():
            private[seat] = self._kept(self._private[seat], PRIVATE, change)
        self._published += 1
        shared = (*public, *beside)
        apart: list[tuple[Viewer, Seat]] = []
        for viewer, seat in self._players.items():
            if seat in private:
                apart.append((viewer, seat))
            elif shared:
                viewer.offer(*shared, droppable=True)
        for viewer, seat in apart:
            viewer.offer(*public, private[seat], *beside, droppable=True)
        if len(self._players) < len(self._places):
            news = self._published, lambda view: [] if view.delayed else _parts(view, public, private)
            self._backlog.add(news, self._serve_spectators)

    def publish_delayed(self, frames: list[bytes]) -> None:
        """Offer frames of the delayed view that have become due."""
        if frames and self.delayed is not None and any(place.view.delayed for place in self._places.values()):
            news = self.delayed.n, lambda view: frames if view.delayed else []
            self._backlog.add(news, self._serve_spectators)

    def _serve_spectators(self, untold: list[Published]) -> Iterator[None]:
        """Offer all that has gathered to one spectator after another, to each in one piece."""
        if len(untold) > MOST_STEPS:
            yield from self._show_spectators()
            return
        first = min(number for number, _ in untold)
        lacking: dict[_StreamPlace, list[bytes]] = {}
        for viewer, place in list(self._places.items()):
            if place.view.plays or self._places.get(viewer) is not place:
                continue
            # whoever has been shown all that came before these frames lacks the same
            kind = _StreamPlace(place.view, max(place.since, first - 1))
            if kind not in lacking:
                lacking[kind] = _missed_at(kind, untold)
            missed = lacking[kind]
            if missed:
                self._before(viewer)
                viewer.offer(*missed, droppable=True)
            yield

    def _show_spectators(self) -> Iterator[None]:
        """Offer the newest state to all spectators at once, in place of all that they have not been shown."""
        shown: dict[Viewpoint, tuple[int, list[bytes]]] = {}
        for viewer, place in list(self._places.items()):
            view, now = place.view, self._last(place.view)
            if view.plays or place.since >= now or self._places.get(viewer) is not place:
                continue
            if view not in shown or shown[view][0] != now:
                # the first of its kind, or a step has been taken meanwhile whose frames wait behind this
                shown[view] = now, list(self.snapshots(view))
            self._places[viewer] = _StreamPlace(view, now)
            self._before(viewer)
            for data in shown[view][1]:
                viewer.offer(data, droppable=True)
            yield

    def stop(self) -> list[asyncio.Task[None]]:
        """Serve spectators no more. Return the tasks that now end."""
        return self._spectators.stop()

    def _kept(self, kept: RecentFrames, part: str, change: SceneChange) -> bytes:
        data = encode(delta(part, change))
        kept.add(change.n, data)
        return data

    def _missed(self, view: Viewpoint, resume: Resume | None) -> list[bytes] | None:
        if resume is None or view.delayed or resume.stream != self._stream(view):
            return None
        public = self._public.since(resume.public)
        if view.seat is None:
            return public
        private = self._private[view.seat].since(resume.private)
        return None if public is None or private is None else [*public, *private]


def _missed_at(place: _StreamPlace, untold: Sequence[Published]) -> list[bytes]:
    """Return the frames that a viewer at this place lacks."""
    return [data for number, parts in untold if place.since < number for data in parts(place.view)]


def _parts(view: Viewpoint, public: list[bytes], private: Mapping[Seat, bytes]) -> list[bytes]:
    if view.seat is None or view.seat not in private:
        return public
    return [*public, private[view.seat]]
