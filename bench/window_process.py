"""The measured window, a process of its own: `python -m bench.window_process empty`, or `client FRAMES`.

Its first line comes when the first frame is on the screen: that of an empty window of the toolkit, which clears and
draws one texture that fills it, or the lobby. Each line that it reads is a command, each that it says is JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import arcade

    from client.net.address import Address
    from client.net.connection import News

SIZE: Final = (1280, 800)
STEP: Final = 6
"""Pixels that the table is moved from frame to frame."""
SWEEP: Final = 40
"""Frames until it is moved back."""
NEAR: Final = 1.6
"""Zoom at which it is moved."""
WARM: Final = 20
"""Frames before the measured ones."""


def drawn(window: arcade.Window, times: int, change: Callable[[int], object]) -> list[float]:
    """Draw so many frames, after a change before each, until the last pixel is there; return their seconds."""
    found = []
    for number in range(WARM + times):
        began = time.perf_counter()
        change(number)
        window.draw(1 / 60)
        window.ctx.finish()
        found.append(time.perf_counter() - began)
        window.dispatch_events()
    return found[WARM:]


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


def commands() -> Iterator[list[str]]:
    for line in sys.stdin:
        yield line.split()


def serve_empty() -> None:
    """Open the empty window, and draw it as often as each command says."""
    import arcade
    from PIL import Image

    class Empty(arcade.Window):
        def __init__(self) -> None:
            super().__init__(*SIZE, "empty", antialiasing=False)
            self.picture = arcade.Texture(Image.new("RGBA", SIZE, (96, 116, 84, 255)))

        def on_draw(self) -> None:
            self.clear()
            arcade.draw_texture_rect(self.picture, arcade.LBWH(0, 0, *SIZE))

    window = Empty()
    window.draw(1 / 60)
    window.ctx.finish()
    say(port=0)
    for _, times in commands():
        say(seconds=drawn(window, int(times), lambda number: None))


class Link:
    """A link to a server that says what stands in a file."""

    def __init__(self, address: Address) -> None:
        from client.net.connection import Up

        self.waiting: list[News] = [Up()]

    def start(self) -> None:
        """Begin: there is nothing to do."""

    def send(self, data: bytes) -> None:
        """Leave out what is said to the server."""

    def news(self) -> list[News]:
        found, self.waiting = self.waiting, []
        return found

    def close(self) -> None:
        """End: there is nothing to do."""


class Client:
    """The client's own window with a session, and the frames that it is told."""

    def __init__(self, path: Path) -> None:
        import tempfile

        import msgspec

        from bench.window_told import WindowFrames
        from client.app.navigator import Navigator
        from client.app.window import App
        from client.model.session import ClientSession
        from client.net.address import Address
        from client.storage.profile import UserProfile

        self.told = msgspec.msgpack.decode(path.read_bytes(), type=WindowFrames)
        self.app = App(SIZE)
        profile = UserProfile("Bertram")
        folder = Path(tempfile.mkdtemp())
        navigator = Navigator(self.app, profile, "bench", folder)
        self.session = ClientSession(
            Address("127.0.0.1", 1, secure=False), profile, navigator.keep, time.monotonic, Link
        )
        navigator.session = self.session
        self.hear(self.told.lobby)

    def hear(self, frames: list[bytes]) -> None:
        """Take messages as in a turn of the window's loop."""
        from client.net.connection import Frame

        assert isinstance(self.session.link, Link)
        self.session.link.waiting += map(Frame, frames)
        self.app.dispatch_events()
        self.app.on_update(1 / 60)

    def pan(self, number: int) -> None:
        """Move the table a little, and back after a while."""
        from client.views.board.board_screen import BoardScreen

        assert isinstance(self.app.front, BoardScreen)
        self.app.front.board.camera.pan(STEP if number // SWEEP % 2 == 0 else -STEP, 0)
        self.app.refresh()

    def zoom(self) -> None:
        from client.views.board.board_screen import BoardScreen

        assert isinstance(self.app.front, BoardScreen)
        board = self.app.front.board
        board.camera.zoom_at(*board.rect.centre, NEAR)

    def delta(self, frame: bytes) -> float:
        """Hear a delta and describe the window anew; return the seconds of CPU."""
        began = time.thread_time()
        self.hear([frame])
        self.app.refresh()
        self.app.build()
        return time.thread_time() - began


def serve_client(path: Path) -> None:
    """Open the client's window at the lobby; then `table` goes to a table, `frames N` moves it, `deltas` hears them."""
    client = Client(path)
    client.app.draw(1 / 60)
    client.app.ctx.finish()
    say(port=0, screen=type(client.app.front).__name__)
    for command, *arguments in commands():
        match command:
            case "table":
                client.hear(client.told.table)
                client.app.draw(1 / 60)
                client.zoom()
                say(screen=type(client.app.front).__name__)
            case "frames":
                say(seconds=drawn(client.app, int(arguments[0]), client.pan))
            case "deltas":
                say(seconds=[client.delta(frame) for frame in client.told.deltas])


if __name__ == "__main__":
    if sys.argv[1] == "empty":
        serve_empty()
    else:
        serve_client(Path(sys.argv[2]))
