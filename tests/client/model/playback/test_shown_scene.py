"""The shown scene of matches that bots have played: it reaches the true one, and never runs ahead of its queue."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given, strategies as st

from client.model.playback.durations import CATCH_UP, LONGEST_QUEUE
from client.model.playback.shown_scene import Listeners, ShownScene
from client.model.playback.told_acts import AT_ONCE, QueuedAct
from protocol.ids import NodeId, PromptId, Seq
from protocol.scene.delta import Patch
from protocol.scene.nodes import PROMPT_NODE, ROW_NODE, Act, AnyNode, Card, Choice, Cue, Piece, Prompt, Row
from protocol.text import Text
from protocol.wire.from_server import Delta, Snapshot
from protocol.wire.scene_model import Drift, SceneModel
from tests.support.examples.recorded import SYSTEMS
from tests.support.examples.recorded_table import as_heard

Nodes = Mapping[NodeId, AnyNode]


@dataclass
class Audience:
    """Somebody who looks at the shown scene, and holds it to the true ones: `states[k]` is that after frame k, and
    `cues[k]` the number of cues up to it."""

    states: list[Nodes] = field(default_factory=list)
    cues: list[int] = field(default_factory=list)
    begun: int = 0
    told: int = 0

    def heard(self, nodes: Nodes, cues: int) -> None:
        self.states.append(dict(nodes))
        self.cues.append((self.cues[-1] if self.cues else 0) + cues)

    def cue_begins(self, cue: Cue) -> None:
        self.begun += 1

    def cue_ends(self, cue: Cue, queued: QueuedAct) -> None:
        self.told += 1

    def check(self, shown: Nodes) -> None:
        """Each node is as it was before or after the frame that is being shown, and none as in a later one."""
        before = [0, *self.cues[:-1]]
        reached = [
            k
            for k, cues in enumerate(self.cues)
            if before[k] < self.begun or (before[k] == cues and cues <= self.told) or k == 0
        ]
        first = next((k for k, cues in enumerate(self.cues) if cues > self.told), len(self.cues) - 1)
        allowed = range(max(min(first, reached[-1]) - 1, 0), reached[-1] + 1)
        for id in shown.keys() | self.states[-1].keys():
            if id not in AT_ONCE and shown.get(id) != self.states[-1].get(id):
                assert any(shown.get(id) == self.states[k].get(id) for k in allowed), id


def follow(name: str, decisions: int, seat: int, seed: int, most: int) -> int:
    """Watch a match with pauses of random length between its frames; return the number of acts that were told of."""
    chance = random.Random(seed)
    model, audience = SceneModel(), Audience()
    shown = ShownScene(Listeners(cue=audience.cue_begins, told=audience.cue_ends), is_led=True)
    acts: set[int] = set()
    for frame in as_heard(name, decisions, seat, seed):
        if len(acts) >= most:
            break
        taken = model.take(frame)
        assert not isinstance(taken, Drift)
        for one in taken:
            if isinstance(one, Snapshot):
                shown.begin(model.nodes)
                audience.heard(model.nodes, 0)
                continue
            acts |= {act.n for act in one.acts}
            audience.heard(model.nodes, len(one.cues))
            shown.take(one, model.nodes)
            assert shown.nodes.get(PROMPT_NODE) == model.nodes.get(PROMPT_NODE)
        for _ in range(chance.randrange(4)):
            shown.advance(chance.random())
            audience.check(shown.nodes)
    while shown.is_behind:
        shown.advance(0.2)
        audience.check(shown.nodes)
    assert shown.nodes == model.nodes
    assert audience.told == audience.begun == audience.cues[-1]
    return len(acts)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_shown_scene_reaches_the_true_one_and_shows_nothing_before_its_turn(name: str) -> None:
    assert follow(name, 60, seat=1, seed=5, most=40) > 10


@pytest.mark.long("client")
@pytest.mark.parametrize("name", SYSTEMS)
def test_two_hundred_acts_are_shown_in_their_order(name: str) -> None:
    shown, seed = 0, 0
    while shown < 200:
        seed += 1
        shown += follow(name, 400, seat=seed % 2, seed=seed, most=200 - shown)


PIECE, OTHER = NodeId("piece/1"), NodeId("piece/2")
HERE, THERE = Piece((0, 0), 50), Piece((1200, 0), 50)


def shot(n: int, kills: NodeId, *, ends: bool = True) -> Delta:
    """Return a frame with an act of one shot, its dice and one figure that falls."""
    act = Act(n, "shot", 1, how="done" if ends else "")
    cues = (Cue("shot", Text("shot"), act=n), Cue("casualty", Text("falls"), about=(kills,), act=n))
    return Delta(n=Seq(n), patch={kills: None, NodeId("counter/x"): None}, hash=0, told=cues, acts=(act,))


def scene(**more: AnyNode) -> dict[NodeId, AnyNode]:
    return {PIECE: HERE, OTHER: THERE, **{NodeId(id): node for id, node in more.items()}}


def asked(id: str) -> Prompt:
    return Prompt(PromptId(id), Text("turn"), (Choice("go", Text("go")),))


def test_a_figure_falls_when_its_cue_has_been_shown_and_not_before() -> None:
    shown = ShownScene(is_led=True)
    shown.begin(scene())
    shown.take(shot(1, PIECE), {OTHER: THERE})
    shown.advance(0.4)
    assert PIECE in shown.nodes
    shown.advance(0.3)
    playing = shown.playing
    assert playing is not None
    assert playing.cue is not None
    assert playing.cue.kind == "casualty"
    assert PIECE in shown.nodes
    shown.advance(0.4)
    assert PIECE not in shown.nodes


@given(acts=st.integers(1, 60), step=st.floats(0.01, 0.5))
def test_whoever_is_asked_sees_all_that_is_queued_within_three_seconds(acts: int, step: float) -> None:
    shown = ShownScene(is_led=True)
    shown.begin(scene())
    nodes = scene()
    for n in range(1, acts + 1):
        shown.take(shot(n, PIECE), nodes)
    shown.take(Delta(n=Seq(99), patch={PROMPT_NODE: {}}, hash=0), nodes | {PROMPT_NODE: asked("p1")})
    assert shown.nodes[PROMPT_NODE] == asked("p1")
    passed = 0.0
    while shown.is_behind:
        shown.advance(step)
        passed += step
    assert passed <= CATCH_UP + 2 * step


def test_whoever_is_asked_sees_the_card_that_they_are_asked_about() -> None:
    """The acts of others before it are shown still, under the lit card of the one to act."""
    before, after = Row((Card("a", Text("a"), 0, state="current"),)), Row((Card("b", Text("b"), 1, state="current"),))
    shown = ShownScene(is_led=True)
    shown.begin(scene(row=before))
    shown.take(shot(1, PIECE), scene(row=before))
    patch: Patch = {ROW_NODE: {}}
    shown.take(Delta(n=Seq(2), patch=patch, hash=0), scene(row=after))
    assert shown.nodes[ROW_NODE] == before
    asks = {PROMPT_NODE: asked("p1")}
    shown.take(Delta(n=Seq(3), patch={PROMPT_NODE: {}}, hash=0), scene(row=after) | asks)
    assert shown.is_behind
    assert shown.nodes[ROW_NODE] == after


def test_a_long_queue_is_shown_faster() -> None:
    shown = ShownScene(is_led=True)
    shown.begin(scene())
    for n in range(1, 61):
        shown.take(shot(n, PIECE), {})
    passed = 0.0
    while shown.is_behind and passed < 60:
        shown.advance(0.1)
        passed += 0.1
    assert passed < 4 * LONGEST_QUEUE


def test_an_act_that_a_question_interrupts_stays_in_sight_until_more_is_told() -> None:
    shown = ShownScene(is_led=True)
    shown.begin(scene())
    nodes: dict[NodeId, AnyNode] = {OTHER: THERE}
    shown.take(shot(1, PIECE, ends=False), nodes)
    shown.take(Delta(n=Seq(2), patch={PROMPT_NODE: {}}, hash=0), nodes | {PROMPT_NODE: asked("react")})
    while shown.is_behind:
        shown.advance(0.1)
    shown.take(Delta(n=Seq(3), patch={PROMPT_NODE: {}}, hash=0), nodes | {PROMPT_NODE: asked("react")})
    shown.advance(0.1)
    held = shown.playing
    assert held is not None
    assert held.queued.told.n == 1
    assert shown.nodes == nodes | {PROMPT_NODE: asked("react")}
    shown.take(shot(1, OTHER), {})
    shown.jump()
    assert shown.playing is None


def test_a_jump_shows_the_true_scene_and_tells_all_that_was_queued() -> None:
    told: list[str] = []
    shown = ShownScene(Listeners(told=lambda cue, queued: told.append(cue.text.k)), is_led=True)
    shown.begin(scene())
    shown.take(shot(1, PIECE), {OTHER: THERE})
    shown.take(shot(2, OTHER), {})
    shown.jump()
    assert not shown.nodes
    assert told == ["shot", "falls", "shot", "falls"]


def test_a_scene_that_is_not_led_takes_everything_at_once() -> None:
    shown = ShownScene()
    shown.begin(scene())
    shown.take(shot(1, PIECE), {OTHER: THERE})
    assert shown.nodes == {OTHER: THERE}
    assert not shown.is_behind
