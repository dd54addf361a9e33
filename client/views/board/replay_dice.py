"""Page about the dice of a replay (F2): whose programs had a part in them, round by round, as its record says."""

from __future__ import annotations

from client.draw.fairness.dice_page import DicePage, draw_dice_page
from client.draw.fairness.scrolled_lines import ScrolledLines
from client.fairness.dice_page import PageLine, replay_lines
from client.fairness.replay_parts import ReplayParts, is_strict, parts_of
from client.input.key_table import KeyPress
from client.model.replay.replay_player import seat_names
from client.text.fairness_sentences import unmistaken
from client.text.texts import Texts
from client.ui.frame import Ui
from protocol.fairness.replay import Replay
from protocol.fairness.round_parts import MarkState
from protocol.scene.nodes import RollId
from protocol.text import Text


class ReplayDicePage:
    """The page of one replay, and the strictness of its rolls, read from its record when it is first needed."""

    def __init__(self, replay: Replay) -> None:
        self.is_open = False
        self._replay = replay
        self._scrolled = ScrolledLines()
        self._sentence = Text("")
        self._lines: list[PageLine] | None = None
        self._parts: ReplayParts | None = None
        self._is_strict: bool | None = None

    def strictness(self, roll: RollId) -> bool | None:
        """Tell whether a roll of a strict table is strict; None of other tables."""
        if self._is_strict is None:
            self._is_strict = is_strict(self._replay)
        history = self._read().history if self._is_strict else None
        return history.strictness(roll) if history is not None else None

    def toggle(self) -> None:
        """Open or close the page."""
        self.is_open = not self.is_open
        self._scrolled.first = 0
        if self._lines is None:
            self._tell(self._read())

    def draw(self, ui: Ui, texts: Texts) -> None:
        """Draw the page over everything."""
        close = (Text("fair.replay.close"), self.toggle)
        sign = MarkState.NOT if self._lines else None
        page = DicePage(Text("fair.replay.title"), self._sentence, sign, self._lines or (), close)
        draw_dice_page(ui, texts, page, self._scrolled)

    def key(self, press: KeyPress) -> bool:
        """Scroll by a key of pages; return False for any other key."""
        return self._scrolled.key(press)

    def _read(self) -> ReplayParts:
        if self._parts is None:
            self._parts = parts_of(self._replay)
        return self._parts

    def _tell(self, parts: ReplayParts) -> None:
        names = seat_names(self._replay)
        self._lines = replay_lines(parts.history, lambda seat: unmistaken(names, seat)) if parts.history else []
        self._sentence = parts.why
