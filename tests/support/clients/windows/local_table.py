"""A seeded match in memory behind the client's window: one seat is the window's, bots of the rules play the others.

The far end of the window's link is here: it speaks the protocol, and shows the scene whole after every act.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from engine.core.bots.bot import Bot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.advice import Lookouts
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.system import Setup
from engine.core.view.asides import is_aside
from engine.core.view.prompts import detail_for
from engine.core.view.proposals import proposal_for
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of, surveyed_choices, targets_from
from protocol.ids import MatchId, NodeId, Seq, TableId
from protocol.scene.delta import node_map, nodes_hash
from protocol.scene.nodes import AnyNode, Point, Prompt, Reply
from protocol.text import Text
from protocol.wire.codec import encode
from protocol.wire.from_client import DetailRequest, FromClient, Hello, Intent, Propose, Survey
from protocol.wire.from_server import Ack, Detail, Proposed, Reject, SeatView, Snapshot, Surveyed, TableView, Welcome
from protocol.wire.server_message import ServerMessage
from server.content.systems import Installed
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp

MATCH = MatchId("m1")
MOST_STEPS = 4_000
"""Decisions of bots between two of the window's, after which something is wrong."""


class LocalTable:
    """Window at a match with this seed, in seat 0. `left_to_bots`: what a bot plays for the seat, too, at first, as
    long as any of these choices is offered. `cuts_every`: seconds of the window's time, which runs only while something
    is waited for, after which the link is cut, again and again; every other time with the answers on it."""

    def __init__(
        self,
        app: ReadableApp,
        folder: Path,
        installed: Installed,
        scenario: str,
        seed: int,
        left_to_bots: Collection[str] = (),
        factions: tuple[str, ...] = (),
        cuts_every: float = 0.0,
    ) -> None:
        system, content = installed.system, installed.content
        info = next(one for one in system.scenarios(content) if one.id == scenario)
        match = Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH))
        self.play = SelfPlay(match, watched=False)
        self.play.begin(
            Start(MATCH, info.seats, system.setup(content, Setup(scenario, factions or ("",) * info.seats)))
        )
        self.seat = Seat(0)
        self.bots: dict[Seat, Bot] = {Seat(seat): system.bots["level1"](seat) for seat in range(1, info.seats)}
        self.acts: list[str] = []
        self.refusals: list[Refusal] = []
        self._asked: Intent | None = None
        seats = tuple(
            SeatView(seat, f"who{seat}", f"Player {seat}", "", Text(""), True, "" if seat == 0 else "level1", seat == 0)
            for seat in range(info.seats)
        )
        view = TableView(TableId("t1"), "Local", system.name, scenario, "live", 0, "who0", seats)
        welcome = Welcome("who0", "Ada", "secret-token", "local", "0.1.0")
        self._shown = 0
        self._let_others_play()
        self.bots[self.seat] = system.bots["level1"](0)
        while (prompt := self.prompt) is not None and any(choice.id in left_to_bots for choice in prompt.choices):
            self.play.decide(self.bots)
            self._let_others_play()
        self.cuts = 0
        self._cuts_every = self._next_cut = cuts_every
        self._done: dict[bytes, ServerMessage] = {}
        self._first: list[ServerMessage] = [welcome, installed.catalogue("en"), view]
        self._is_known = False
        self._passed = 0.0
        self.table = Table(app, folder, [encode(message) for message in (*self._first, *self._scene())])

    @property
    def match(self) -> Match[object]:
        return self.play.match

    @property
    def prompt(self) -> Prompt | None:
        """The prompt of the window's seat."""
        return self.play.projector.prompt(self.seat)

    @property
    def situation(self) -> Situation[object]:
        return Situation.of(self.play.match, self.seat)

    @property
    def is_over(self) -> bool:
        return self.play.next_seat() is None

    def turn(self, seconds: float = 0.1) -> None:
        """Let time pass in the window, and answer what it has said."""
        self.table.time += seconds
        self._passed += seconds
        self.table.settle()
        said, self.table.said = list(self.table.said), []
        is_cut = bool(self._cuts_every) and self._passed >= self._next_cut
        for message in said:
            answers = [encode(answer) for answer in self._answers(message)]
            if not is_cut or self.cuts % 2 == 0:
                self.table.hear(*answers)
        if is_cut:
            self._next_cut = self._passed + self._cuts_every
            self.cut()

    def cut(self) -> None:
        """Cut the link of the window, which connects anew."""
        self.cuts += 1
        self.table.break_and_mend()

    def _answers(self, message: FromClient) -> Iterator[ServerMessage]:
        try:
            match message:
                case Hello():
                    if self._is_known:
                        yield from (*self._first, *self._scene())
                    self._is_known = True
                case Intent():
                    yield from self._act(message)
                case DetailRequest():
                    field = detail_for(self.play.match, self.seat, message.choice, message.fields)
                    yield Detail(message.id, field)
                case Survey():
                    yield from self._survey(message)
                case Propose():
                    yield from self._propose(message)
        except IllegalIntent as refused:
            code, words = refused.refusal.code, refused.refusal.text
            match message:
                case DetailRequest():
                    yield Detail(message.id, code=code, text=words)
                case Propose():
                    yield Proposed(message.id, code=code, text=words, at=refused.refusal.at, by=refused.refusal.by)
                case Survey():
                    yield Surveyed(message.id, code=code, text=words)

    def _act(self, intent: Intent) -> Iterator[ServerMessage]:
        if intent.id in self._done:
            yield self._done[intent.id]
            return
        try:
            self.play.submit(self.seat, Reply(intent.choice, dict(intent.fields)), intent.id)
        except IllegalIntent as refused:
            self.refusals.append(refused.refusal)
            yield Reject(intent.id, *refused.refusal[:2], refused.refusal.at, refused.refusal.by)
            return
        if not is_aside(intent.choice):
            self.acts.append(intent.choice)
        self._done[intent.id] = Ack(intent.id, self.play.projector.version)
        yield self._done[intent.id]
        self._let_others_play()
        yield from self._scene()

    def _let_others_play(self) -> None:
        for _ in range(MOST_STEPS):
            seat = self.play.next_seat()
            if seat is None or seat == self.seat:
                return
            self.play.decide(self.bots)
        raise AssertionError("the others play without end")

    def _survey(self, asked: Survey) -> Iterator[ServerMessage]:
        situation, subject = self.situation, NodeId(asked.subject)
        choices = surveyed_choices(situation, subject)
        for left, choice in zip(range(len(choices) - 1, -1, -1), choices, strict=True):
            found = survey_of(situation, choice, subject)
            yield Surveyed(asked.id, choice.id, found.why, found.reach, found.targets, left > 0)
        if not choices:
            yield Surveyed(asked.id)

    def _propose(self, asked: Propose) -> Iterator[ServerMessage]:
        filled = proposal_for(self.situation, asked.choice, asked.fields)
        fields, ghosts, moves = dict(filled.fields), dict(filled.ghosts), bool(filled.ghosts)
        yield Proposed(asked.id, fields, filled.open, ghosts, filled.forecast, more=moves)  # type: ignore[arg-type]  # as the rules made them
        if moves and filled.after is not None:
            thing = next((value[0] for value in fields.values() if isinstance(value, list) and value), "")
            subject = NodeId(str(thing))
            system, after = filled.after.system, filled.after.state
            seen: tuple[tuple[Point, ...], ...] = ()
            if isinstance(system, Lookouts):
                seen = tuple(tuple(system.seen_from(after, subject, at)) for at in system.lookouts(after, subject))
            yield Proposed(asked.id, fields, ghosts=ghosts, targets=targets_from(filled.after, subject), seen=seen)  # type: ignore[arg-type]  # likewise

    def _scene(self) -> Iterator[Snapshot]:
        self._shown += 1
        whole, public = self.play.projector.scene(self.seat), self.play.projector.scene(None)
        private = {id: node for id, node in whole.items() if id not in public}
        yield self._snapshot("public", dict(public), Seq(0))
        yield self._snapshot("private", private, Seq(self._shown))

    def _snapshot(self, part: str, nodes: dict[NodeId, AnyNode], after: Seq) -> Snapshot:
        maps = {id: node_map(node) for id, node in nodes.items()}
        return Snapshot(part, "stream1", Seq(self._shown), maps, nodes_hash(maps), after)
