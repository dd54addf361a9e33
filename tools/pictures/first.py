"""Picture of the first screen that a newcomer sees."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from client.ui.layout import Rect
from client.views.lobby.connect_screen import ConnectScreen
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tools.pictures.camera import Camera

SIZE: Final = (1040, 650)
PART: Final = (560, 520)
"""Pixels of its middle that are shown."""


async def draw_first(folder: Path, camera: Camera) -> None:
    """Draw the first screen. Raises OSError."""
    app = ReadableApp(SIZE, visible=False)
    try:
        table = Table(app, folder, [])
        app.show(ConnectScreen(app, table.navigator))
        camera.take(app, "first-start", Rect(0, 0, *SIZE).middle(*PART))
    finally:
        app.close()
