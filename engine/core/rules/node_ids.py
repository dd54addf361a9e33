"""Node ids of a scene: the kind of the node, a slash, and its id among those (protocol/scene/nodes.py)."""

from __future__ import annotations


def group_id(group: str) -> str:
    """Return the node id of a group or unit."""
    return f"group/{group}"


def piece_id(figure: str) -> str:
    """Return the node id of a figure or model."""
    return f"piece/{figure}"


def feature_id(feature: str) -> str:
    """Return the node id of a piece of terrain."""
    return f"feature/{feature}"


def zone_id(zone: str) -> str:
    """Return the node id of a marked area."""
    return f"zone/{zone}"


def seat_id(seat: int) -> str:
    """Return the node id of a seat."""
    return f"seat/{seat}"


def local_id(node: str) -> str:
    """Return a node's id without its kind: "7" of "group/7"."""
    return node.partition("/")[2]
