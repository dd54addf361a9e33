"""The scene that everyone sees, node by node; the lines of the log, and the result.

The key of a part holds the objects of the state that its node is made of: it is made again when one is another object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.events import DiceRolled
from engine.core.rules.node_ids import feature_node, group_node, local_id, piece_node, seat_node
from engine.core.rules.system import Part, PartOrSection
from engine.kit.present import scene as kit
from engine.kit.present.cues import Cues
from engine.kit.present.scene import Sections, Statuses, part
from protocol.ids import GroupId, NodeId
from protocol.scene import nodes
from protocol.scene.nodes import Cue, Dice
from protocol.text import Text, text

from . import table, turns
from .content import RADIUS, SEATS, SIDES
from .state import Battle, Figure, Group

GROUP: Final = Statuses(
    ("done", "has acted", lambda state, group: group.done),
    ("in_cover", "in cover", lambda state, group: table.has_cover(state, group)),
)


def side(state: Battle, seat: int) -> Text:
    """Name a seat."""
    return Text(f"skeleton.{SIDES[seat]}")


def name_of(state: Battle, node: NodeId) -> Text:
    """Name a group by its node."""
    return turns.name(state, state.groups[GroupId(local_id(node))])


cues: Final = Cues[Battle](
    {"group": lambda state, id: turns.name(state, state.groups[id]), "first": side},
    lambda state, id: state.groups[id].owner,
)


@cues.of(DiceRolled)
def _rolled(event: DiceRolled, before: Battle, after: Battle) -> Iterator[Cue]:
    dice = Dice.of(event.id, Text(event.purpose))
    yield Cue(
        "dice",
        text("skeleton.log.dice", side=side(after, event.seat), dice=len(event.faces)),
        "",
        event.seat,
        dice=dice,
    )


def public(state: Battle) -> Iterator[PartOrSection]:
    """Yield the scene; there are no secrets."""
    yield _SECTIONS.of(state)
    if turns.is_over(state):
        yield part(nodes.RESULT_NODE, (state.groups,), _result, state)


def _ground(state: Battle) -> Iterator[Part]:
    scenario, kinds = state.resolved.scenario, state.resolved.terrain
    yield part(nodes.TABLE_NODE, (scenario,), nodes.Table, scenario.size)
    for feature in scenario.features:
        kind = kinds[feature.kind]
        cover = "cover" if kind.cover else ""
        yield part(feature_node(feature.id), (feature,), kit.feature, feature, kind, kind.name, cover, ())


def _groups(state: Battle) -> Iterator[Part]:
    for group in state.groups.values():
        if group.figures:
            figures = [state.figures[id] for id in group.figures]
            yield part(group_node(group.id), (group, *figures), _group, state, group)
            for figure in figures:
                yield part(piece_node(figure.id), (figure, group), _piece, state, group, figure)


def _group(state: Battle, group: Group) -> nodes.Group:
    pieces = tuple(map(piece_node, group.figures))
    return nodes.Group(group.owner, turns.name(state, group), pieces, status=GROUP.of(state, group))


def _piece(state: Battle, group: Group, figure: Figure) -> nodes.Piece:
    name, glyph = Text(state.profile(group).name), "leader" if figure.id == group.figures[0] else ""
    return nodes.Piece(figure.at, RADIUS, group.owner, group_node(group.id), name, glyph)


def _seats(state: Battle) -> Iterator[Part]:
    for seat in range(SEATS):
        yield part(seat_node(seat), (state.groups,), _seat, state, seat)


def _seat(state: Battle, seat: int) -> nodes.SeatNode:
    return kit.seat(side(state, seat), seat, score(state, seat), alive=bool(state.own(seat)))


def _round(state: Battle) -> Iterator[Part]:
    most = state.resolved.scenario.rounds
    yield part(NodeId("counter/round"), (state.round,), nodes.Counter, text("skeleton.round"), state.round, most)


def score(state: Battle, seat: int) -> int:
    """Count the figures that a seat has left."""
    return sum(len(group.figures) for group in state.own(seat))


def result(state: Battle) -> nodes.Result | None:
    """Return the outcome once the match is over: whoever has more figures left wins."""
    return _result(state) if turns.is_over(state) else None


def _result(state: Battle) -> nodes.Result:
    left = [score(state, seat) for seat in range(SEATS)]
    outcome = [nodes.SeatResult(seat, left[seat] > left[1 - seat], left[seat]) for seat in range(SEATS)]
    return nodes.Result(text("skeleton.over"), tuple(outcome))


_SECTIONS: Final = Sections[Battle](
    ("ground", "resolved", _ground),
    ("groups", "groups figures", _groups),
    ("seats", "groups", _seats),
    ("round", "round", _round),
)
