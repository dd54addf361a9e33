"""Pictures of a window, or of a part of it, as small files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import arcade
from PIL import Image

from client.app.window import App
from client.ui import theme
from client.ui.layout import Rect

COLOURS: Final = (112, 80, 56, 36)
"""Numbers of colours beside the theme's own that are tried in turn, until a file is small enough."""
MOST_BYTES: Final = 64_000
OWN: Final = (
    *theme.SEAT_COLOURS, theme.TEXT, theme.MUTED, theme.GOOD, theme.BAD, theme.WARN, theme.ACCENT, theme.PANEL,
    theme.BACK, theme.RAISED, theme.PAPER,
)  # fmt: skip
"""Colours that mean something, and so are kept exactly."""
NOWHERE: Final = (-1.0, -1.0)
"""Where the mouse points at nothing."""


class Camera:
    """Photographer of windows, whose files lie in `folder`, of `most` bytes if that can be; `taken`: their names, in
    order."""

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder = folder
        self.most = most
        self.taken: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, app: App, name: str, part: Rect | None = None, *, mouse: tuple[float, float] = NOWHERE) -> None:
        """Write the window, or this part of it, as it is with the mouse there. Raises OSError."""
        self.put(name, self.picture(app, part, mouse=mouse))

    def picture(self, app: App, part: Rect | None = None, *, mouse: tuple[float, float] = NOWHERE) -> Image.Image:
        """Return the window, or this part of it, as it is with the mouse there."""
        app.key_dispatch.lose_field()
        app.ui.mouse = mouse
        app.refresh()
        # where there are several windows, the toolkit sizes whichever it drew last, and reads the one it was told of
        arcade.set_window(app)
        app.switch_to()
        app.viewport = (0, 0, *app.get_size())
        app.on_draw()
        width, height = app.get_size()
        image = arcade.get_image(0, 0, width, height).convert("RGB")
        if part is not None:
            box = part.x, height - part.top, part.right, height - part.y
            image = image.crop((max(round(box[0]), 0), max(round(box[1]), 0), round(box[2]), round(box[3])))
        return image

    def put(self, name: str, image: Image.Image) -> None:
        """Write a picture. Raises OSError."""
        (self.folder / f"{name}.png").write_bytes(small(image, self.most))
        self.taken.append(name)
        print(name, flush=True)

    def take_page(self, app: App, name: str, high: float = 0) -> None:
        """Write the topmost popup alone; `high`: so many pixels of it from the top, where the rest is empty. Raises
        OSError, and LookupError where none is open."""
        app.refresh()
        app.build()
        if app.ui.page is None:
            raise LookupError(f"{name}: no page is open")
        self.take(app, name, app.ui.page.cut_top(high)[0] if high else app.ui.page)

    def take_around(self, app: App, name: str, *labels: str, edge: float = 12) -> None:
        """Write what lies around the things with these labels. Raises OSError, and LookupError where there are none."""
        app.refresh()
        app.build()
        rects = [spot.rect for spot in app.ui.front_spots if spot.label in labels]
        if not rects:
            raise LookupError(f"{name}: none of {labels} is to be seen")
        left, bottom = min(rect.x for rect in rects), min(rect.y for rect in rects)
        right, top = max(rect.right for rect in rects), max(rect.top for rect in rects)
        self.take(app, name, Rect(left, bottom, right - left, top - bottom).inset(-edge))


def small(image: Image.Image, most: int = MOST_BYTES) -> bytes:
    """Return a PNG file of a picture, in as many colours as `most` bytes allow."""
    own, data = [part for colour in OWN for part in colour[:3]], b""
    for colours in COLOURS:
        found = image.quantize(colours, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE).getpalette() or []
        palette, target = Image.new("P", (1, 1)), io.BytesIO()
        palette.putpalette([*own, *found[: 3 * colours]])
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(target, "PNG", optimize=True)
        data = target.getvalue()
        if len(data) <= most:
            break
    return data
