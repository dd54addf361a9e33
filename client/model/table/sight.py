"""Lines of sight over the shown table, as a hint: the server alone decides. Needs no window."""

from __future__ import annotations

from client.model.table.shapes import meets_outline
from client.model.table.tabletop import Tabletop
from client.text.texts import Texts
from protocol.scene.nodes import Point


def first_blocker(top: Tabletop, texts: Texts, a: Point, b: Point) -> str:
    """Return the name of the first thing between two places that blocks sight, "" if none.

    Those are features that block and do not hold an end, and groups other than those at the ends. A hint; the server
    decides.
    """
    ends = {thing for point in (a, b) for thing in top.things_at(point, slack=60)}
    for name, feature in top.features.items():
        if feature.blocks and name not in ends and meets_outline(a, b, feature.outline, line=feature.line):
            return texts.say(feature.name)
    for name, group in top.groups.items():
        # rectangular bases (vehicles) do not block
        if name in ends or any(piece.box for _, piece in top.pieces_of(name)):
            continue
        outline = [(round(x), round(y)) for x, y in top.group_outline(name, 0)] if top.pieces_of(name) else []
        if outline and meets_outline(a, b, outline, line=False):
            return texts.say(group.name)
    return ""
