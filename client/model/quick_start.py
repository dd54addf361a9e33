"""Start of a match without any choosing: the one that runs, the first lesson, or a match against easy bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from client.model.lessons import first_lesson
from client.model.session import ClientSession
from protocol.ids import TableId
from protocol.wire import from_client as said
from protocol.wire.choices import SystemChoice
from protocol.wire.lessons import Lesson

LEVEL: Final = "level"
"""Beginning of the names of bots that play by level."""
BUSY: Final = "busy"
"""Code of the refusal of what came too soon after all before it."""
PAUSE: Final = 1.0
"""Seconds between such a refusal and the next try."""
MOST_TRIES: Final = 5
"""Tries of one step, after which the refusal stands."""


class QuickStart:
    """Steps of a quick start, each once the server has said enough for it; `is_done` after the last one.

    A step that the server refuses as too much at once is taken again after a pause by the session's clock, MOST_TRIES
    times in all; any other refusal ends the quick start, but that of a match which this server does not know.

    `lesson`: to be held, with its system; without one the running match is opened, or a guided match that ended while
    the person was away, or the first lesson held where they have not been through it, else a match against bots.
    `bots`: no lesson is held, and `system` is the one to be played, else the first.
    `open_table` and `create` go to a table that there is, and make one.
    """

    def __init__(
        self,
        session: ClientSession,
        open_table: Callable[[TableId], None],
        create: Callable[[said.CreateTable], None],
        lesson: tuple[SystemChoice, Lesson] | None = None,
        *,
        bots: bool = False,
        system: SystemChoice | None = None,
    ) -> None:
        self.session = session
        self.open_table = open_table
        self.create = create
        self.lesson = lesson
        self.bots = bots
        self.system = system
        self.is_done = False
        self.left: TableId | None = None
        """The table at which the person was before."""
        self._over: TableId | None = None
        """The guided match that is no longer on, and whose result the person has not seen."""
        self._has_looked_back = False
        self._step: Callable[[], None] | None = None
        """The step that was taken last."""
        self._tries = 0
        self._again_at = inf
        self._problems = 0

    @property
    def is_due(self) -> bool:
        """True where the pause after a refusal is over."""
        return self.session.state == "up" and self.session.clock() >= self._again_at

    def go_on(self) -> None:
        """Take the next step, or the last one again."""
        conversation = self.session.conversation
        table = conversation.table
        if conversation.lobby is None or conversation.systems is None or self.is_done:
            return
        if self._step is None:
            self.left = table.id if table is not None else None
            self._take(self._begin)
        elif self._step == self._begin and table is not None and table.id != self.left:
            self.is_done = table.state != "open" or table.owner != conversation.you
            if not self.is_done:
                self._take(self._fill)
        elif self._step == self._fill and (table is None or table.state != "open"):
            self.is_done = True
        elif self.session.problems != self._problems:
            self._hear_refusal()
        elif self.is_due:
            self._try()

    def _take(self, step: Callable[[], None]) -> None:
        self._step, self._tries = step, 0
        self._try()

    def _try(self) -> None:
        """Take the present step, once more or for the first time."""
        assert self._step is not None
        self._tries, self._again_at, self._problems = self._tries + 1, inf, self.session.problems
        self._step()

    def _hear_refusal(self) -> None:
        self._problems = self.session.problems
        if self.session.problem_code == BUSY:
            self._again_at = self.session.clock() + PAUSE
            self.is_done = self._tries >= MOST_TRIES
        elif self._over is not None:
            self._over = None
            self._try()
        else:
            self.is_done = True

    def _fill(self) -> None:
        """Seat easy bots wherever nobody sits, and start."""
        table = self.session.conversation.table
        assert table is not None
        system = next((system for system in self._systems if system.id == table.system), None)
        bots = system.bots if system is not None else ()
        for seat in table.seats:
            if not seat.who and not seat.bot and bots:
                self.session.say(said.AddBot(kind=easiest_bot(bots), seat=seat.seat))
        scenarios = system.scenarios if system is not None else ()
        if any(one.id == table.scenario and one.points for one in scenarios):
            self.session.say(said.BringList())  # an army that is drawn
        self.session.say(said.SetReady(ready=True))
        self.session.say(said.StartMatch())

    @property
    def _systems(self) -> Sequence[SystemChoice]:
        systems = self.session.conversation.systems
        return systems.systems if systems is not None else ()

    def _begin(self) -> None:
        """Open the match that the person was in, or make a table."""
        is_open = not self.bots and self.lesson is None
        lobby = self.session.conversation.lobby
        rows = lobby.tables if lobby is not None else ()
        running = next((row.id for row in rows if row.mine and row.state == "live"), None)
        if is_open and running is None and not self._has_looked_back:
            # at a later try too: a match that was on at the first one may have ended in the pause
            self._has_looked_back = True
            self._over = self.session.lessons.take_unseen()
        if is_open and self.left is not None:
            self.is_done = True
        elif is_open and (found := running or self._over) is not None:
            self.open_table(found)
        else:
            self._make_table()

    def _make_table(self) -> None:
        systems = (self.system,) if self.system is not None else self._systems
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


def best_bot(kinds: Sequence[str]) -> str:
    """Return the kind of bot that plays best, as its name tells: the highest level."""
    return max(kinds, key=lambda kind: (kind.startswith(LEVEL), kind))
