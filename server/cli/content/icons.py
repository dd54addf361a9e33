"""`eschaton-server content icons`: all glyphs that content may name, as a picture, and the words for them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from protocol.scene.looks import GLYPHS, ICONS
from server.cli.content.drawing import draw_by_client
from server.runtime.errors import CommandError


def run(out: Path) -> int:
    """Draw the icons into a PNG file, and print the other words for them. Raises CommandError."""
    if find_spec("PIL") is None:
        raise CommandError("Nothing can be drawn here: the window is not installed (eschaton[client]).", 1)
    draw_by_client("client.app.icon_sheet", out)
    count = sum(len(names) for names in ICONS.values())
    print(f"{out}: {count} icons, each a glyph by its name. Other words for them:")
    for word, name in GLYPHS.items():
        if word != name:
            print(f"  {word}: {name}")
    return 0
