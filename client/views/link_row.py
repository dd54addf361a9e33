"""Row with a link to a table or a replay: to copy it, or the command line that does the same."""

from __future__ import annotations

from collections.abc import Callable

from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.game_links import GameLink


def draw_link(ui: Ui, row: Rect, link: GameLink | None, copy: Callable[[str], object]) -> None:
    """Draw the link with its two buttons; without one the reason why there is none."""
    if link is None:
        ui.line(phrase("link.none"), row, colour=theme.MUTED)
        ui.tag(row, phrase("link.none"), phrase("link.none.tip"))
        return
    command, row = row.cut_right(ui.px(88), 8)
    tip = phrase("link.command.tip", command=link.command)
    ui.button(command, phrase("link.command"), lambda: copy(link.command), name=phrase("link.command.name"), tip=tip)
    button, row = row.cut_right(ui.px(88), 8)
    ui.button(button, phrase("link.copy"), lambda: copy(link.words), name=phrase("link.copy.name"), tip=link.words)
    ui.line(link.words, row, colour=theme.MUTED)
