"""Whereabouts of a person: what they are told as they come to the lobby, a table, its match and its end."""

from __future__ import annotations

from client.model.arrival_plan import ArrivalPlan
from client.plain.command import Place
from client.plain.commands.lobby import LobbyCommands
from client.plain.commands.setup import SetupCommands
from client.plain.program import PlainProgram
from client.plain.talk.questions import InWords
from client.plain.told.standing import goal_lines, result_lines
from client.text.phrases import phrase
from protocol.scene.nodes import RESULT_NODE
from protocol.wire import from_client as said
from protocol.wire.from_server import TableView
from protocol.wire.links import FollowLink


class Whereabouts:
    """Whereabouts in one program. `sync` is called in each of its turns."""

    def __init__(self, program: PlainProgram, lobby: LobbyCommands, setup: SetupCommands, arrival: ArrivalPlan) -> None:
        self._program = program
        self._session = program.session
        self._lobby = lobby
        self._setup = setup
        self._arrival: ArrivalPlan | None = arrival
        self._told: tuple[object, ...] = ()
        self._is_result_told = False

    def is_busy(self) -> bool:
        """Tell whether the next line waits for what has been begun."""
        return self._program.talk.is_busy or not self.has_arrived()

    def has_arrived(self) -> bool:
        """Tell whether the arrival has been taken as far as it goes."""
        return self._arrival is None and self._lobby.quick is None

    def sync(self) -> None:
        """Go on with the arrival, and tell of the place that has been reached."""
        conversation = self._session.conversation
        if conversation.is_welcome and conversation.lobby is not None and conversation.systems is not None:
            self._arrive()
        self._lobby.go_on()
        self._knock()
        table = conversation.table
        here = (self._program.place, table.id if table is not None else "")
        if here != self._told and self._is_known(table):
            self._told, self._is_result_told = here, False
            self._tell(table)
        if self._program.place is Place.SETUP and self.has_arrived():
            self._setup.tell_changes()
        elif self._program.place is Place.TABLE and not self._is_result_told:
            self._tell_result(table)

    def _is_known(self, table: TableView | None) -> bool:
        """Tell whether enough has come to tell of a place."""
        if table is not None:
            return table.state == "open" or self._session.conversation.scene is not None
        return self._session.conversation.lobby is not None and self.has_arrived()

    def _arrive(self) -> None:
        arrival, self._arrival = self._arrival, None
        if arrival is None:
            return
        lobby = self._session.conversation.lobby
        if arrival.join and self._session.knows_links:
            self._program.go(FollowLink(code=arrival.join))
        elif arrival.join:
            self._program.go(said.JoinTable(code=arrival.join))
        elif arrival.watch:
            known = (
                next((row.id for row in lobby.tables if row.id == arrival.watch), None) if lobby is not None else None
            )
            self._program.go(said.WatchTable(table=known) if known else said.WatchTable(code=arrival.watch))
        elif arrival.quick and not self._lobby.open_running():
            self._lobby.play()

    def _knock(self) -> None:
        """Ask for the password of a table that has one."""
        door = self._session.door
        if not door.is_shut or self._program.question is not None:
            return

        def knock(password: str) -> None:
            message = door.knock(password)
            door.is_shut = False
            if message is not None:
                self._session.say(message)

        self._program.ask(InWords(phrase("plain.lobby.password"), knock, leave=door.leave))

    def _tell(self, table: TableView | None) -> None:
        program = self._program
        if table is None:
            program.say(phrase("plain.lobby.here", server=self._session.address.key, name=self._session.own_name))
            self._lobby.list_tables()
            program.say(phrase("plain.lobby.how"))
        elif table.state == "open":
            if self.has_arrived():
                self._setup.tell_seats()
        else:
            shown = program.shown()
            if table.seat >= 0:
                name = shown.model.seat_name(table.seat)
                program.say(phrase("plain.table.here", table=table.name, name=name))
                program.say_all(list(goal_lines(shown)) if shown.top.objectives else ())
            else:
                program.say(phrase("plain.table.watching", table=table.name))
            program.say(phrase("plain.table.how"))

    def _tell_result(self, table: TableView | None) -> None:
        """Tell how the match has ended, once it has."""
        has_result = RESULT_NODE in self._session.story.nodes
        if table is None or not (has_result or table.state == "finished"):
            return
        self._is_result_told = True
        self._program.say_all(result_lines(self._program.shown()))
        self._program.say(phrase("plain.result.how"))
