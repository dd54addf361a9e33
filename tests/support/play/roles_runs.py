"""Matches watched in every role at once, against a record of who may know what since when."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Final

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from engine.core.view.projection import SceneChanges
from protocol.ids import MatchId
from protocol.limits import Limits
from protocol.scene.delta import Nodes
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Delta, Snapshot
from protocol.wire.scene_model import Drift, SceneModel
from server.match.channels import DELAYED, SPECTATOR, Channels, Viewpoint, player
from server.match.delayed_view import DelayedView, everything
from server.match.frames import PRIVATE, PUBLIC, delta
from server.match.spectator_queue import SpectatorGate
from tests.support.doubles.supervisor import supervisor
from tests.support.systems.duel import TOML, Duel

MATCH = MatchId("m1")

SECONDS: Final = 120.0
ROUNDS: Final = 2
SEATS: Final = 6


class Eyes:
    """Viewer that keeps every byte, and draws the picture."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.scene = SceneModel()

    def offer(self, *parts: bytes, droppable: bool = False) -> None:
        for data in parts:
            self.got.append(data)
            message = decode_message(data, Limits())
            assert isinstance(message, Snapshot | Delta)
            assert not isinstance(self.scene.take(message), Drift), "the picture has drifted"

    def offer_with_answer(self, *parts: bytes) -> None:
        self.offer(*parts)


class Roles:
    """One match whose time passes at random, restarted now and then."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now = 1_000.0
        self.events = self.late_pictures = self.restarts = 0
        duel = Duel()
        resolved = duel.setup(duel.content({"duel.toml": TOML}), Setup("long", ("",) * SEATS))
        match: Match[Any] = Match(duel, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH))
        self.play = SelfPlay(match, self._told)
        self.bots = {Seat(seat): RandomBot(seed + seat) for seat in range(SEATS)}
        self.public, self.holder, self.inside, self.late = Eyes(), Eyes(), Eyes(), Eyes()
        self.seat = Seat(seed % SEATS)
        self.allowed: dict[Eyes, list[bytes]] = {}
        self.history: list[tuple[float, int, Nodes]] = []
        self.play.begin(Start(MATCH, SEATS, resolved))

    @property
    def _round(self) -> int:
        return self.play.match.record.round

    def _open(self) -> None:
        """Open the match as after a start of the server: the times of past events are unknown."""
        projector = self.play.projector
        late = DelayedView(projector, "late", SECONDS, self.now, self._round)
        self.channels = Channels(projector, 200, SpectatorGate(supervisor()), late)
        self.public, self.holder, self.inside, self.late = Eyes(), Eyes(), Eyes(), Eyes()
        roles: dict[Eyes, Viewpoint] = {
            self.public: SPECTATOR,
            self.holder: player(self.seat),
            self.inside: Viewpoint(self.seat),
            self.late: DELAYED,
        }
        for eyes, view in roles.items():
            self.channels.attach(eyes, view)
        self.allowed = {eyes: list(eyes.got) for eyes in roles}
        self.history = [(self.now, self._round, everything(projector))]

    def _told(self, step: Step[Any], frames: SceneChanges | None) -> None:
        if frames is None:
            self._open()
            return
        self.events += len(step.stored.entries)
        self.now += self.chance.choice((0.0, 0.5, 3.0, 40.0))
        self.channels.publish(frames)
        public = [] if frames.public is None else [encode(delta(PUBLIC, frames.public))]
        private = [encode(delta(PRIVATE, frames.private[self.seat]))] if self.seat in frames.private else []
        self.allowed[self.public] += public
        for eyes in (self.holder, self.inside):
            self.allowed[eyes] += [*public, *private]
        late = self.channels.delayed
        assert late is not None
        late.step(frames, self.now, self._round)
        self.history.append((self.now, self._round, everything(self.play.projector)))

    async def look(self) -> None:
        """Serve the spectators, then compare what each has with what they may have."""
        late = self.channels.delayed
        assert late is not None
        is_over = self.play.match.result is not None
        self.channels.publish_delayed(late.release(self.now, self._round, is_over=is_over))
        for _ in range(20):
            await asyncio.sleep(0)
        for eyes, allowed in self.allowed.items():
            assert eyes is self.late or eyes.got == allowed, "another byte than the rule allows"
        due = [
            nodes
            for at, round, nodes in self.history
            if is_over or (self.now - at >= SECONDS and self._round - round >= ROUNDS)
        ]
        shown = self.late.scene.public.nodes
        assert shown == (due[-1] if due else {}), "the late picture is early, or later than it should be"
        assert not self.late.scene.private.nodes
        self.late_pictures += bool(due)

    async def run(self) -> dict[str, float]:
        """Play to the end, with leaps of time and restarts of the server."""
        while self.play.decide(self.bots):
            await self.look()
            if self.chance.random() < 0.1:
                self.now += self.chance.choice((5.0, 119.0, 130.0))
                await self.look()
            if self.chance.random() < 0.01:
                self.restarts += 1
                self._open()
                await self.look()
        await self.look()
        return {
            "events": self.events,
            "late_pictures": self.late_pictures,
            "restarts": self.restarts,
            "matches": 1,
        }
