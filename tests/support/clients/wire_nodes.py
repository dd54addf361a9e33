"""Strategies for parts of a scene in wire form."""

from __future__ import annotations

from hypothesis import strategies as st

from protocol.ids import NodeId
from protocol.scene.delta import NodeMap, Nodes, node_map
from protocol.scene.nodes import PROMPT_NODE, WAITS_NODE, Choice, Counter, Piece, Prompt, SeatNode, UndoState, Waits
from protocol.text import text

NAMES = st.sampled_from(("a", "b", "ä", "zz", "\U0001f3b2", "\uffff"))
SCALARS = st.text(max_size=40) | st.integers(-(2**31), 2**63)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)
ANY_NODE: st.SearchStrategy[NodeMap] = st.dictionaries(NAMES, VALUES, max_size=5)
ANY_NODES: st.SearchStrategy[Nodes] = st.dictionaries(
    st.sampled_from(("row", "piece/1", "piece/2", "seat/ä")), ANY_NODE, max_size=4
)

PIECES = st.builds(
    Piece,
    at=st.tuples(st.integers(0, 4800), st.integers(0, 4800)),
    radius=st.integers(0, 300),
    counters=st.dictionaries(st.sampled_from(("hits", "ammo")), st.integers(0, 9), max_size=2),
    status=st.lists(st.sampled_from(("locked", "down")), max_size=2).map(tuple),
)
COUNTERS = st.builds(Counter, name=st.just(text("counter.turn")), value=st.integers(0, 99))
WAITS = st.builds(Waits, seats=st.lists(st.integers(0, 5), max_size=2).map(tuple), what=st.just(text("waits.turn")))
SEATS = st.builds(SeatNode, name=st.just(text("faction.m")), colour=st.integers(0, 5), score=st.integers(0, 9))
PROMPTS = st.builds(
    Prompt,
    id=st.integers(0, 99).map("s-{}".format),
    title=st.just(text("prompt.act")),
    choices=st.just((Choice("pass", text("choice.pass")),)),
)
LONG_PROMPTS = st.builds(
    Prompt,
    id=st.sampled_from(("s-1", "s-2")),
    title=st.sampled_from(
        (
            text("prompt.act"),
            text("prompt.card", left=2),
            text("prompt.card", left=2, card=text("card.single", faction=text("faction.m"))),
            text("prompt.card", left=1, card=text("card.single", faction=text("faction.n"), worn=1)),
            text("prompt.card", card=text("card.double")),
            text("prompt.card", card=3, left="two"),
        )
    ),
    choices=st.lists(st.builds(Choice, NAMES, st.just(text("choice.of.a.name.that.is.rather.long"))), max_size=4).map(
        tuple
    ),
    undo=st.builds(UndoState, st.booleans(), st.none() | st.just(text("refuse.undo/dice"))),
)
PUBLIC: st.SearchStrategy[Nodes] = st.fixed_dictionaries(
    {},
    optional={
        NodeId("piece/1"): PIECES.map(node_map),
        NodeId("piece/2"): PIECES.map(node_map),
        NodeId("turn"): COUNTERS.map(node_map),
        WAITS_NODE: WAITS.map(node_map),
        NodeId("seat/0"): SEATS.map(node_map),
    },
)
PRIVATE: st.SearchStrategy[Nodes] = st.fixed_dictionaries(
    {},
    optional={
        PROMPT_NODE: PROMPTS.map(node_map),
        NodeId("turn"): COUNTERS.map(node_map),
        NodeId("piece/9"): PIECES.map(node_map),
    },
)
