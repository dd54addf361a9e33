"""A match watched by every viewer through deltas alone, and checked against its log: the engine's properties."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Aside, Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource
from engine.core.rules.events import DiceRolled
from engine.core.rules.system import System
from engine.core.view.part_view import PartView
from engine.core.view.projection import Projector, SceneChange, SceneChanges
from engine.core.view.prompts import prompt_for, prompt_source
from protocol.ids import MatchId, NodeId
from protocol.scene.delta import HashedNodes, nodes_hash
from protocol.scene.nodes import PROMPT_NODE, Dice, Prompt, RollId, StackItem
from protocol.scene.template_filling import TemplateFilling
from server.match.frames import as_told

MATCH = MatchId("m1")

S = TypeVar("S")
Nodes = dict[NodeId, dict[str, Any]]


class Observed(Generic[S]):
    """Match played in memory. `log` holds the stored steps, `frames` every viewer's frames (None: the public).

    `waits`: the seats that each question asked and the length of its window, which anyone can time. `shown`: the rolls
    whose dice a viewer was told of in cues, each of which was compared with its record.
    """

    def __init__(self, system: System[S], dice: DiceSource, resolved: bytes, seats: int) -> None:
        self.system, self.dice = system, dice
        self.log: list[bytes] = []
        self.frames: dict[Seat | None, list[SceneChange]] = {s: [] for s in (None, *map(Seat, range(seats)))}
        self.waits: list[tuple[object, ...]] = []
        self.shown: dict[Seat | None, list[RollId]] = {viewer: [] for viewer in self.frames}
        self._rolled: dict[RollId, DiceRolled] = {}
        self._forms = {form.id: form.template for form in system.cue_templates}
        self._followers: dict[Seat | None, HashedNodes] = {}
        self.play = SelfPlay(Match(system, MATCH, dice), self._told)
        self.play.begin(Start(MATCH, seats, resolved))

    @property
    def match(self) -> Match[S]:
        """The live match."""
        return self.play.match

    def _told(self, step: Step[S], frames: SceneChanges | None) -> None:
        self.log.append(step.data)
        self._rolled |= {entry.id: entry for entry in step.stored.entries if isinstance(entry, DiceRolled)}
        question = self.match.question
        if question is not None and step.stored.asked is not None and not isinstance(step.cause, Aside):
            self.waits.append((question.kind, question.window, tuple(question.asks)))
        if frames is None:
            self._follow()
            return
        changes: dict[Seat | None, SceneChange] = dict(frames.private.items())
        if frames.public is not None:
            changes[None] = frames.public
        for viewer, change in changes.items():
            self.frames[viewer].append(change)
            follower = self._followers[viewer]
            follower.apply(change.patch)
            assert follower.hash == change.hash, f"viewer {viewer} drifted at {change.n}"
            self._check_dice(viewer, change)

    def _check_dice(self, viewer: Seat | None, change: SceneChange) -> None:
        """Check that the dice in cues and on the stack are each a roll of the log."""
        view = self.play.projector.public if viewer is None else self.play.projector.private[viewer]
        for cue in TemplateFilling(self._forms, (view.hashed.nodes,)).cues(as_told(change.cues)):
            if cue.dice is not None:
                self._check_roll(cue.dice)
                self.shown[viewer].append(cue.dice.roll)
        for id in change.patch:
            node = view.typed.get(id)
            for dice in node.dice if isinstance(node, StackItem) else ():
                self._check_roll(dice)

    def _check_roll(self, dice: Dice) -> None:
        roll = self._rolled[dice.roll]
        assert (dice.seat, dice.sides, dice.faces) == (roll.seat, roll.sides, roll.faces)
        assert dice.total in (0, sum(roll.faces))

    def _follow(self) -> None:
        projector = self.play.projector
        for viewer, view in _views(projector):
            self._followers[viewer] = HashedNodes()
            self._followers[viewer].apply(dict(view.hashed.nodes))

    def check_views(self) -> None:
        """Check that a projection from scratch equals the scene that each viewer has folded from deltas."""
        fresh = Projector(self.match, "fresh")
        for viewer, view in _views(fresh):
            followed = self._followers[viewer]
            drawn, known = _unnumbered(dict(view.hashed.nodes)), _unnumbered(dict(followed.nodes))
            wrong = {id: (drawn.get(id), known.get(id)) for id in drawn | known if drawn.get(id) != known.get(id)}
            assert not wrong, f"viewer {viewer}: {wrong}"
            assert nodes_hash(followed.nodes) == followed.hash

    def check_log(self) -> None:
        """Check that the log folded from nothing gives the live state and, where a procedure waits, the same
        question."""
        again = Match(self.system, MATCH, self.dice)
        for data in self.log:
            again.replay(data)
        again.resume()
        live = self.match
        assert msgspec.msgpack.encode(again.state) == msgspec.msgpack.encode(live.state)
        assert (again.version, again.head, again.record) == (live.version, live.head, live.record)
        assert again.may_act() == live.may_act()
        if live.question is not None:
            assert again.question is not None
            assert again.question.digest(b"") == live.question.digest(b"")


def prompt_at(match: Match[S], seat: Seat) -> Prompt | None:
    """Return the prompt of a seat, built by itself."""
    return prompt_for(match, seat, prompt_source(match, seat) if seat in match.may_act() else None)


def _views(projector: Projector[S]) -> list[tuple[Seat | None, PartView]]:
    return [(None, projector.public), *projector.private.items()]


def _unnumbered(nodes: Nodes) -> Nodes:
    if "prompt" not in nodes:
        return nodes
    return {**nodes, PROMPT_NODE: {k: v for k, v in nodes[PROMPT_NODE].items() if k != "id"}}
