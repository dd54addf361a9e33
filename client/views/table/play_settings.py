"""Lines of the table's menu about how one plays, kept for all tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect

if TYPE_CHECKING:
    from client.app.navigator import Navigator


def draw_ending(ui: Ui, row: Rect, navigator: Navigator) -> None:
    """Draw a button that changes how one's activations end."""
    profile, session = navigator.profile, navigator.session

    def change() -> None:
        profile.ending = "by-itself" if profile.ending == "waits" else "waits"
        navigator.keep()
        if session is not None:
            session.changes += 1

    how = phrase("menu.ending.waits" if profile.ending == "waits" else "menu.ending.alone")
    ui.button(
        row, phrase("menu.ending", how=how), change, tip=phrase("menu.ending.tip"), name=phrase("menu.ending.name")
    )
