"""Page about a fault of the program: the window stays, and the table is asked for anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui


@dataclass(frozen=True)
class FaultPage:
    """Page about one fault. `report`: the path of its report ("" if none could be written)."""

    report: str
    close: Callable[[], object]
    leave: Callable[[], object]
    copy: Callable[[str], object]

    def draw(self, ui: Ui) -> None:
        """Draw the page alone: the screen below may be what does not work."""
        inside = ui.popup(ui.px(620), ui.px(250), phrase("fault.title"))
        inside = ui.lines(phrase("fault.about"), inside, gap=8)
        foot, inside = inside.cut_bottom(ui.px(34), ui.px(8))
        words = phrase("fault.report", path=self.report) if self.report else phrase("fault.no_report")
        ui.lines(words, inside, colour=theme.MUTED, size=theme.SMALL)
        go_on, leave, copy = foot.columns(3)
        ui.button(go_on, phrase("fault.go_on"), self.close, primary=True, key=phrase("key.esc"))
        ui.button(leave, phrase("fault.leave"), self.leave)
        act = (lambda: self.copy(self.report)) if self.report else None
        ui.button(copy, phrase("fault.copy"), act, tip="" if self.report else phrase("fault.no_report"))
