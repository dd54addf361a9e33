"""The journal of a match: each step is appended to the store, then told to all whom it concerns."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engine.core.match.causes import AnyCause, Expiry, TableEvent, Undo, Void
from engine.core.match.folded_match import BESIDE, Step
from engine.core.match.match import Match
from engine.core.view.projection import Projector
from protocol.ids import table_of
from protocol.wire.codec import encode
from protocol.wire.from_server import Clocks
from server.match.channels import Channels
from server.match.deadlines import Deadlines, TimeSettings
from server.match.delayed_view import DelayedView
from server.match.history import MatchHistory
from server.match.news import ClocksChanged, StepVoided, TablePort
from server.match.proof_plane import ProofPlane
from server.match.spectator_queue import SpectatorGate
from server.match.stored_log import StoredLog
from server.runtime.clock import Clock
from server.runtime.logs import Log
from server.store.port import StoreError


class Journal:
    """Journal of one match. Nothing is told of a step that is not durable. `gate` keeps spectators waiting while a step
    is on its way to the players."""

    def __init__(
        self,
        stored: StoredLog,
        table: TablePort,
        gate: SpectatorGate,
        clock: Clock,
        log: Log,
        times: TimeSettings,
        kept_frames: int,
        proofs: ProofPlane,
    ) -> None:
        self.stored = stored
        self.proofs = proofs
        self.match: Match[Any] = stored.match
        self.deadlines = Deadlines(times.decision, times.reaction, dict(times.banks), times.warning)
        self.notes: deque[TableEvent] = deque()
        """Facts of the table that go into the log before anything else follows."""
        self.durable_at = clock.now()
        """When the last step or answer became durable."""
        self.on_step: Callable[[bytes], object] = _ignore
        """Is told each step as it is stored, once it is durable."""
        self._table = table
        self._table_id = table_of(self.match.id)
        self._gate = gate
        self._clock = clock
        self._log = log
        self._kept_frames = kept_frames
        self._delayed_seconds = times.delayed
        self._told_question = open_question(self.match)
        self.projector = Projector(self.match, secrets.token_hex(4))
        self.channels = self._channels()
        self.history = MatchHistory(self.match, stored.turns)
        self.deadlines.observe(self.match, clock.now())

    async def commit(self, cause: AnyCause, id: bytes | None = None, actor: int = -1) -> None:
        """Make one step: durable, settled, told. `actor`: the seat that acts, -1 for none. Raises what StoredLog.commit
        raises."""
        self._gate.shut()
        try:
            self._tell(await self.stored.commit(cause, id), cause, actor)
            if type(cause) is Void:
                self._table.tell(StepVoided())
        finally:
            self._gate.open()
        if self.stored.snapshot_is_due:
            with suppress(StoreError):
                await self.stored.keep_snapshot()

    @property
    def is_told(self) -> bool:
        """True while the match asks what its seats have been shown: no step that asks otherwise is being stored."""
        return open_question(self.match) == self._told_question

    def _tell(self, step: Step[Any], cause: AnyCause, actor: int) -> None:
        self._told_question = open_question(self.match)
        self.on_step(step.data)
        self.durable_at = now = self._clock.now()
        if type(cause) not in BESIDE:
            actor = cause.seat if type(cause) is Expiry else actor
            for seat in self.deadlines.observe(self.match, now, actor, undone=type(cause) is Undo):
                # not now: this step is durable, and nothing that goes wrong here may cost its acknowledgement
                self.notes.append(TableEvent("bank", seat, str(self.deadlines.bank(seat))))
        self._publish(step, now)
        self.stored.mark("told")

    def _publish(self, step: Step[Any], now: float) -> None:
        # before the pictures: whoever sees dice can already check that they are in the record
        self.proofs.publish(step, self.channels.view_of)
        clocks: bytes | None = None
        try:
            frames = self.projector.advance(step)
        except Exception as problem:  # noqa: BLE001 - the step has happened: this costs a picture, never the match
            self._log.error("presenter", problem=str(problem), exc_info=problem)
            self._show_afresh()
            self.history.forget()
        else:
            clocks = self._clocks(now)
            self.history.take(step.version, frames.told)
            self.channels.publish(frames, () if clocks is None else (clocks,))
            if self.channels.delayed is not None:
                self.channels.delayed.step(frames, now, self.match.record.round)
                self.show_delayed(is_over=False)
        self.tell_clocks(players_told=clocks is not None)

    # Clocks

    def _clocks(self, now: float) -> bytes | None:
        """Return the clocks, encoded for all players; None where banks are less than the players have been shown."""
        banks = () if self.deadlines.seconds is None else self.deadlines.left(self.match.record.seats)
        if banks != self._table.state.banks:
            return None
        return encode(Clocks(self._table_id, self.deadlines.views(now), self._table.state.spectators))

    def tell_clocks(self, *, players_told: bool) -> None:
        """Tell the table of its clocks."""
        deadlines = self.deadlines
        self._table.tell(ClocksChanged(deadlines.waiting, deadlines.left(self.match.record.seats), players_told))

    # Views

    def _show_afresh(self) -> None:
        """Begin all views anew, after a presenter has failed."""
        viewers = self.channels.viewers
        self.channels.stop()
        self.projector = Projector(self.match, secrets.token_hex(4))
        self.channels = self._channels()
        for viewer, view in viewers.items():
            self.channels.attach(viewer, view)

    def _channels(self) -> Channels:
        """Begin all views now. Frames that wait for a spectator's turn never overtake the facts that do."""
        return Channels(
            self.projector, self._kept_frames, self._gate, self._delayed_view(), before=self.proofs.catch_up
        )

    def _delayed_view(self) -> DelayedView | None:
        """Begin a delayed view now: nothing that has happened so far is shown before its time."""
        if self._delayed_seconds is None:
            return None
        stream = f"{self.projector.stream}.late"
        return DelayedView(self.projector, stream, self._delayed_seconds, self._clock.now(), self.match.record.round)

    def show_delayed(self, *, is_over: bool) -> bool:
        """Show what has become due of the delayed view, all of it once the match `is_over`. Return False where that is
        nothing."""
        if self.channels.delayed is None:
            return False
        is_over = is_over or self.match.result is not None
        due = self.channels.delayed.release(self._clock.now(), self.match.record.round, is_over=is_over)
        self.channels.publish_delayed(due)
        return bool(due)

    def stop(self) -> list[asyncio.Task[None]]:
        """Show and tell nothing more. Return the tasks that now end."""
        self.on_step = _ignore
        return self.channels.stop() + self.proofs.stop()


def open_question(match: Match[Any]) -> int:
    """Return the id of the question that the match waits for, -1 where there is none."""
    return -1 if match.question is None else match.question.id


def _ignore(step: bytes) -> None:
    """Do nothing: no bot has to follow."""
