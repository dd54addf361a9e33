"""Node ids of a scene: the kind of the node, a slash, and its id among those (protocol/scene/nodes.py).

They are made for each node of each step, and calling NodeId costs as much as the string: hence the ignored types."""

from __future__ import annotations

from protocol.ids import FigureId, GroupId, NodeId


def group_node(group: GroupId) -> NodeId:
    """Return the node id of a group or unit."""
    return f"group/{group}"  # type: ignore[return-value]


def piece_node(figure: FigureId) -> NodeId:
    """Return the node id of a figure or model."""
    return f"piece/{figure}"  # type: ignore[return-value]


def feature_node(feature: str) -> NodeId:
    """Return the node id of a piece of terrain."""
    return f"feature/{feature}"  # type: ignore[return-value]


def zone_node(zone: str) -> NodeId:
    """Return the node id of a marked area."""
    return f"zone/{zone}"  # type: ignore[return-value]


def sheet_node(sheet: str | int) -> NodeId:
    """Return the node id of a unit's or faction's card."""
    return f"sheet/{sheet}"  # type: ignore[return-value]


def stack_node(item: str) -> NodeId:
    """Return the node id of an item being resolved."""
    return f"stack/{item}"  # type: ignore[return-value]


def objective_node(seat: int, condition: str) -> NodeId:
    """Return the node id of a victory condition of a seat."""
    return f"objective/{seat}.{condition}"  # type: ignore[return-value]


def seat_node(seat: int) -> NodeId:
    """Return the node id of a seat."""
    return f"seat/{seat}"  # type: ignore[return-value]


def local_id(node: str) -> str:
    """Return a node's id without its kind: "7" of "group/7"."""
    return node.partition("/")[2]


def group_of(node: str) -> GroupId:
    """Return the group of a node, or of the option that offers it."""
    return GroupId(local_id(node))


def figure_of(node: str) -> FigureId:
    """Return the figure of a node, or of the option that offers it."""
    return FigureId(local_id(node))
