"""Painter of a veil with holes: its shapes lie over the window as one, where each takes the place of those below."""

from __future__ import annotations

import arcade
from arcade.gl import geometry

from client.ui.painter import Painter

CLEAR = (0, 0, 0, 0)
"""Colour of a hole."""
LAID_VERTEX = """
#version 330
in vec2 in_vert;
in vec2 in_uv;
out vec2 uv;
void main() { uv = in_uv; gl_Position = vec4(in_vert, 0.0, 1.0); }
"""
LAID_FRAGMENT = """
#version 330
uniform sampler2D laid;
in vec2 uv;
out vec4 result;
void main() { result = texture(laid, uv); }
"""


class VeilPainter(Painter):
    """Batch of shapes of which none shines through another: holes may lie over one another."""

    def __init__(self, context: arcade.ArcadeContext) -> None:
        super().__init__(context)
        self.laid = context.program(vertex_shader=LAID_VERTEX, fragment_shader=LAID_FRAGMENT)
        self.whole = geometry.quad_2d_fs()
        self.sheet: arcade.gl.Framebuffer | None = None

    def draw(self) -> None:
        """Draw all shapes as one into the active framebuffer."""
        if not self.shapes:
            return
        window = self.context.active_framebuffer
        if self.sheet is None or self.sheet.size != window.size:
            self.sheet = self.context.framebuffer(color_attachments=[self.context.texture(window.size)])
        self.upload()
        with self.sheet.activate():
            self.sheet.clear()
            self.context.enable_only()
            self.render()
        self.context.enable(self.context.BLEND)
        self.context.blend_func = self.context.BLEND_DEFAULT
        self.sheet.color_attachments[0].use(0)
        self.whole.render(self.laid)
