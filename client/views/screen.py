"""Base class of the screens that fill the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.input.key_table import KeyPress
from client.ui.frame import Ui

if TYPE_CHECKING:
    from client.app.window import App


class Screen:
    """Base screen: describes itself anew when it changed, and takes events. Places are window pixels, the origin lower
    left."""

    def __init__(self, app: App) -> None:
        self.app = app

    def enter(self) -> None:
        """Take note that the screen is shown from now on."""

    def leave(self) -> None:
        """Release what the screen holds: it is shown no longer."""

    def build(self, ui: Ui) -> None:
        """Describe everything that can be seen and clicked."""
        raise NotImplementedError

    def pictures(self) -> object:
        """Return what `draw_below` and `draw_between` would draw now, to be compared: two that are equal look the
        same."""
        return None

    def draw_below(self) -> None:
        """Draw what lies below all layers."""

    def draw_between(self) -> None:
        """Draw what lies above the layer "ground" and below "marks"."""

    def tick(self, seconds: float) -> bool:
        """Let `seconds` pass; return True if the screen must be described anew."""
        return False

    def press(self, x: float, y: float, button: int) -> None:
        """Take a press of a mouse button where nothing of the user interface is; of another than the left one over what
        the left one clicks, too."""

    def grip(self, x: float, y: float, button: int) -> None:
        """Take a press on a thing of the user interface that can be dragged into the screen, and is taken up now."""

    def release(self, x: float, y: float, button: int) -> None:
        """Take the release of a mouse button."""

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        """Take a move of the mouse with a button down."""

    def wheel(self, x: float, y: float, steps: int) -> None:
        """Take a turn of the wheel where nothing scrolls."""

    def places(self) -> tuple[str, ...]:
        """Return where keys act now, as the table of keys calls it (client/input/keys.toml)."""
        return ()

    def key(self, press: KeyPress) -> bool:
        """Take a key that went down while no text field had the focus; return False if it means nothing here."""
        return False

    def escape(self) -> None:
        """Take Esc, if `key` did not."""
