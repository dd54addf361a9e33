"""Small pictures that explain something: nodes of a scene and arrows, as JSON in an entry of a catalogue."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Point

MOST_BYTES: Final = 32 * 1024
MOST_NODES: Final = 120
MOST_ARROWS: Final = 20
FARTHEST: Final = 100_000


class Arrow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Line from one place to another: a way with its length in `word`, or a line of sight, clear or blocked."""

    start: Point
    end: Point
    kind: Literal["way", "clear", "blocked"] = "way"
    word: str = ""


class Diagram(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nodes by id, the table among them, as in a scene; texts in them are the words themselves, in
    English, by which a catalogue in another language has them."""

    nodes: dict[NodeId, AnyNode]
    arrows: tuple[Arrow, ...] = ()


_DECODER: Final = msgspec.json.Decoder(Diagram)


def packed(diagram: Diagram) -> str:
    """Return the entry of a catalogue that holds this diagram."""
    return msgspec.json.encode(diagram).decode()


def unpacked(entry: str) -> Diagram | None:
    """Return the diagram of an entry; None where there is none, or it is larger or wilder than any honest one."""
    if not entry or len(entry) > MOST_BYTES:
        return None
    try:
        diagram = _DECODER.decode(entry)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    if len(diagram.nodes) > MOST_NODES or len(diagram.arrows) > MOST_ARROWS:
        return None
    return diagram
