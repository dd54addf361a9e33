"""Descriptions of the table: all of it, one thing with all around it, and the terrain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.model.table.group_card import group_card
from client.plain.told.compass import length_words
from client.plain.told.shown_table import ShownTable
from client.text.phrases import phrase
from client.ui.tooltips import tooltip_for
from protocol.ids import NodeId

NEAR: Final = 1800
"""Hundredths within which terrain around a group is told."""
MOST_NEAR: Final = 8
"""Pieces of terrain around a group that are told, the nearest ones."""


def look_around(shown: ShownTable) -> Iterator[str]:
    """Yield the table, each group on it by number, and the groups that are not on it."""
    width, height = shown.top.table.size
    unit = shown.unit
    yield phrase("plain.look.table", width=length_words(width, unit), height=length_words(height, unit))
    own = [id for id in shown.on_table() if shown.is_mine(id)]
    seat = None
    for number, id in enumerate(shown.on_table(), 1):
        owner = shown.top.groups[id].owner
        if owner != seat:
            seat = owner
            yield _side_words(shown, owner)
        yield phrase("plain.line", number=number, words=_group_line(shown, id, own))
    yield from _away_lines(shown)
    yield phrase("plain.look.more")


def _away_lines(shown: ShownTable) -> Iterator[str]:
    """Yield for each side its groups that are not on the table."""
    for owner in dict.fromkeys(group.owner for group in shown.top.groups.values()):
        groups = (id for id, group in shown.top.groups.items() if group.owner == owner)
        names = "; ".join(shown.name(id) for id in groups if not shown.top.pieces_of(id))
        if names:
            yield phrase("plain.look.away", side=_side_words(shown, owner), names=names)


def _side_words(shown: ShownTable, owner: int) -> str:
    if owner < 0:
        return phrase("plain.look.nobody")
    mine = phrase("seats.you") if owner == shown.model.seat else ""
    return phrase("plain.look.side", name=f"{shown.model.seat_name(owner)}{mine}")


def _group_line(shown: ShownTable, id: NodeId, own: list[NodeId]) -> str:
    """Return a group with its place; another's with the way from the nearest group of one's own, and whether they see
    each other."""
    words = f"{shown.group_words(id)}, {shown.where(id)}"
    if id in own or not own:
        return words
    nearest = min(own, key=lambda mine: shown.gap(mine, id))
    sees = phrase("plain.sees.of" if shown.sees(nearest, id) else "plain.hidden.of", name=shown.names.of(nearest))
    return phrase("plain.look.other", words=words, way=shown.way(nearest, id), name=shown.names.of(nearest), sees=sees)


def look_at(shown: ShownTable, id: NodeId) -> Iterator[str]:
    """Yield a thing: a group with its card and all that stands around it, the nearest first; terrain with what it
    does."""
    if id in shown.top.groups:
        yield from _look_at_group(shown, id)
        return
    if id in shown.top.features:
        yield shown.terrain_words(id)
        yield from dict.fromkeys(tooltip_for(shown.model, None, id).splitlines()[1:])
    else:
        yield shown.name(id)
    yield shown.where(id)
    for other in sorted(shown.on_table(), key=lambda other: shown.gap(id, other))[:MOST_NEAR]:
        yield phrase("plain.look.from", words=shown.group_words(other), way=shown.way(id, other))


def _look_at_group(shown: ShownTable, id: NodeId) -> Iterator[str]:
    yield phrase("plain.look.group", words=shown.group_words(id), where=shown.where(id))
    card = group_card(shown.model, id)
    yield from map(shown.texts.say, card.lines if card is not None else ())
    if not shown.top.pieces_of(id):
        return
    others = [other for other in shown.on_table() if other != id]
    for number, other in enumerate(sorted(others, key=lambda other: shown.gap(id, other)), 1):
        yield phrase("plain.line", number=number, words=_seen_line(shown, id, other))
    near = [name for name in shown.top.features if shown.gap(id, name) <= NEAR]
    for name in sorted(near, key=lambda name: shown.gap(id, name))[:MOST_NEAR]:
        yield phrase("plain.look.from", words=shown.terrain_words(name), way=shown.way(id, name))


def _seen_line(shown: ShownTable, id: NodeId, other: NodeId) -> str:
    """Return another group as it lies from this one: "U6, 6 figures, in cover, 11 inches north-east, sees you"."""
    words = phrase("plain.look.from", words=shown.group_words(other), way=shown.way(id, other))
    if shown.top.groups[other].owner == shown.top.groups[id].owner:
        return words
    return ", ".join((words, phrase("plain.sees" if shown.sees(id, other) else "plain.hidden")))


def look_over(shown: ShownTable) -> Iterator[str]:
    """Yield the terrain of the table, and its marked areas."""
    for number, id in enumerate(shown.top.features, 1):
        yield phrase("plain.line", number=number, words=shown.terrain_words(id))
    for id, zone in shown.top.zones.items():
        name = shown.texts.say(zone.name)
        if name:
            yield phrase("plain.look.zone", name=name, short=shown.names.of(id), where=shown.where(id))
