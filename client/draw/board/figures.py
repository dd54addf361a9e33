"""Figures as sprites, sharp at every zoom: each has the picture of its size, and lies on whole pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import arcade

from client.draw.board.tokens import LEAST, Badge, HullToken, Token, hull_texture, mark_texture, token_texture
from client.model.table.tabletop import Tabletop
from client.ui import theme
from client.ui.camera import Camera, View
from protocol.ids import NodeId
from protocol.scene.nodes import Piece, Point

MOST: Final = 256
"""Pixels across of the largest picture; larger bases are drawn by stretching it."""
LEAST_SIDE: Final = 6
UPRIGHT: Final = 0.8
"""Size of what stands upright on a rectangular base, as a share of its shorter side."""
GLIDE: Final = 0.4
"""Seconds that a figure takes to its new place."""
NOT_TROUBLE: Final = frozenset({"leader", "airborne"})
"""States of a figure that are shown in ways of their own."""
Sprites = tuple[arcade.Sprite, ...]


class Marking(NamedTuple):
    """Marks of a piece beside its picture: the colour of its seat, and badges."""

    colour: int
    badges: tuple[Badge, ...]


class Figures:
    """All pieces of a table in one sprite list; pieces glide to their places."""

    def __init__(self) -> None:
        self.sprites: arcade.SpriteList[arcade.Sprite] = arcade.SpriteList()
        self.by_id: dict[NodeId, Sprites] = {}
        self.positions: dict[NodeId, tuple[float, float]] = {}
        self.ways: dict[NodeId, tuple[Point, float]] = {}
        """Goal of each moving figure, and the seconds that it still takes."""
        self.changes = 0
        """Rises with each change of what is seen."""
        self._stood: dict[NodeId, object] = {}
        """All that decides the sprites of each figure, ..."""
        self._seen: object = None
        """... and those of all."""

    def stand(self, top: Tabletop, names: Iterable[NodeId]) -> None:
        """Put these figures where they are, without gliding."""
        self.positions.update({name: top.pieces[name].at for name in names if name in top.pieces})

    def place(self, top: Tabletop, camera: Camera, seconds: float = math.inf) -> bool:
        """Move the sprites on towards the pieces' places, `seconds` after the last call; return True if any is still
        moving."""
        for gone in self.by_id.keys() - top.pieces.keys():
            self._forget(gone)
            self.positions.pop(gone, None)
        moving = self._glide(top.pieces, seconds)
        view = camera.view
        seen = view, theme.PALETTE, top.seats
        if seen != self._seen:
            self._seen = seen
            self._stood.clear()
        for name, piece in top.pieces.items():
            stands = piece, self.positions[name], top.groups.get(piece.group)
            if self._stood.get(name) != stands:
                self._put(name, piece, top, view)
                self._stood[name] = stands
        return moving

    def _forget(self, name: NodeId) -> None:
        self._stood.pop(name, None)
        self.changes += 1
        for sprite in self.by_id.pop(name, ()):
            sprite.remove_from_sprite_lists()

    def _glide(self, pieces: Mapping[NodeId, Piece], seconds: float) -> bool:
        ways, self.ways = self.ways, {}
        for name, piece in pieces.items():
            position = self.positions.get(name)
            if position == piece.at:
                continue
            goal, left = ways.get(name, (piece.at, GLIDE))
            if goal != piece.at:
                left = GLIDE
            if position is None or seconds >= left:
                self.positions[name] = piece.at
                continue
            share = seconds / left
            (x, y), (to_x, to_y) = position, piece.at
            self.positions[name] = (x + (to_x - x) * share, y + (to_y - y) * share)
            self.ways[name] = (piece.at, left - seconds)
        return bool(self.ways)

    def _put(self, name: NodeId, piece: Piece, top: Tabletop, view: View) -> None:
        self.changes += 1
        group, scale, place = top.groups.get(piece.group), view.scale, view.place(*self.positions[name])
        badges = _badges(piece, is_alone=group is None or len(group.pieces) < 2)
        look = Marking(top.colour_of(piece.owner), badges)
        broad = 2 * piece.radius if piece.box is None else max(piece.box)
        wanted = max(round(broad * scale), LEAST)
        size = min(wanted, MOST)
        textures = _textures(piece, look, size, broad)
        sprites = self.by_id.get(name, ())
        if len(sprites) != len(textures):
            self._forget(name)
            sprites = self.by_id[name] = tuple(map(arcade.Sprite, textures))
            self.sprites.extend(sprites)
        for sprite, texture in zip(sprites, textures, strict=True):
            if sprite.texture is not texture:
                sprite.texture = texture
            sprite.scale = wanted / size
            half = texture.width * wanted / size / 2
            sprite.position = (round(place[0] - half) + half, round(place[1] - half) + half)
        if piece.box is not None:
            sprites[0].angle = -piece.facing


def _textures(piece: Piece, look: Marking, size: int, broad: int) -> tuple[arcade.Texture, ...]:
    """Return the pictures of a piece, the lowest first: a rectangular base, and what stands upright on it."""
    colour, badges = look
    if piece.box is None:
        return (token_texture(Token(colour, piece.glyph, size, badges, theme.PALETTE)),)
    # a scene may name a base of any sides, also of 0
    length, width = (max(size * side // max(broad, 1), LEAST_SIDE) for side in piece.box)
    upright = max(round(min(length, width) * UPRIGHT), LEAST_SIDE)
    hull = hull_texture(HullToken(colour, length, width, "airborne" in piece.status, theme.PALETTE))
    return hull, mark_texture(Token(colour, piece.glyph, upright, badges, theme.PALETTE))


def _badges(piece: Piece, *, is_alone: bool) -> tuple[Badge, ...]:
    """Return the badges of a figure; who is alone leads nobody."""
    if not piece.status and not piece.counters:
        return ()
    badges = [Badge("leader")] if "leader" in piece.status and not is_alone else []
    badges += [Badge("trouble")] if not NOT_TROUBLE.issuperset(piece.status) else []
    badges += [Badge(kind, piece.counters[kind]) for kind in ("wounds", "aboard") if piece.counters.get(kind)]
    return tuple(badges)
