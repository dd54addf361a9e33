"""Start of a match without any choosing: the one that runs, the first lesson, or a match against easy bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from client.model.lessons import first_lesson
from client.model.session import ClientSession
from protocol.ids import TableId
from protocol.wire import from_client as said
from protocol.wire.choices import SystemChoice
from protocol.wire.from_server import TableView
from protocol.wire.lessons import Lesson

LEVEL: Final = "level"
"""Beginning of the names of bots that play by level."""


class QuickStart:
    """Steps of a quick start, each once the server has said enough for it; `is_done` after the last one.

    `lesson`: to be held, with its system; without one the running match is opened, or the first lesson held where the
    person has not been through it, else a match against bots. `bots`: no lesson is held. `open_table` and `create` go
    to a table that there is, and make one.
    """

    def __init__(
        self,
        session: ClientSession,
        open_table: Callable[[TableId], None],
        create: Callable[[said.CreateTable], None],
        lesson: tuple[SystemChoice, Lesson] | None = None,
        *,
        bots: bool = False,
    ) -> None:
        self.session = session
        self.open_table = open_table
        self.create = create
        self.lesson = lesson
        self.bots = bots
        self.is_asked = False
        self.is_done = False
        self.left: TableId | None = None
        """The table at which the person was before."""

    def go_on(self) -> None:
        """Take the next step."""
        conversation = self.session.conversation
        table, lobby, systems = conversation.table, conversation.lobby, conversation.systems
        if lobby is None or systems is None or self.is_done:
            return
        if not self.is_asked:
            self.left = table.id if table is not None else None
            self._begin(systems.systems)
        elif table is not None and table.id != self.left:
            self.is_done = True
            if table.state == "open" and table.owner == conversation.you:
                self._fill(table, systems.systems)

    def _fill(self, table: TableView, systems: Sequence[SystemChoice]) -> None:
        """Seat easy bots wherever nobody sits, and start."""
        bots = next((system.bots for system in systems if system.id == table.system), ())
        for seat in table.seats:
            if not seat.who and not seat.bot and bots:
                self.session.say(said.AddBot(kind=easiest_bot(bots), seat=seat.seat))
        self.session.say(said.SetReady(ready=True))
        self.session.say(said.StartMatch())

    def _begin(self, systems: Sequence[SystemChoice]) -> None:
        rows = self.session.conversation.lobby.tables if self.session.conversation.lobby is not None else ()
        running = next((row for row in rows if row.mine and row.state == "live"), None)
        if not self.bots and self.lesson is None and (self.left is not None or running is not None):
            self.is_done = True
            if running is not None and self.left is None:
                self.open_table(running.id)
            return
        self.is_asked = True
        lesson = self.lesson or (None if self.bots else self._first_lesson(systems))
        name = self.session.table_name
        if lesson is not None:
            system, held = lesson
            scenario = held.scenario
            self.create(said.CreateTable(system=system.id, scenario=scenario, name=name, private=True, lesson=held.id))
        elif systems and systems[0].scenarios:
            first = systems[0].scenarios[0].id
            self.create(said.CreateTable(system=systems[0].id, scenario=first, name=name, private=True))

    def _first_lesson(self, systems: Sequence[SystemChoice]) -> tuple[SystemChoice, Lesson] | None:
        first = first_lesson(systems)
        if first is None or self.session.lessons.is_taught(first[0].id, first[1].id):
            return None
        return first


def easiest_bot(kinds: Sequence[str]) -> str:
    """Return the kind of bot that is easiest to beat and still means to win: the lowest level."""
    return min(kinds, key=lambda kind: (not kind.startswith(LEVEL), kind))
