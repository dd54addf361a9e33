"""Form by which a person, or a line that they have said, is reported to the host."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal, get_args

from client.model.session import ClientSession
from client.model.table.view_model import ChatEntry
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.text_input import TextInput
from protocol.limits import Limits
from protocol.wire.from_client import Report, ReportedLine
from protocol.wire.people import PersonCard

Reason = Literal["abuse", "spam", "cheating", "name", "other"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""In the order in which they are shown."""
WIDTH, HEIGHT, ROW, GAP = 580, 280, 28, 8


class ReportForm:
    """Form in the place of the card of a person. `line`: what they said, where the card was opened at a line of it."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.words = TextInput(most=Limits().chat_length, enter=self._send)
        self.line: ChatEntry | None = None
        self._card: PersonCard | None = None
        self._reason: Reason = REASONS[0]

    @property
    def is_open(self) -> bool:
        return self._card is not None

    def open(self, card: PersonCard) -> None:
        """Open the form about this person."""
        self._card, self._reason = card, REASONS[0]
        self.words.set("")

    def close(self) -> None:
        self._card = None

    def draw(self, ui: Ui) -> None:
        if self._card is None:
            return
        inside = ui.popup(ui.px(WIDTH), ui.px(HEIGHT), phrase("report.title", name=self._card.name))
        foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
        send, back = foot.columns(2, 8)
        ui.button(send, phrase("report.send"), self._send, primary=True)
        ui.button(back, phrase("report.back"), self.close, key=ui.keys.shown("back"))
        about = phrase("report.about") if self.line is None else phrase("report.line", words=self.line.text)
        inside = ui.lines(about, inside, colour=theme.MUTED, size=theme.SMALL, gap=8)
        rows = inside.share(2, ui.px(ROW), ui.px(GAP))
        for box, reason in zip(next(rows).columns(len(REASONS), 8), REASONS, strict=True):
            words = phrase(f"report.reason.{reason}")
            ui.button(box, words, partial(self._choose, reason), chosen=reason == self._reason, listed=True)
        ui.input(next(rows), self.words, phrase("report.words"))

    def _choose(self, reason: Reason) -> None:
        self._reason = reason

    def _send(self) -> None:
        if self._card is None:
            return
        line = self.line
        meant = ReportedLine(line.text, line.at, line.number) if line is not None else None
        self.session.say(Report(self._card.who, self._reason, self.words.text.strip(), meant))
        self.close()
