"""Pictures of a table as PNG files, drawn by the window's own screens without a visible window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from client.app.display import go_headless
from client.model.tabletop import Tabletop
from client.model.view_model import LogLine, ViewModel
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Dice
from protocol.wire.from_server import Catalogue, TableView

if TYPE_CHECKING:
    from client.app.window import App
    from client.model.replay_player import ReplayPlayer
    from client.views.screen import Screen

SIZE = (1600, 1000)


def picture(
    nodes: Mapping[NodeId, AnyNode],
    catalogues: Sequence[Catalogue],
    table: TableView | None,
    path: Path,
    size: tuple[int, int] = SIZE,
    log: Sequence[LogLine | str] = (),
    dice: Sequence[Dice] = (),
) -> None:
    """Draw a scene into a PNG file of `size` pixels, by a hidden window that is closed again.

    Raises OSError if the file cannot be written, RuntimeError if nothing can be drawn here.
    """
    go_headless()
    from client.views.board.static_table import StaticTableScreen

    lines = [LogLine(line) if isinstance(line, str) else line for line in log]
    model = ViewModel(Tabletop(nodes), Texts(catalogues), table, lines, (), dice)
    _draw(lambda app: StaticTableScreen(app, model), path, size)


def replay_picture(player: ReplayPlayer, step: int, path: Path, size: tuple[int, int] = SIZE) -> None:
    """Draw a step of a replay into a PNG file; raises as `picture`."""
    go_headless()
    from client.views.board.replay_screen import ReplayScreen

    _draw(lambda app: ReplayScreen(app, player, step), path, size)


def _draw(make: Callable[[App], Screen], path: Path, size: tuple[int, int]) -> None:
    try:
        from client.app.window import App

        app = App(size, visible=False)
    except Exception as error:  # whatever the graphics driver raises
        raise RuntimeError(f"Nothing can be drawn here: OpenGL 3.3 is needed ({error}).") from error
    try:
        app.show(make(app))
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
