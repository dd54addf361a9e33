"""Commands of the lobby: tables to join and to watch, new ones, and a match against bots at once."""

from __future__ import annotations

from collections.abc import Iterator

from client.model.quick_start import QuickStart
from client.model.words.table_row_words import row_note, row_words
from client.plain.command import EVERYWHERE, Command, Place
from client.plain.program import PlainProgram
from client.plain.talk.answers import BadAnswer, numbered
from client.plain.talk.questions import InWords, OneOf
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.ids import TableId
from protocol.wire import from_client as said
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.links import FollowLink
from protocol.wire.table_lists import TableRow

LOBBY = frozenset({Place.LOBBY})


class LobbyCommands:
    """Commands of one program in the lobby."""

    def __init__(self, program: PlainProgram) -> None:
        self._program = program
        self._session = program.session
        self._rows: list[TableRow] = []
        """The tables that were listed last, by number."""
        self.quick: QuickStart | None = None

    def commands(self) -> Iterator[Command]:
        """Yield the commands."""
        yield Command("list", self.list_tables)
        yield Command("play", self.play, LOBBY)
        yield Command("create", self._create, LOBBY)
        yield Command("join", self._join, LOBBY)
        yield Command("watch", self._watch, LOBBY)
        yield Command("open", self._open, EVERYWHERE)
        yield Command("seat_code", self._use_seat_code, LOBBY)

    def list_tables(self, _: str = "") -> None:
        """List the tables, those of the person first."""
        lobby = self._session.conversation.lobby
        rows = lobby.tables if lobby is not None else ()
        mine = [row for row in rows if (row.mine or row.kept) and row.state != "finished"]
        others = [row for row in rows if row not in mine]
        parts = [
            (phrase("lobby.mine"), mine),
            (phrase("lobby.open"), [row for row in others if row.state == "open"]),
            (phrase("lobby.live"), [row for row in others if row.state == "live"]),
            (phrase("lobby.finished"), [row for row in others if row.state == "finished"]),
        ]
        self._rows = [row for _, part in parts for row in part]
        if not self._rows:
            self._program.say(phrase("plain.lobby.none"))
        number = 0
        for title, part in parts:
            if part:
                self._program.say(title)
            for row in part:
                number += 1
                note = row_note(row)
                words = ". ".join(filter(None, (row.name, row_words(row, self._session.texts), note)))
                self._program.say(phrase("plain.line", number=number, words=words))

    def _row(self, words: str) -> TableRow | None:
        """Return the table of a number of the list; None where the words are a code. Raises BadAnswer."""
        if not words:
            raise BadAnswer(phrase("plain.lobby.which"))
        if not words.isdecimal() or len(words) > 4:
            return None
        if not self._rows:
            self.list_tables()
        return self._rows[numbered(words, len(self._rows)) - 1]

    def _join(self, words: str) -> None:
        row = self._row(words)
        if row is not None and row.mine:
            self._program.go(said.OpenTable(table=row.id))
        elif row is not None:
            self._program.go(said.JoinTable(table=row.id))
        elif self._session.knows_links:
            self._program.go(FollowLink(code=words.upper()))
        else:
            self._program.go(said.JoinTable(code=words.upper()))

    def _watch(self, words: str) -> None:
        row = self._row(words)
        self._program.go(said.WatchTable(code=words.upper()) if row is None else said.WatchTable(table=row.id))

    def _open(self, words: str) -> None:
        row = self._row(words)
        if row is None:
            raise BadAnswer(phrase("plain.lobby.which"))
        self._program.go(said.OpenTable(table=row.id))

    def _use_seat_code(self, words: str) -> None:
        if not words:
            raise BadAnswer(phrase("codes.first"))
        self._program.go(said.UseSeatCode(code=words.upper()[:16]))

    def _systems(self) -> tuple[SystemChoice, ...]:
        """Return the games of the server. Raises BadAnswer where it has none."""
        systems = self._session.conversation.systems
        if systems is None or not systems.systems:
            raise BadAnswer(phrase("new_table.unknown"))
        return systems.systems

    def play(self, words: str = "") -> None:
        """Start a match against easy bots, of the game that is named by its number, else of the first."""
        systems = self._systems()
        system = systems[numbered(words, len(systems)) - 1] if words else systems[0]
        self._program.say(phrase("plain.lobby.play", game=self._session.texts.say(system.name)))
        self.quick = QuickStart(self._session, self._open_table, self._program.go, bots=True, system=system)
        self.quick.go_on()

    def open_running(self) -> bool:
        """Open the match of the person that runs, where one does."""
        lobby = self._session.conversation.lobby
        rows = lobby.tables if lobby is not None else ()
        running = next((row.id for row in rows if row.mine and row.state == "live"), None)
        if running is not None:
            self._open_table(running)
        return running is not None

    def _open_table(self, table: TableId) -> None:
        self._program.go(said.OpenTable(table=table))

    def go_on(self) -> None:
        """Take the next step of a quick start."""
        if self.quick is not None:
            self.quick.go_on()
            self.quick = None if self.quick.is_done else self.quick

    def _create(self, _: str) -> None:
        systems = self._systems()
        names = [self._session.texts.say(system.name) for system in systems]
        self._program.ask(OneOf(phrase("plain.create.game"), names, lambda place: self._ask_scenario(systems[place])))

    def _ask_scenario(self, system: SystemChoice) -> None:
        scenarios = system.scenarios
        names = [scenario_words(one, self._session.texts) for one in scenarios]
        title = phrase("plain.create.scenario")
        self._program.ask(OneOf(title, names, lambda place: self._ask_private(system, scenarios[place])))

    def _ask_private(self, system: SystemChoice, scenario: ScenarioChoice) -> None:
        options = [phrase("plain.create.public"), phrase("plain.create.private")]
        title = phrase("plain.create.who")
        self._program.ask(OneOf(title, options, lambda place: self._ask_name(system, scenario, private=place == 1)))

    def _ask_name(self, system: SystemChoice, scenario: ScenarioChoice, *, private: bool) -> None:
        def create(name: str) -> None:
            self._program.go(said.CreateTable(system=system.id, scenario=scenario.id, name=name[:64], private=private))

        self._program.ask(InWords(phrase("new_table.name"), create, self._session.table_name))


def scenario_words(scenario: ScenarioChoice, texts: Texts) -> str:
    """Return a scenario in a line: its name, seats and length, and what it is about."""
    name, about = texts.say(scenario.name), texts.say(scenario.about)
    return phrase("plain.create.scenario.line", name=name, seats=scenario.seats, minutes=scenario.minutes, about=about)
