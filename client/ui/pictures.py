"""Small pictures of one layer, such as tokens of figures: put down again in each frame, between shapes and texts."""

from __future__ import annotations

import arcade

Stamp = tuple[arcade.Texture, int, int]
"""Picture with the place of its lower left corner."""


class Pictures:
    """Pictures of one layer: after `begin` every visible one is put down again."""

    def __init__(self) -> None:
        self.stamps: list[Stamp] = []
        """Pictures of this frame, in the order in which they lie over each other."""
        self.stamps_before = self.stamps
        self._drawn: list[Stamp] = []
        self._sprites: arcade.SpriteList[arcade.Sprite] | None = None

    def begin(self) -> None:
        """Begin a new frame."""
        self.stamps, self.stamps_before = [], self.stamps

    def has_changed(self) -> bool:
        """Return True if the pictures are others, or elsewhere, than before the last `begin`."""
        return self.stamps != self.stamps_before

    def put(self, texture: arcade.Texture, x: float, y: float) -> None:
        """Put down a picture, its middle at a place."""
        self.stamps.append((texture, round(x - texture.width / 2), round(y - texture.height / 2)))

    def draw(self) -> None:
        """Draw all pictures into the active framebuffer."""
        if self.stamps != self._drawn:
            self._drawn = self.stamps
            self._sprites = self._sprites or arcade.SpriteList()
            self._sprites.clear()
            for texture, x, y in self.stamps:
                place = {"center_x": x + texture.width / 2, "center_y": y + texture.height / 2}
                self._sprites.append(arcade.Sprite(texture, **place))
        if self._sprites is not None and self._drawn:
            self._sprites.draw()
