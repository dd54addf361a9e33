"""An army list in the making: the form as the server gave it last, and the changes made to it since. No window.

Only the server knows what a row means: every change goes there, and the whole form comes back. Changes that are made
while an answer is on its way wait for it; each applies to the form that the one before has led to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from protocol.wire.from_client import BuildList, Message
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

    def __init__(self, say: Callable[[Message], None]) -> None:
        self.form: ListForm | None = None
        self.seat: int | None = None
        self._say = say
        self._waiting: deque[RowStep] = deque(maxlen=MOST_WAITING)
        self._asked = False

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

    def receive(self, shown: ListShown) -> None:
        """Take in the form that the server answered with."""
        self._asked, self.form = False, shown.form
        self._go_on()

    def refused(self) -> None:
        """Take in a refusal: the form stays as it was, and waiting changes are dropped."""
        self._asked = False
        self._waiting.clear()

    def _go_on(self) -> None:
        while self._waiting and not self._asked and self.form is not None:
            step = self._waiting.popleft()
            row = next((row for section in self.form.sections for row in section.rows if row.id == step.row), None)
            value = None if row is None else moved_value(row, step.by)
            if value is not None:
                self._ask(BuildList(draft=self.form.draft, change=Change(step.row, value), seat=self.seat))

    def _ask(self, message: BuildList) -> None:
        self._asked = True
        self._say(message)


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
