"""Bar above every screen with a question that waits for the person, wherever in the window they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.input.key_table import KeyPress
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect

WIDTH, HEIGHT, HEAD, BUTTON = 760, 48, 64, 152
EDGE = 4
"""Between the bar and the window's edge above, and a page below it."""


@dataclass(frozen=True)
class WindowNotice:
    """Question to the person about `id`, with two answers: the words and the act of each; an empty `yes`: it has the
    second one only."""

    id: str
    words: str
    yes: str
    accept: Act | None
    no: str
    refuse: Act


class NoticeBar:
    """Bar of a window. `find` returns the notice that waits now; `ring` is called at each new one."""

    def __init__(self) -> None:
        self.find: Callable[[], WindowNotice | None] = lambda: None
        self.ring: Callable[[], None] = lambda: None
        self._shown: WindowNotice | None = None

    def sync(self) -> bool:
        """Look for a notice, and ring where it is a new one. Return True if the bar looks other than before."""
        notice, before = self.find(), self._shown
        self._shown = notice
        if notice is not None and (before is None or before.id != notice.id):
            self.ring()
        return _look_of(notice) != _look_of(before)

    def head(self, ui: Ui) -> float:
        """Return the height in pixels that popups leave to the bar at the top of the window."""
        return ui.px(HEIGHT) + 2 * ui.px(EDGE) if self._shown is not None else 0

    def draw(self, ui: Ui) -> None:
        """Draw the notice at the top of the window: below the head of a screen, above a page."""
        notice = self._shown
        if notice is None:
            return
        ui.on("tips" if ui.front == "above" else "above")
        width = min(ui.px(WIDTH), ui.window.w - ui.px(16))
        below = ui.px(HEAD if ui.page is None else EDGE)
        box = Rect(ui.window.centre[0] - width / 2, ui.window.top - below - ui.px(HEIGHT), width, ui.px(HEIGHT))
        ui.painter.box(box, theme.RAISED, 2, theme.WARN, 6)
        inside = box.inset(ui.px(8))
        room = min(ui.px(BUTTON), inside.w * 0.27)
        no, inside = inside.cut_right(room, ui.px(8))
        yes, inside = inside.cut_right(room if notice.yes else 0, ui.px(8))
        ui.tag(box, notice.words, tip=notice.words)
        height = ui.lines_height(notice.words, inside.w, size=theme.SMALL, bold=True)
        words = inside.middle(inside.w, min(height, inside.h))
        ui.lines(notice.words, words, size=theme.SMALL, bold=True, most=2)
        is_open = notice.accept is not None
        if notice.yes:
            ui.button(
                yes, notice.yes, notice.accept, primary=is_open, key=ui.keys.shown("notice", 0) if is_open else ""
            )
        ui.button(no, notice.no, notice.refuse, key=ui.keys.shown("notice", 1))

    def key(self, press: KeyPress) -> bool:
        """Take a key of the two answers; return False for any other."""
        answer, notice = press.which("notice"), self._shown
        if answer is None or notice is None:
            return False
        if answer:
            notice.refuse()
        elif notice.accept is not None:
            notice.accept()
        return True


def _look_of(notice: WindowNotice | None) -> tuple[str, ...]:
    return () if notice is None else (notice.id, notice.words, notice.yes)
