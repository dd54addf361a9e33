"""Confirmation before an act that cannot be undone: only a click on its button or Y does it, not Enter or Space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arcade import key as keys

from client.text.phrases import phrase
from client.ui.frame import Ui


@dataclass(frozen=True)
class Confirmation:
    """A question before an act: `title` asks, `about` says what follows, `yes` is the button's words, `act` does it."""

    title: str
    about: str
    yes: str
    act: Callable[[], object]

    def draw(self, ui: Ui, close: Callable[[], object]) -> None:
        """Draw the question above everything."""
        inside = ui.popup(ui.px(520), ui.px(190), self.title)
        foot, _ = ui.lines(self.about, inside, gap=8).cut_bottom(ui.px(34))
        yes, no = foot.columns(2)

        def act() -> None:
            close()
            self.act()

        ui.button(yes, self.yes, act, key="Y")
        ui.button(no, phrase("question.no"), close, primary=True, key=phrase("key.esc"))

    def key(self, symbol: int, close: Callable[[], object]) -> None:
        """Act on Y and close on Y, N and Esc; all other keys do nothing."""
        if symbol in (keys.Y, keys.N, keys.ESCAPE):
            close()
        if symbol == keys.Y:
            self.act()
