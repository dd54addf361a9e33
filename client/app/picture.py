"""Pictures and clips of replays, drawn by the window's own screens without a visible window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.app.display import go_headless

if TYPE_CHECKING:
    from client.app.window import App
    from client.model.replay.clip_plan import ClipPlan
    from client.model.replay.replay_player import ReplayPlayer

SIZE = (1600, 1000)
PATIENCE: Final = 1.0
"""Seconds that a frame waits for the one before it to be written, before the export looks about."""


@contextmanager
def _hidden_window(size: tuple[int, int]) -> Iterator[App]:
    """Give a hidden window that is closed again. Raises RuntimeError if nothing can be drawn here."""
    go_headless()
    try:
        from client.app.window import App

        app = App(size, visible=False)
    except Exception as error:  # whatever the graphics driver raises
        raise RuntimeError(f"Nothing can be drawn here: OpenGL 3.3 is needed ({error}).") from error
    try:
        yield app
    finally:
        app.close()


def replay_picture(player: ReplayPlayer, step: int, path: Path, size: tuple[int, int] = SIZE) -> None:
    """Draw a step of a replay, with all panels, into a PNG file of `size` pixels.

    Raises OSError if the file cannot be written, RuntimeError if nothing can be drawn here.
    """
    with _hidden_window(size) as app:
        from client.views.board.replay_screen import ReplayScreen

        app.show(ReplayScreen(app, player, step))
        save_picture(app, path)


def export_clip(player: ReplayPlayer, plan: ClipPlan, path: Path, told: Callable[[float], object]) -> int:
    """Export the board of a replay by a plan, through the eyes of the player's audience; `told` hears the share that is
    done. A file of that name is replaced. Return the number of frames.

    Raises OSError if the file cannot be written, RuntimeError if nothing can be drawn here; no file is left then, nor
    after an interruption.
    """
    with _hidden_window(SIZE) as app:
        from client.views.board.clip_run import ClipRun

        run = ClipRun(app.ctx, player, plan, path)
        try:
            while not run.is_over:
                run.work(PATIENCE)
                told(run.progress)
        finally:
            run.cancel()
        if run.writer.state != "written":
            raise OSError(0, run.writer.why)
        return run.frames


def save_picture(app: App, path: Path) -> None:
    """Write the window's present contents to a PNG file. Raises OSError."""
    import arcade

    app.switch_to()
    app.on_draw()
    path.parent.mkdir(parents=True, exist_ok=True)
    arcade.get_image(0, 0, *app.get_size()).convert("RGB").save(path, "PNG")
