"""Talk about an army list: the rows of the form by number, changed one step at a time, then brought to the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from client.input.list_draft import ListDraft
from client.model.session import ClientSession
from client.plain.talk.answers import BadAnswer, numbered
from client.text.phrases import phrase
from protocol.text import Text
from protocol.wire.from_client import BringList
from protocol.wire.list_form import AnyControl, Button, Count, ListForm, Pick, Switch


class ArmyTalk:
    """Question that stays open until the list is brought. `seat`: of a bot, None for the person's own."""

    def __init__(self, session: ClientSession, seat: int | None) -> None:
        self._session = session
        self._draft = ListDraft(session)
        self._told: dict[str, str] = {}
        """The words of each row as they were told, by its id."""
        self._draft.begin(seat)

    def claims(self, line: str) -> bool:
        """Return True for the word that tells the whole list."""
        return line.partition(" ")[0] == phrase("plain.command.look")

    def drop(self) -> None:
        """Do nothing."""

    def is_ready(self) -> bool:
        """Take in what the server has answered; return True once nothing is on its way."""
        self._draft.sync()
        return not self._draft.is_busy

    def _rows(self, form: ListForm) -> list[AnyControl]:
        return [row for section in form.sections for row in section.rows]

    def lines(self) -> Iterator[str]:
        """Yield the form: its sections with those rows by number that are new or changed, what is wrong, and how it is
        changed."""
        form, say = self._draft.form, self._session.texts.say
        if form is None:
            yield say(Text("lists.waiting"))
            return
        yield ". ".join((say(form.title), say(form.total)))
        before, self._told = self._told, {row.id: self._row_words(row) for row in self._rows(form)}
        number = 0
        for section in form.sections:
            fresh = {row.id for row in section.rows if before.get(row.id) != self._told[row.id]}
            if fresh:
                yield say(section.title)
            for row in section.rows:
                number += 1
                if row.id in fresh:
                    yield phrase("plain.line", number=number, words=self._told[row.id])
        yield from map(say, form.faults)
        yield phrase("plain.army.how" if form.faults else "plain.army.how.sound")

    def _row_words(self, row: AnyControl) -> str:
        say = self._session.texts.say
        match row:
            case Count():
                value = str(row.value)
            case Switch():
                value = say(Text("lists.yes" if row.on else "lists.no"))
            case Pick():
                value = say(row.options[row.value]) if 0 <= row.value < len(row.options) else ""
            case Button():
                value = ""
            case _:
                assert_never(row)
        label = f"{say(row.label)}: {value}" if value else say(row.label)
        return ", ".join(filter(None, (label, say(row.note))))

    def take(self, words: str) -> bool:
        """Take a number for one step of its row, with "-" behind it for one back; "look" tells all rows again, nothing
        brings the list."""
        self.is_ready()
        form = self._draft.form
        if form is None:
            raise BadAnswer(self._session.texts.say(Text("lists.waiting")))
        if not words:
            if form.faults:
                raise BadAnswer(self._session.texts.say(form.faults[0]))
            self._session.say(BringList(list=form.draft, seat=self._draft.seat))
            return True
        if words == phrase("plain.command.look"):
            self._told = {}
            return False
        number, _, sign = words.partition(" ")
        rows = self._rows(form)
        row = rows[numbered(number, len(rows)) - 1]
        self._draft.step(row.id, -1 if sign.strip() == "-" else 1)
        return False
