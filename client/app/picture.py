"""Pictures of a table as PNG files, drawn by the window's own screens without a visible window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from client.app.display import go_headless

if TYPE_CHECKING:
    from client.app.window import App
    from client.model.replay_player import ReplayPlayer

SIZE = (1600, 1000)


def replay_picture(player: ReplayPlayer, step: int, path: Path, size: tuple[int, int] = SIZE) -> None:
    """Draw a step of a replay into a PNG file of `size` pixels, by a hidden window that is closed again.

    Raises OSError if the file cannot be written, RuntimeError if nothing can be drawn here.
    """
    go_headless()
    try:
        from client.app.window import App
        from client.views.board.replay_screen import ReplayScreen

        app = App(size, visible=False)
    except Exception as error:  # whatever the graphics driver raises
        raise RuntimeError(f"Nothing can be drawn here: OpenGL 3.3 is needed ({error}).") from error
    try:
        app.show(ReplayScreen(app, player, step))
        save_picture(app, path)
    finally:
        app.close()


def save_picture(app: App, path: Path) -> None:
    """Write the window's present contents to a PNG file. Raises OSError."""
    import arcade

    app.switch_to()
    app.on_draw()
    path.parent.mkdir(parents=True, exist_ok=True)
    arcade.get_image(0, 0, *app.get_size()).convert("RGB").save(path, "PNG")
