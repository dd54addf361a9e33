"""Popups that any screen may have above it: a question before an act, a fault, a seat that is
elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.input.key_table import KeyPress
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui

MOVED = "session/moved"


@dataclass(frozen=True)
class Confirmation:
    """A question before an act that cannot be undone: only a click on its button or Y does it, not Space, nor
    Enter where its button is not marked.

    `title` asks, `about` says what follows, `yes` is the button's words, `act` does it.
    """

    title: str
    about: str
    yes: str
    act: Callable[[], object]

    def draw(self, ui: Ui, close: Callable[[], object]) -> None:
        """Draw the question above everything."""
        inside = ui.popup(ui.px(520), ui.px(192), self.title)
        foot, _ = ui.lines(self.about, inside, gap=8).cut_bottom(ui.px(36))
        yes, no = foot.columns(2)

        def act() -> None:
            close()
            self.act()

        ui.button(yes, self.yes, act, key=ui.keys.shown("yes", 0))
        ui.button(no, phrase("question.no"), close, primary=True, key=ui.keys.shown("back"))

    def key(self, press: KeyPress, close: Callable[[], object]) -> bool:
        """Act on Y and close on Y and N; return False for all other keys."""
        no = press.which("yes")
        if no is None:
            return False
        close()
        if not no:
            self.act()
        return True


@dataclass(frozen=True)
class FaultPage:
    """Page about a fault of the program: the window stays, and the table is asked for anew.

    `report`: the path of its report ("" if none could be written).
    """

    report: str
    close: Callable[[], object]
    leave: Callable[[], object]
    copy: Callable[[str], object]

    def draw(self, ui: Ui) -> None:
        """Draw the page alone: the screen below may be what does not work."""
        inside = ui.popup(ui.px(620), ui.px(252), phrase("fault.title"))
        inside = ui.lines(phrase("fault.about"), inside, gap=8)
        foot, inside = inside.cut_bottom(ui.px(36), ui.px(8))
        words = phrase("fault.report", path=self.report) if self.report else phrase("fault.no_report")
        ui.lines(words, inside, colour=theme.MUTED, size=theme.SMALL)
        go_on, leave, copy = foot.columns(3)
        ui.button(go_on, phrase("fault.go_on"), self.close, primary=True, key=ui.keys.shown("back"))
        ui.button(leave, phrase("fault.leave"), self.leave)
        act = (lambda: self.copy(self.report)) if self.report else None
        ui.button(copy, phrase("fault.copy"), act, tip="" if self.report else phrase("fault.no_report"))


def draw_away(ui: Ui, session: ClientSession, close: Callable[[], None]) -> None:
    """Draw that another window or device took over the identity or the seat, with buttons to connect again and to close
    the window."""
    moved = session.away == MOVED
    inside = ui.popup(ui.px(440), ui.px(152), phrase("away.title"))
    other = phrase("away.passed") if moved else phrase("away.taken_over")
    foot, _ = ui.lines(other, inside, gap=8).cut_bottom(ui.px(36))
    back, out = foot.columns(2)
    ui.button(back, phrase("away.connect") if moved else phrase("away.take_back"), session.reconnect, primary=True)
    ui.button(out, phrase("away.close"), close)
