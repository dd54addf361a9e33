"""What a view is: something that fills the window, describes itself anew when it changed, and takes events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.ui.frame import Ui

if TYPE_CHECKING:
    from client.app.window import App


class Screen:
    """Base of all views. Places are window pixels, the origin lower left."""

    def __init__(self, app: App) -> None:
        self.app = app

    def enter(self) -> None:
        """The view is shown from now on."""

    def leave(self) -> None:
        """The view is shown no longer; what it holds open it gives back."""

    def build(self, ui: Ui) -> None:
        """Describe everything that is to be seen and clicked."""
        raise NotImplementedError

    def draw_below(self) -> None:
        """Draw what lies below all layers."""

    def draw_between(self) -> None:
        """Draw what lies above the layer "ground" and below "marks"."""

    def tick(self, seconds: float) -> bool:
        """Time passes; whether the view must be described anew."""
        return False

    def press(self, x: float, y: float, button: int) -> None:
        """A mouse button went down where nothing of the user interface is."""

    def release(self, x: float, y: float, button: int) -> None:
        """A mouse button went up."""

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        """The mouse moved with a button down."""

    def wheel(self, x: float, y: float, steps: int) -> None:
        """The wheel turned where nothing scrolls."""

    def key(self, symbol: int, modifiers: int) -> bool:
        """A key went down while no text field had the focus; whether it meant something."""
        return False

    def escape(self) -> None:
        """Esc, if `key` did not take it."""

    def places(self) -> dict[str, tuple[float, float]]:
        """Where things of the scene are drawn, by node id."""
        return {}
