"""Client's picture: parts, numbers, what waits for what, and what a drift leaves behind."""

from __future__ import annotations

import msgspec

from protocol.ids import NodeId, Seq
from protocol.scene.delta import Nodes, Patch, apply, node_map, nodes_hash
from protocol.scene.nodes import Counter, Cue, Piece
from protocol.text import text
from protocol.wire.from_server import Delta, Snapshot
from protocol.wire.scene_model import MOST_HELD, Drift, Frames, SceneModel

TURN = NodeId("turn")
PIECE_1 = NodeId("piece/1")

PUBLIC: Nodes = {TURN: node_map(Counter(text("turn"), 1)), PIECE_1: node_map(Piece((1, 2), 50))}
PRIVATE: Nodes = {TURN: node_map(Counter(text("my turn"), 1))}


def whole(part: str, nodes: Nodes, n: int = 0, after: int = 0, stream: str = "s1") -> Snapshot:
    return Snapshot(part, stream, Seq(n), nodes, nodes_hash(nodes), Seq(after))


def change(part: str, n: int, nodes: Nodes, patch: Patch, after: int = 0) -> Delta:
    cue = Cue("note", text(f"{part}-{n}"))
    return Delta(part=part, n=Seq(n), patch=patch, hash=nodes_hash(apply(nodes, patch)), told=(cue,), after=Seq(after))


def shown(model: SceneModel, frame: Snapshot | Delta) -> Frames:
    taken = model.take(frame)
    assert not isinstance(taken, Drift)
    return taken


def anew(model: SceneModel, frame: Snapshot | Delta) -> tuple[Frames, set[NodeId]]:
    """Return the frames shown by a frame, and the nodes that came, went or were made anew."""
    before = dict(model.nodes)
    taken = shown(model, frame)
    known = before.keys() | model.nodes.keys()
    return taken, {id for id in known if before.get(id) is not model.nodes.get(id)}


def said(taken: Frames) -> list[str]:
    return [cue.text.k for frame in taken if isinstance(frame, Delta) for cue in frame.cues]


def started() -> SceneModel:
    model = SceneModel()
    shown(model, whole("public", PUBLIC))
    shown(model, whole("private", PRIVATE))
    return model


def test_a_private_node_hides_the_public_one() -> None:
    model = started()
    turn = model.nodes[TURN]
    assert isinstance(turn, Counter)
    assert turn.name == text("my turn")
    assert [id for id, node in model.nodes.items() if isinstance(node, Piece)] == ["piece/1"]
    _, changed = anew(model, change("private", 1, PRIVATE, {TURN: None}))
    assert changed == {"turn"}
    turn = model.nodes[TURN]
    assert isinstance(turn, Counter)
    assert turn.name == text("turn")
    assert model.hashes == ((0, nodes_hash(PUBLIC)), (1, 0))


def test_a_private_change_waits_for_its_public_number_and_both_are_shown_together() -> None:
    model = started()
    private = change("private", 1, PRIVATE, {TURN: {"value": 2}}, after=1)
    assert not shown(model, private)
    assert model.numbers == (0, 0)
    public = change("public", 1, PUBLIC, {PIECE_1: {"at": [3, 4]}})
    taken, changed = anew(model, public)
    assert taken == (public, private)
    assert changed == {"piece/1", "turn"}
    assert said(taken) == ["public-1", "private-1"]
    assert model.numbers == (1, 1)


def test_a_held_change_that_drifts_says_what_was_shown_before() -> None:
    model = started()
    shown(model, change("private", 2, PRIVATE, {}, after=1))
    public = change("public", 1, PUBLIC, {})
    assert model.take(public) == Drift("private", "number", (public,))


def test_a_gap_or_a_wrong_hash_is_a_drift_and_shows_nothing() -> None:
    for wrong, why in (
        (change("public", 2, PUBLIC, {TURN: None}), "number"),
        (change("public", 0, PUBLIC, {TURN: None}), "number"),
        (Delta(n=Seq(1), patch={TURN: None}, hash=1), "hash"),
        (Delta(n=Seq(1), patch={TURN: {"value": 1.5}}, hash=1), "hash"),
        (Delta(n=Seq(-1), patch={}, hash=1), "shape"),
    ):
        model = started()
        before = dict(model.nodes)
        assert model.take(wrong) == Drift("public", why)
        assert dict(model.nodes) == before
        assert (model.is_lost, model.is_whole) == (True, False)
        assert model.take(change("public", 1, PUBLIC, {})) == ()
        shown(model, whole("public", PUBLIC, 5))
        assert model.is_whole


def test_another_stream_begins_anew() -> None:
    model = started()
    shown(model, whole("public", {}, 0, stream="s2"))
    assert not model.nodes
    assert model.take(whole("private", PRIVATE, stream="s1")) == Drift("private", "stream")
    shown(model, whole("private", PRIVATE, stream="s2"))
    assert set(model.nodes) == {"turn"}


def test_a_snapshot_removes_what_it_does_not_hold() -> None:
    model = started()
    _, changed = anew(model, whole("public", {TURN: PUBLIC[TURN]}, 7))
    assert changed == {"turn", "piece/1"}
    assert set(model.nodes) == {"turn"}


def test_deltas_before_any_snapshot_are_a_drift() -> None:
    model = SceneModel()
    assert isinstance(model.take(change("public", 1, {}, {})), Drift)
    assert model.take(change("public", 2, {}, {})) == ()
    assert SceneModel().take(whole("private", PRIVATE)) == Drift("private", "stream")


def test_what_waits_is_bounded() -> None:
    model = started()
    for n in range(MOST_HELD):
        shown(model, change("private", n + 1, {}, {}, after=9))
    assert model.take(change("private", MOST_HELD + 1, {}, {}, after=9)) == Drift("private", "held")


def test_a_private_cue_names_what_is_public_and_waits_with_its_frame() -> None:
    template = [{"kind": "note", "text": {"$name": [{"$": 0}]}}]
    model = SceneModel({7: template})
    public: Nodes = {PIECE_1: {**PUBLIC[PIECE_1], "name": {"k": "mine"}}}
    shown(model, whole("public", public, 1))
    shown(model, whole("private", {}, 1))
    early = msgspec.structs.replace(change("private", 2, {}, {}, after=2), told=((7, "piece/1"),))
    assert model.take(early) == ()
    taken = shown(model, change("public", 2, public, {}))
    assert said(taken) == ["public-2", "mine"]
