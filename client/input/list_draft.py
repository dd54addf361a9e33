"""An army list in the making: the form as the server gave it last, and the changes made to it since. No window.

Only the server knows what a row means: every change goes there, and the whole form comes back. Changes that are made
while an answer is on its way wait for it; each applies to the form that the one before has led to. What a lost link has
left without an answer is asked again on the next one.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from client.model.session import ClientSession
from protocol.wire.from_client import BuildList
from protocol.wire.from_server import ListShown
from protocol.wire.list_form import AnyControl, Button, Change, Count, ListForm, Pick, Switch

MOST_WAITING: Final = 40
LONGEST_LINE: Final = 200
MOST_LINES: Final = 250


class RowStep(NamedTuple):
    """A change of a row by a number of steps."""

    row: str
    by: int


class ListDraft:
    """Army list of one seat (None: the player's own). `form` is None until the first one has come."""

    def __init__(self, session: ClientSession) -> None:
        self.form: ListForm | None = None
        self.seat: int | None = None
        self._session = session
        self._waiting: deque[RowStep] = deque(maxlen=MOST_WAITING)
        self._asked: BuildList | None = None
        self._link = session.links_made
        """Link on which it was asked."""
        self._seen = session.list_shown
        self._problems = session.problems

    def begin(self, seat: int | None) -> None:
        """Begin with the list that this seat has, or an empty one."""
        self.form, self.seat = None, seat
        self._ask(BuildList(seat=seat))

    def load(self, written: str) -> None:
        """Load a list from a code or a file; the form stays as it is where the server refuses it."""
        if "\n" not in written.strip():
            self._ask(BuildList(draft=written.strip(), seat=self.seat))
            return
        # comments are not sent
        lines = [line.partition("  #")[0].rstrip() for line in written.splitlines()]
        kept = [line[:LONGEST_LINE] for line in lines if line and not line.startswith("#")]
        self._ask(BuildList(lines=kept[:MOST_LINES], seat=self.seat))

    def step(self, row: str, by: int = 1) -> None:
        """Move a row: one more or fewer, the next option, the other way of a switch, a press of a button."""
        self._waiting.append(RowStep(row, by))
        self._go_on()

    @property
    def is_busy(self) -> bool:
        """True where an answer is on its way."""
        return self._asked is not None

    def sync(self) -> None:
        """Take in a form or a refusal from the server, if one has come, and ask again what a lost link has left without
        an answer, behind what opens the table there."""
        session = self._session
        if session.list_shown is not None and session.list_shown is not self._seen:
            self._seen = session.list_shown
            self._receive(session.list_shown)
        if session.problems != self._problems:
            self._problems = session.problems
            self._refused()
        if self._asked is not None and self._link != session.links_made and session.conversation.is_welcome:
            self._ask(self._asked)

    def _receive(self, shown: ListShown) -> None:
        self._asked, self.form = None, shown.form
        self._go_on()

    def _refused(self) -> None:
        """Take in a refusal: the form stays as it was, and waiting changes are dropped."""
        self._asked = None
        self._waiting.clear()

    def _go_on(self) -> None:
        while self._waiting and self._asked is None and self.form is not None:
            step = self._waiting.popleft()
            row = next((row for section in self.form.sections for row in section.rows if row.id == step.row), None)
            value = None if row is None else moved_value(row, step.by)
            if value is not None:
                self._ask(BuildList(draft=self.form.draft, change=Change(step.row, value), seat=self.seat))

    def _ask(self, message: BuildList) -> None:
        self._asked, self._link = message, self._session.links_made
        self._session.say(message)


def moved_value(row: AnyControl, by: int) -> int | None:
    """Return the value of a row `by` steps further; None where it cannot be moved there."""
    match row:
        case Count():
            value = row.value + by
            return value if row.least <= value <= row.most else None
        case Switch():
            return 0 if row.on else 1
        case Pick():
            return (row.value + by) % len(row.options) if row.options else None
        case Button():
            return 1
