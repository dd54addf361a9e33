"""One large picture under everything, in a texture of its own: it is sent to the graphics card once, and is smooth at
every zoom."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import arcade
from arcade.gl import BufferDescription
from PIL import Image

from client.ui.heap import hand_back
from client.ui.layout import Rect

CORNERS = array("f", (0, 0, 1, 0, 0, 1, 1, 1))
"""Of the unit square, as a strip of two triangles."""
VERTEX = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
uniform vec4 place;
in vec2 in_vert;
out vec2 uv;
void main() {
    uv = vec2(in_vert.x, 1.0 - in_vert.y);
    gl_Position = window.projection * window.view * vec4(place.xy + in_vert * place.zw, 0.0, 1.0);
}
"""
FRAGMENT = """
#version 330
uniform sampler2D picture;
in vec2 uv;
out vec4 result;
void main() { result = vec4(texture(picture, uv).rgb, 1.0); }
"""


STRIP: Final = 256
"""Rows of a picture that are sent in a frame: 1.5 MB of a large one, 2 ms of CPU."""


@dataclass
class _Coming:
    """Picture that is being sent to the graphics card, so many rows of it so far."""

    picture: Image.Image
    more: Callable[[], object]
    texture: arcade.gl.Texture2D | None = None
    rows: int = 0


class Backdrop:
    """The picture with its place in the window. It is drawn in the window that is current."""

    def __init__(self) -> None:
        self._waiting: Image.Image | None = None
        """Picture that the graphics card does not have yet; it is kept no longer than that, as it is large."""
        self._shown = 0
        self.place = Rect(0, 0, 1, 1)
        self._texture: arcade.gl.Texture2D | None = None
        self._coming: _Coming | None = None
        self._program: arcade.gl.Program | None = None
        self._quad: arcade.gl.Geometry | None = None

    def show(self, picture: Image.Image) -> None:
        """Show another picture, in RGB."""
        self._waiting, self._coming = picture, None
        self._shown += 1

    def show_slowly(self, picture: Image.Image, more: Callable[[], object]) -> None:
        """Show another picture, in RGB, once the graphics card has it: it is sent `STRIP` rows a frame, and the one
        before is seen meanwhile. `more` asks for another frame."""
        self._coming = _Coming(picture, more)
        self._shown += 1

    def looks(self) -> object:
        """Return all that decides what is seen of it, to be compared."""
        return (self._shown, self.place)

    def draw(self) -> None:
        """Draw the picture at its place; nothing as long as there is none."""
        if not self._shown:
            return
        context = arcade.get_window().ctx
        if self._program is None:
            self._program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
            corners = context.buffer(data=CORNERS)
            layout = BufferDescription(corners, "2f", ["in_vert"])
            self._quad = context.geometry([layout], mode=context.TRIANGLE_STRIP)
        if self._waiting is not None:
            self._texture = context.texture(self._waiting.size, components=3, data=self._waiting.tobytes())
            self._waiting = None
            self._finish(self._texture)
        elif self._coming is not None:
            self._send(self._coming)
        assert self._texture is not None
        self._texture.use(0)
        context.enable_only()
        self._program["place"] = (self.place.x, self.place.y, self.place.w, self.place.h)
        assert self._quad is not None
        self._quad.render(self._program)
        context.enable(context.BLEND)

    def _send(self, coming: _Coming) -> None:
        """Send the next strip of what is coming; after the last one show it."""
        if coming.texture is None:
            coming.texture = arcade.get_window().ctx.texture(coming.picture.size, components=3)
        width, height = coming.picture.size
        if coming.rows < height:
            end = min(coming.rows + STRIP, height)
            strip = coming.picture.crop((0, coming.rows, width, end))
            coming.texture.write(strip.tobytes(), viewport=(0, coming.rows, width, end - coming.rows))
            coming.rows = end
            coming.more()
            return
        self._texture, self._coming = coming.texture, None
        self._finish(self._texture)

    def _finish(self, texture: arcade.gl.Texture2D) -> None:
        """Make a texture that the card has smooth at every zoom."""
        hand_back()
        texture.build_mipmaps()
        context = texture.ctx
        texture.filter = (context.LINEAR_MIPMAP_NEAREST, context.LINEAR)
        texture.wrap_x = texture.wrap_y = context.CLAMP_TO_EDGE
