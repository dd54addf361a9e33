"""The history of a match: the acts and cues that each viewer was told of, page by page, newest first.

The newest are kept in memory; what is older is made again from the log when a page of it is asked for, and so is all of
it after a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import msgspec

from engine.core.match.folded_match import FoldedMatch, Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.view.projection import Projector
from engine.core.view.telling import StepTeller, Told
from protocol.errors import BadFrame
from protocol.ids import NodeId, table_of
from protocol.limits import HISTORY_ACTS, HISTORY_BYTES
from protocol.scene.delta import NodeMap, Nodes
from protocol.scene.nodes import Act, Cue
from protocol.scene.template_filling import TemplateFilling
from protocol.wire.codec import encode
from protocol.wire.from_server import History, ToldFrame
from server.match.channels import Viewpoint
from server.match.frames import as_told
from server.runtime.loop_turns import LoopTurns

KEPT: Final = 400
"""Entries that are kept in memory at least, once there are so many."""
AT_ONCE: Final = 25
"""Steps that are folded in one go."""

Read = Callable[[], Awaitable[Sequence[bytes]]]


class _ToldBefore(msgspec.Struct, frozen=True, array_like=True):
    """Cues and acts of a step for one viewer, as an entry keeps them."""

    acts: tuple[Act, ...]
    cues: tuple[Cue | tuple[Any, ...], ...] = ()
    of: tuple[int, ...] = ()


_ENCODE: Final = msgspec.msgpack.Encoder().encode
_BEFORE: Final = msgspec.msgpack.Decoder(_ToldBefore)


@dataclass(slots=True)
class HistoryEntry:
    """Entry of a history: what a step told a viewer (None: everyone), as bytes, which nothing else in memory hangs on.
    `acts`: the number that it counts for in a page; `data`: as it is sent, once somebody has asked for it."""

    version: int
    viewer: Seat | None
    packed: bytes
    acts: int = 1
    data: bytes = b""

    @property
    def told(self) -> _ToldBefore:
        """The cues and acts of the step."""
        return _BEFORE.decode(self.packed)


class MatchHistory:
    """The history of one match from its second step on: the first brings the scene."""

    def __init__(self, match: Match[Any], turns: LoopTurns) -> None:
        self._match = match
        self._turns = turns
        self._forms = {form.id: form.template for form in match.system.cue_templates}
        self._live: list[HistoryEntry] = []
        self._older: list[HistoryEntry] | None = [] if match.version <= 1 else None
        """Those of the steps up to `_upto`, where they are in memory."""
        self._upto = match.version
        self._making = asyncio.Lock()

    def take(self, version: int, told: Mapping[Seat | None, Told]) -> None:
        """Take what a step told."""
        for viewer in told if len(told) == 1 else _in_order(told):
            self._live.append(_entry(version, viewer, told[viewer]))
        if len(self._live) > 2 * KEPT:
            self._upto = self._live[-KEPT].version
            self._live = [entry for entry in self._live if entry.version > self._upto]
            self._older = None

    def forget(self) -> None:
        """Forget everything: what a step told is not known."""
        self._live, self._older, self._upto = [], None, self._match.version

    def page(self, view: Viewpoint, projector: Projector[Any], upto: int, before: int | None = None) -> bytes:
        """Return the page of entries before number `before` (None: the newest) of a viewpoint, of steps up to version
        `upto`, encoded. `load` has been awaited."""
        known = list(self._of(view, upto))
        last = len(known) if before is None else min(before, len(known))
        first, acts, size = last, 0, 0
        while first > 0:
            entry = known[first - 1]
            data = self._encoded(entry, projector)
            acts, size = acts + entry.acts, size + len(data)
            if first < last and (acts > HISTORY_ACTS or size > HISTORY_BYTES):
                break
            first -= 1
        frames: Any = tuple([msgspec.Raw(entry.data) for entry in known[first:last]])
        return encode(History(table_of(self._match.id), first, frames))

    def has_any(self, view: Viewpoint, upto: int) -> bool:
        """Tell whether there is any entry of a viewpoint, of steps up to version `upto`."""
        return next(self._of(view, upto), None) is not None

    def _of(self, view: Viewpoint, upto: int) -> Iterator[HistoryEntry]:
        """Yield the entries that belong to a viewpoint. Of the delayed view, which has all seats', those are told once
        that several seats were told."""
        seen: list[HistoryEntry] = []
        for entry in chain(self._older or (), self._live):
            if entry.version > upto:
                return
            if not view.delayed:
                if entry.viewer is None or entry.viewer == view.seat:
                    yield entry
                continue
            seen = [one for one in seen if one.version == entry.version]
            if entry.viewer is None:
                yield entry
            elif (cues := entry.told.cues) and all(one.told.cues != cues for one in seen):
                # acts that one seat alone knows of have numbers of its own
                yield HistoryEntry(entry.version, entry.viewer, _ENCODE(_ToldBefore((), cues)))
            seen.append(entry)

    def _encoded(self, entry: HistoryEntry, projector: Projector[Any]) -> bytes:
        if not entry.data:
            # kept for all who are told of it: with the names that these know, whoever asks first
            entry.data = _encoded(entry, self._forms, _SceneNames(projector, entry.viewer))
        return entry.data

    async def load(self, read: Read) -> None:
        """Make the older part from the log, if it is not in memory; `read` gives the steps. Raises what it does."""
        async with self._making:
            if self._older is None:
                upto = self._upto
                made = await self._made(await read(), upto)
                if upto == self._upto:
                    self._older = made

    async def _made(self, steps: Sequence[bytes], upto: int) -> list[HistoryEntry]:
        """Fold the steps up to a version, and return what they told."""
        match: FoldedMatch[Any] = FoldedMatch(self._match.system, self._match.id, self._match.dice)
        found: list[HistoryEntry] = []
        teller: StepTeller[Any] | None = None
        for number, data in enumerate(steps[:upto], start=1):
            before = match.state
            if teller is None:
                match.replay(data)
                teller = StepTeller(match)
                continue
            step = match.replay(data)
            self._add(found, step, teller.told(step), before)
            if number % AT_ONCE == 0:
                # other matches are not to wait
                await self._turns.wait()
        return found

    def _add(
        self, found: list[HistoryEntry], step: Step[Any], told: Mapping[Seat | None, Told], before: object
    ) -> None:
        names = _StateNames(self._match, before)
        for viewer in _in_order(told):
            entry = _entry(step.version, viewer, told[viewer])
            entry.data = _encoded(entry, self._forms, names)
            found.append(entry)


def _in_order(told: Mapping[Seat | None, Told]) -> Iterable[Seat | None]:
    """Return those whom a step told anything: everyone first, then by seat."""
    return sorted(told, key=lambda seat: -1 if seat is None else seat)


def _entry(version: int, viewer: Seat | None, told: Told) -> HistoryEntry:
    return HistoryEntry(version, viewer, _ENCODE((told.acts, as_told(told.cues), told.of)), len(told.acts) or 1)


def _encoded(entry: HistoryEntry, forms: Mapping[int, Any], names: Nodes) -> bytes:
    told = entry.told
    try:
        cues = TemplateFilling(forms, (names,)).cues(told.cues, told.of)
    except BadFrame:
        # more than a client would fill in: the acts say what happened
        cues = ()
    return _ENCODE(ToldFrame(told.acts, cues))


class _SceneNames(Nodes):
    """The names of the nodes that everyone, or a seat, sees, or saw before they left the scene."""

    def __init__(self, projector: Projector[Any], viewer: Seat | None) -> None:
        super().__init__()
        self._views = [projector.public, *([] if viewer is None else [projector.private[viewer]])]

    def __contains__(self, id: object) -> bool:
        return any(id in view.typed or id in view.gone for view in self._views)

    def __getitem__(self, id: NodeId) -> NodeMap:
        for view in self._views:
            name = getattr(view.typed.get(id), "name", None) or view.gone.get(id)
            if name is not None:
                return {"name": msgspec.to_builtins(name)}
        return {}


class _StateNames(Nodes):
    """The names that a system has for nodes in a state."""

    def __init__(self, match: Match[Any], state: object) -> None:
        super().__init__()
        self._system, self._state = match.system, state

    def __contains__(self, id: object) -> bool:
        return True

    def __getitem__(self, id: NodeId) -> NodeMap:
        return {"name": msgspec.to_builtins(self._system.name_of(self._state, id))}
