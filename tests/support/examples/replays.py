"""A small replay: a beginning, a move, a shot with its dice, the end."""

from __future__ import annotations

from msgspec.structs import replace

from protocol.fairness.replay import Frame, Header, Replay, SeatHeader, write
from protocol.ids import MatchId, NodeId, Seq
from protocol.scene.delta import difference, node_map, nodes_hash
from protocol.scene.nodes import RESULT_NODE, AnyNode, Cue, Piece
from protocol.text import text
from protocol.wire.from_server import Delta
from tests.support.examples import scenes
from tests.support.fairness.signing import HOST

MOVED = (6000, 900)


def _after(nodes: dict[NodeId, AnyNode], changed: dict[NodeId, AnyNode], n: Seq, cues: tuple[Cue, ...]) -> Delta:
    before = {node_id: node_map(node) for node_id, node in nodes.items()}
    nodes.update(changed)
    after = {node_id: node_map(node) for node_id, node in nodes.items()}
    return Delta(n=n, patch=difference(before, after), hash=nodes_hash(after), told=cues)


def frames() -> tuple[Frame, ...]:
    """The public stream: steps 0 to 3."""
    nodes = scenes.public_nodes()
    first: Frame = scenes.snapshot("public", nodes)
    piece = nodes[NodeId("piece/13")]
    assert isinstance(piece, Piece)
    move, shot = scenes.cues()
    return (
        first,
        _after(nodes, {NodeId("piece/13"): replace(piece, at=MOVED)}, Seq(2), (move,)),
        _after(nodes, {}, Seq(3), (shot,)),
        _after(nodes, {RESULT_NODE: scenes.public_nodes(finished=True)[RESULT_NODE]}, Seq(4), ()),
    )


def replay() -> Replay:
    """The whole file; its log is of no match, so it can be watched and not verified."""
    header = Header(
        "action_cards", "mill", MatchId("m1"), "test", "0.1.0",
        tuple(SeatHeader(f"Player {seat}", f"f{seat}", scenes.faction(seat)) for seat in range(6)),
        "Friday night", text("zone.goal"),
    )  # fmt: skip
    secret = scenes.snapshot("private", {NodeId("objective/1.x"): scenes.public_nodes()[NodeId("objective/1")]})
    streams = {"public": frames(), "seat/1": (secret,)}
    return Replay(header, bytes(32), b"", (b"step",), streams, (scenes.CATALOGUE,))


def replay_bytes() -> bytes:
    return write(replay(), HOST)
