"""Play in plain text: the session of a profile, the console of this process, and the program between them."""

from __future__ import annotations

import contextlib
import signal

from client.app.local_server import LocalServer
from client.app.own_session import own_session
from client.errors import BadProfile
from client.model.arrival_plan import ArrivalPlan
from client.net.address import Address
from client.plain.commands.company import CompanyCommands
from client.plain.commands.lobby import LobbyCommands
from client.plain.commands.setup import SetupCommands
from client.plain.commands.table import TableCommands
from client.plain.commands.whereabouts import Whereabouts
from client.plain.consoles import Console, console_for
from client.plain.inbox import Inbox
from client.plain.program import PlainProgram
from client.storage.fault_reports import FaultReports, reports_folder
from client.storage.profile import UserProfile
from client.storage.shared_profile import SharedProfile
from client.text.phrases import phrase


class PlainPlay:
    """One play of a profile at a server, from the first line to the last."""

    def __init__(self, profile: UserProfile, name: str, address: Address, arrival: ArrivalPlan) -> None:
        self._file = SharedProfile(profile, name)
        self._names: list[str] = []
        self.console: Console = console_for(lambda: self._names)
        inbox = Inbox()
        self.session = own_session(address, self._file, keep=self._keep, read_again=self._read_again, wake=inbox.wake)
        self.program = program = PlainProgram(self.session, self.console, inbox)
        lobby, setup = LobbyCommands(program), SetupCommands(program)
        parts = (lobby, setup, TableCommands(program), CompanyCommands(program))
        program.give(command for part in parts for command in part.commands())
        self._names += program.commands.names
        self._whereabouts = Whereabouts(program, lobby, setup, arrival)
        program.after_news, program.is_busy = self._whereabouts.sync, self._whereabouts.is_busy

    def run(self, note: str) -> None:
        """Play until the person leaves. `note` is said first."""
        self.program.say(phrase("plain.begin"))
        self.program.say(note)
        try:
            self.session.start()
            self.program.run(self._whereabouts.has_arrived)
        except Exception as fault:
            self._report(fault)
            raise
        finally:
            self.console.close()
            self.session.close()

    def _report(self, fault: Exception) -> None:
        """Write a fault of the program down, and say where."""
        path = FaultReports(reports_folder(), hidden=lambda: self._file.profile.tokens.values()).write(fault, "text")
        words = phrase("fault.report", path=path) if path else phrase("fault.no_report")
        self.console.say(f"{phrase('fault.title')}. {words}")

    def _keep(self) -> bool:
        """Write the profile; where that fails, tell the person and return False."""
        try:
            self._file.keep()
        except (OSError, BadProfile) as problem:
            why = problem.strerror if isinstance(problem, OSError) else None
            self.program.say(phrase("profile.not_saved", why=why or str(problem)))
            return False
        return True

    def _read_again(self) -> None:
        """Take over what other programs have written into the profile; what cannot be read changes nothing."""
        with contextlib.suppress(BadProfile):
            self._file.read_again()


def play_in_text(
    profile: UserProfile, name: str, address: Address | None, join: str = "", watching: str = "", note: str = ""
) -> int:
    """Play in plain text, without an address on this computer's own server; return the exit code. Raises
    NoLocalServer."""
    local = LocalServer()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            arrival = ArrivalPlan(join, watch=watching, quick=address is None)
            PlainPlay(profile, name, address or local.find_or_start(), arrival).run(note)
    finally:
        local.close()
    return 0
