"""Part of a frame as it was drawn, to be put into later frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from client.ui.hotspots import Hotspot
from client.ui.layout import Rect
from client.ui.lettering import Lettering, Line
from client.ui.painter import Drawn, Painter
from client.ui.pictures import Pictures, Stamp

if TYPE_CHECKING:
    from client.ui.frame import Ui

R = TypeVar("R")


@dataclass
class Layer:
    """Shapes, with pictures and then texts above them."""

    painter: Painter
    letters: Lettering
    pictures: Pictures = field(default_factory=Pictures)

    def begin(self) -> None:
        """Begin a new frame."""
        self.painter.clear()
        self.pictures.begin()
        self.letters.begin()

    def has_changed(self) -> bool:
        """Return True if it looks other than in the frame before."""
        return any(part.has_changed() for part in (self.painter, self.pictures, self.letters))

    def draw(self) -> None:
        """Draw the shapes, the pictures, then the texts."""
        self.painter.draw()
        self.pictures.draw()
        self.letters.draw()


@dataclass(frozen=True)
class DrawnPart(Generic[R]):
    """Part as it was drawn: the result of drawing it, the layer that it left off on, its shapes, pictures and texts by
    layer, its clickable things with their numbers, and its scrolling areas."""

    result: R
    layer: str
    layers: tuple[tuple[str, list[Drawn], list[Stamp], list[Line]], ...]
    spots: tuple[tuple[Hotspot, int], ...]
    wheels: tuple[tuple[Rect, Callable[[int], None]], ...]

    def put(self, ui: Ui) -> None:
        """Draw the part again."""
        for name, shapes, stamps, lines in self.layers:
            layer = ui.layers[name]
            layer.painter.shapes += shapes
            layer.pictures.stamps += stamps
            layer.letters.lines += lines
        for spot, number in self.spots:
            # numbers are given at the end of each frame
            spot.number = number
            ui.hotspots.append(spot)
        ui.wheels += self.wheels
        if ui.layer != self.layer:
            ui.on(self.layer)


def cut_out(ui: Ui, draw: Callable[[], R]) -> DrawnPart[R]:
    """Draw a part, and return it in the place of drawing it into the frame."""
    before = [
        (len(layer.painter.shapes), len(layer.pictures.stamps), len(layer.letters.lines))
        for layer in ui.layers.values()
    ]
    spots, wheels = len(ui.hotspots), len(ui.wheels)
    result = draw()
    layers = []
    for (name, layer), (shape, stamp, line) in zip(ui.layers.items(), before, strict=True):
        drawn = layer.painter.shapes[shape:], layer.pictures.stamps[stamp:], layer.letters.lines[line:]
        if any(drawn):
            layers.append((name, *drawn))
            del layer.painter.shapes[shape:], layer.pictures.stamps[stamp:], layer.letters.lines[line:]
    part = DrawnPart(
        result,
        ui.layer,
        tuple(layers),
        tuple((spot, spot.number) for spot in ui.hotspots[spots:]),
        tuple(ui.wheels[wheels:]),
    )
    del ui.hotspots[spots:], ui.wheels[wheels:]
    return part
