"""The table as it is told: groups and terrain with their short names, how far they are and in which direction."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from client.model.table.group_card import now_words
from client.model.table.shapes import contains
from client.model.table.sight import first_blocker
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.plain.told.compass import direction_between, direction_words, length_words, place_words
from client.plain.told.names import ShortNames
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import Feature, Piece, Point

MOST_EYES: Final = 3
"""Figures of a group that are asked what they see: its first, its last, and one between."""


class ShownTable:
    """Words about one scene. `model`: what is shown."""

    def __init__(self, model: ViewModel) -> None:
        self.model = model
        self.names = ShortNames(model.top, model.texts)

    @property
    def top(self) -> Tabletop:
        return self.model.top

    @property
    def texts(self) -> Texts:
        return self.model.texts

    @property
    def unit(self) -> str:
        """Unit of the table's lengths."""
        return self.top.table.unit

    def group_words(self, id: NodeId) -> str:
        """Return a group in a line: its short and its whole name, its figures, its states and the terrain around it."""
        group = self.top.groups[id]
        now = now_words(self.model, id)
        parts = [f"{self.names.of(id)}, {self.texts.say(group.name)}", *([now] if now else []), *self.cover_words(id)]
        return ", ".join(parts)

    def cover_words(self, id: NodeId) -> Iterator[str]:
        """Yield the terrain that a group stands in, with its cover where the group's states do not tell of that."""
        for name, feature in self.top.features.items():
            if feature.line or not any(contains(feature.outline, piece.at) for _, piece in self.top.pieces_of(id)):
                continue
            what, cover = self.feature_name(name), self.texts.named(f"cover.{feature.cover}", "")
            is_told = not cover or cover in map(self.texts.state, self.top.groups[id].status)
            yield phrase("plain.inside", what=what) if is_told else phrase("plain.in_cover", what=what, cover=cover)

    def feature_name(self, id: NodeId) -> str:
        """Return a feature's name with its short one: "wood T3"."""
        return f"{self.texts.say(self.top.features[id].name)} {self.names.of(id)}"

    def name(self, id: NodeId) -> str:
        """Return what a thing is called: short name and whole one, or what the scene calls it."""
        if id in self.top.groups:
            return f"{self.names.of(id)}, {self.texts.say(self.top.groups[id].name)}"
        if id in self.top.features:
            return self.feature_name(id)
        return self.names.of(id)

    def centre(self, id: NodeId) -> Point | None:
        """Return the middle of a group's bases, or the place of another thing; None where it is not on the table."""
        pieces = self.top.pieces_of(id)
        if not pieces:
            return self.top.centre_of(id)
        xs, ys = [piece.at[0] for _, piece in pieces], [piece.at[1] for _, piece in pieces]
        return (sum(xs) // len(xs), sum(ys) // len(ys))

    def where(self, id: NodeId) -> str:
        """Return the place of a thing by its numbers, and by its cell where the table has them."""
        at = self.centre(id)
        if at is None:
            return phrase("plain.off_table")
        grid = self.top.table.grid
        if grid is None:
            return phrase("plain.at", place=place_words(at))
        column, row = grid.nearest(at)
        return phrase("plain.at.cell", place=place_words(at), column=column + 1, row=row + 1)

    def gap(self, a: NodeId, b: NodeId) -> float:
        """Return the distance in hundredths between the nearest bases of two things, or between their places."""
        ours, theirs = self._bases(a), self._bases(b)
        gaps = (math.dist(p, q) - r - s for p, r in ours for q, s in theirs)
        return max(min(gaps, default=0.0), 0.0)

    def _bases(self, id: NodeId) -> list[tuple[Point, int]]:
        pieces = self.top.pieces_of(id)
        if pieces:
            return [(piece.at, piece.radius) for _, piece in pieces]
        node, at = self.top.nodes.get(id), self.top.centre_of(id)
        return [] if at is None else [(at, node.radius if isinstance(node, Piece) else 0)]

    def way(self, a: NodeId, b: NodeId) -> str:
        """Return how far, base to base, and in which direction a thing lies from another: "11 inches north-east"."""
        start, end = self.centre(a), self.centre(b)
        if start is None or end is None:
            return phrase("plain.off_table")
        gap = self.gap(a, b)
        if gap < 1:
            return phrase("plain.touching", direction=direction_words(direction_between(start, end)))
        direction = direction_words(direction_between(start, end))
        return phrase("plain.way", length=length_words(gap, self.unit), direction=direction)

    def sees(self, a: NodeId, b: NodeId) -> bool:
        """Tell whether a straight line between figures of two groups meets nothing that blocks sight: a hint."""
        return any(not first_blocker(self.top, self.texts, p.at, q.at) for p in self._eyes(a) for q in self._eyes(b))

    def _eyes(self, id: NodeId) -> list[Piece]:
        pieces = [piece for _, piece in self.top.pieces_of(id)]
        if len(pieces) <= MOST_EYES:
            return pieces
        return [pieces[0], pieces[len(pieces) // 2], pieces[-1]]

    def on_table(self) -> list[NodeId]:
        """Return the groups that are on the table, the viewer's own first, then by seat."""
        mine = self.model.seat
        there = [id for id in self.top.groups if self.top.pieces_of(id)]
        return sorted(there, key=lambda id: (self.top.groups[id].owner != mine, self.top.groups[id].owner))

    def is_mine(self, id: NodeId) -> bool:
        """Tell whether a group is the viewer's."""
        return id in self.top.groups and self.top.groups[id].owner == self.model.seat >= 0

    def terrain_words(self, id: NodeId) -> str:
        """Return a piece of terrain in a line: its name, its extent, its cover, and what it does to sight."""
        feature = self.top.features[id]
        cover = feature.cover and self.texts.named(f"cover.{feature.cover}", phrase("tip.cover", cover=feature.cover))
        states = (self.texts.state(state) for state in feature.states)
        blocks = phrase("tip.blocks") if feature.blocks else ""
        return ", ".join(filter(None, (self.feature_name(id), self._extent(feature), cover, blocks, *states)))

    def _extent(self, feature: Feature) -> str:
        """Return from where to where terrain reaches: a line by its ends, ground by its corners south-west and
        north-east."""
        if feature.line:
            return phrase("plain.extent", a=place_words(feature.outline[0]), b=place_words(feature.outline[-1]))
        return self.extent_words(feature.outline)

    def extent_words(self, outline: Sequence[Point]) -> str:
        """Return from where to where ground reaches, by its corners south-west and north-east."""
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        return phrase("plain.extent", a=place_words((min(xs), min(ys))), b=place_words((max(xs), max(ys))))
