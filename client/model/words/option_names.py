"""Names of what a field offers: a thing's own, its node's, or a figure's with its group. Needs no window."""

from __future__ import annotations

from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Feature, Group, Piece, SeatNode
from protocol.text import Text


def option_name(model: ViewModel, node_id: NodeId, name: Text | None) -> str:
    """Return the name of something that can be picked: its own, its node's, or a figure's with its group."""
    if name is not None:
        return model.texts.say(name)
    node = model.top.nodes.get(node_id)
    match node:
        case Group() | Feature() | SeatNode():
            return model.texts.say(node.name)
        case Piece():
            kind = model.texts.say(node.name) if node.name is not None else phrase("fields.figure")
            group = model.top.groups.get(model.top.group_of.get(node_id, NO_NODE))
            if group is None:
                return kind
            number = group.pieces.index(node_id) + 1
            return phrase("fields.figure_of", kind=kind, number=number, group=model.texts.say(group.name))
        case _:
            return node_id.rpartition("/")[2].replace("_", " ")
