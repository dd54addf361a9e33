"""Page about the dice of this table (F2), round by round, and what to compare with the other players."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from client.draw.fairness.dice_page import DicePage, draw_dice_page
from client.draw.fairness.scrolled_lines import ScrolledLines
from client.fairness.dice_mark import DiceMark
from client.fairness.dice_page import table_lines
from client.input.key_table import KeyPress
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui.frame import Act, Ui
from client.views.popups import Confirmation
from protocol.text import Text

if TYPE_CHECKING:
    from client.app.navigator import Navigator


class FairnessPage:
    """The page of a table. The proof is saved into the `navigator`'s folder of replays."""

    def __init__(self, session: ClientSession, navigator: Navigator) -> None:
        self.is_open = False
        self._session = session
        self._pilot = navigator
        self._lines = ScrolledLines()
        self._note = ""

    def toggle(self) -> None:
        """Open the page, where there is something to tell, or close it."""
        self.is_open = not self.is_open and self._session.table_check.check is not None
        self._lines.first, self._note = 0, ""

    def draw(self, ui: Ui, texts: Texts) -> None:
        """Draw the page over everything."""
        table_check = self._session.table_check
        if table_check.check is None:
            return
        mark = DiceMark(table_check)
        others: list[tuple[Text, Act]] = [(Text("fair.page.save"), self._save)]
        if table_check.is_stranger:
            about, trust = phrase("trust.about"), self._session.trust_host
            question = Confirmation(phrase("trust.title"), about, phrase("trust.yes"), trust)
            others.append((Text("fair.page.trust"), partial(self._pilot.app.ask, question)))
        close = (Text("fair.page.close"), self.toggle)
        lines = table_lines(mark)
        page = DicePage(Text("fair.page.title"), mark.sentence, mark.sign, lines, close, others, self._note)
        draw_dice_page(ui, texts, page, self._lines)

    def key(self, press: KeyPress) -> bool:
        """Scroll by a key of pages; return False for any other key."""
        return self._lines.key(press)

    def _save(self) -> None:
        self._note = self._session.replays.save_proof(self._pilot.replay_folder())
