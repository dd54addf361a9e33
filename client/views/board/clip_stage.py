"""Stage of exports: the board alone, described and drawn beside the window's own frame, in pixels of any size."""

from __future__ import annotations

from arcade import LBWH, ArcadeContext
from arcade.camera.default import ViewportProjector

from client.draw.board.groups import Marks
from client.model.table.view_model import ViewModel
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import BELOW, LAYERS, Layer, Ui
from client.ui.lettering import Lettering
from client.ui.painter import Painter
from client.ui.veil_painter import VeilPainter
from client.views.board.board_panel import BoardPanel

WIDE = 1280
"""Pixels of a width at which text has its size at scale 1; a wider picture has larger text."""


class ClipStage:
    """Board in a framebuffer of `size` pixels. It shows the part of the table that `camera` has, the whole without
    one."""

    def __init__(self, context: ArcadeContext, size: tuple[int, int], camera: Camera | None = None) -> None:
        self.size = size
        self._context = context
        self._sheet = context.framebuffer(color_attachments=[context.texture(size)])
        self._projector = ViewportProjector(LBWH(0, 0, *size), context=context)
        painters = {name: VeilPainter(context) if name == "veil" else Painter(context) for name in LAYERS}
        layers = {name: Layer(painters[name], Lettering()) for name in LAYERS}
        self._ui = Ui(layers, size, scale=max(size[0] / WIDE, 1.0))
        self._board = BoardPanel()
        if camera is not None:
            shown = self._board.camera = Camera(camera.table)
            shown.zoom, shown.focus = camera.zoom, camera.focus

    def frame(self, model: ViewModel, seconds: float) -> bytes:
        """Draw the board, `seconds` after the frame before; return its pixels, row by row from the lowest."""
        ui, board = self._ui, self._board
        board.glide(model, seconds)
        ui.begin(self.size)
        board.build(ui, ui.window, model, Marks(about=model.top.resolved), glide=True)
        ui.end()
        with self._sheet.activate(), self._projector.activate():
            self._sheet.clear(color=theme.BACK)
            board.ground.draw()
            for name in BELOW:
                ui.layers[name].draw()
            board.figures.sprites.draw()
            for name in LAYERS[len(BELOW) :]:
                ui.layers[name].draw()
            return self._sheet.read(components=3)

    def close(self) -> None:
        """Give the framebuffer back."""
        self._sheet.delete()  # type: ignore[no-untyped-call]  # arcade gives it no types
