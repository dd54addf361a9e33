"""Navigation between screens: address, lobby, set-up, table and result. Owns the session."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import platformdirs

from client.app.link_visit import LinkVisit
from client.app.local_server import THIS_COMPUTER, LocalServer
from client.app.own_session import own_session
from client.app.window import App
from client.errors import BadAddress, BadProfile, NoLocalServer
from client.input.key_table import KeyTable
from client.model.arrival_plan import ArrivalPlan
from client.model.lessons import first_lesson
from client.model.quick_start import QuickStart, best_bot
from client.model.session import OUTSIDE, ClientSession
from client.net.address import Address, parse_address
from client.storage.named_files import NamedFiles
from client.storage.profile import UserProfile, profile_path
from client.storage.shared_profile import SharedProfile
from client.text.phrases import phrase
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.notice_bar import WindowNotice
from client.views.result_screen import ResultScreen
from client.views.settings import settings_of, sound_settings_of
from client.views.table.table_screen import TableScreen
from client.views.window_notices import notice_of
from protocol.ids import TableId
from protocol.wire import from_client as said
from protocol.wire.choices import SystemChoice
from protocol.wire.lessons import Lesson
from protocol.wire.seating import Rematch

SessionScreen = LobbyScreen | SetupScreen | ResultScreen | TableScreen
"""Any of the screens that follow a session's state."""


class Navigator:
    """Link between the window and the session: shows the screen that fits the session's state.

    `tick` is called in each turn of the window's loop.
    """

    def __init__(self, app: App, profile: UserProfile, profile_name: str, folder: Path | None = None) -> None:
        self.app = app
        self.profile = profile
        self.file = SharedProfile(profile, profile_name, folder)
        self.unsaved = ""
        self.profile_name = profile_name
        self.folder = folder
        self.session: ClientSession | None = None
        self.local: LocalServer | None = None
        self.plan = ArrivalPlan()
        self.quick: QuickStart | None = None
        self.links = LinkVisit(self)
        self.in_lobby = False
        self.result_closed = ""
        self.seen = -1
        app.before_tick.append(self.tick)
        app.text_resized = self._remember_scale
        app.keys_page.changed = self.keep
        app.settings_page.settings = partial(settings_of, self)
        app.settings_page.sounds = partial(sound_settings_of, self)
        self._take_keys()
        app.notice_bar.find = self._notice
        app.notice_bar.ring = self._ring
        app.sounds.profile = profile
        app.sounds_changed = self.keep
        app.recover = self.recover
        app.leave_all = self.to_address

    def begin(self, address: Address | None, plan: ArrivalPlan, note: str = "") -> None:
        """Go to a server at once; without an address to this computer's own, or to the address field if there is
        none. A `note` is read first, at the address field."""
        if note:
            self.to_address(note, address.key if address is not None else "")
            return
        if address is not None:
            self.connect(address, plan)
            return
        self.app.show(screen := ConnectScreen(self.app, self))
        if plan.quick:
            screen.note = self.play_here(quick=True)

    def connect(self, address: Address, plan: ArrivalPlan | None = None, password: str | None = None) -> None:
        """Leave the present server, if any, for this one; sign in there where a password is given."""
        self.disconnect()
        self.plan = plan or ArrivalPlan()
        self.session = own_session(
            address,
            self.file,
            keep=self.keep,
            read_again=self.read_again,
            wake=self.app.call,
            sounds=self.app.sounds,
            password=password,
        )
        self.session.sounds.call = self.app.call_person
        self.session.notice = self.unsaved
        self.session.start()
        self.app.show(LobbyScreen(self.app, self.session, self))

    def visit_server(self, address: Address, code: str, act: int) -> None:
        """Go where a code leads at another server."""
        self.connect(address, ArrivalPlan(code, act))

    def connect_to(self, words: str, password: str | None = None) -> str:
        """Connect to an address as written; return the reason if it is none, else ""."""
        try:
            self.connect(parse_address(words), password=password)
        except BadAddress as bad:
            return str(bad)
        return ""

    def play_here(self, *, quick: bool = False, learn: bool = False) -> str:
        """Play on this computer's own server, started if none runs: at once with a quick start, or the first lesson;
        return the reason if that fails, else ""."""
        try:
            self.local = self.local or LocalServer()
            address = self.local.find_or_start()
        except NoLocalServer as no:
            return str(no)
        self.connect(address, ArrivalPlan(quick=quick, learn=learn))
        return ""

    def disconnect(self) -> None:
        """Leave the server; matches there go on."""
        self.links.leave()
        if self.session is not None:
            self.session.close()
            self.session = None
        self.quick = None
        self.in_lobby = False
        self.seen = -1

    def to_address(self, note: str = "", words: str = "") -> None:
        """Show the address field, with these words in it rather than the last server's."""
        self.disconnect()
        self.app.show(screen := ConnectScreen(self.app, self))
        screen.note = note
        if words:
            screen.address.set(words)

    def recover(self) -> None:
        """Ask for the table anew after a fault of this program, and show it in a new screen."""
        session, front = self.session, self.app.front
        if session is None:
            return
        session.ask_anew()
        self.seen = -1
        if isinstance(front, SessionScreen):
            self.app.show(type(front)(self.app, session, self))

    def quit(self) -> None:
        self.app.close()

    def close(self) -> None:
        """Close the connection, end a local server that was started here, and remember the window's place."""
        self.disconnect()
        if self.profile.window != self.app.placing.place:
            self.profile.window = self.app.placing.place
            self.keep()
        if self.local is not None:
            self.local.close()

    def keep(self) -> bool:
        """Write the profile and return True; where it cannot be written, tell the person and return False."""
        try:
            self.file.keep()
        except (OSError, BadProfile) as problem:
            why = problem.strerror if isinstance(problem, OSError) else None
            self.unsaved = phrase("profile.not_saved", why=why or str(problem))
            self._tell(self.unsaved)
            return False
        self.unsaved = ""
        self._take_keys()
        return True

    def read_again(self) -> None:
        """Take over what other windows have written into the profile; a file that cannot be read changes nothing."""
        try:
            self.file.read_again()
        except BadProfile as bad:
            self._tell(str(bad))
        self._take_keys()

    def _take_keys(self) -> None:
        """Let the window have the profile's keys, which other windows may have changed too."""
        self.app.ui.keys = KeyTable(self.profile.key_changes)

    def _tell(self, words: str) -> None:
        if self.session is not None:
            self.session.notice = words
            self.session.changes += 1
        elif isinstance(self.app.front, ConnectScreen):
            self.app.front.note = words

    def copy(self, text: str) -> None:
        if self.session is not None:
            done = self.app.copy(text)
            self._tell(phrase("copied") if done else phrase("copied.not", code=text))
            self.app.refresh()

    @property
    def _home(self) -> Path:
        """Folder of all profiles."""
        return profile_path(self.profile_name, self.folder).parent

    @property
    def army_lists(self) -> NamedFiles:
        """The kept army lists, which all profiles share."""
        return NamedFiles(self._home / "lists", ".toml", "list")

    @property
    def table_setups(self) -> NamedFiles:
        """The kept set-ups of tables, which all profiles share."""
        return NamedFiles(self._home / "set-ups", ".json", "set-up")

    def _remember_scale(self, percent: int) -> None:
        self.profile.text_scale = percent
        self.keep()

    def to_lobby(self) -> None:
        """Show the lobby; the table goes on and can be opened again."""
        if self.session is not None:
            self.in_lobby = True
            self.session.search.ask()
            self.look_at_table()

    def to_table(self) -> None:
        """Return to the table from the lobby or a replay."""
        self.links.leave()
        if isinstance(self.app.front, ReplayScreen):
            self.leave_replay()
        self.in_lobby = False
        self.to_result()

    def leave_table(self) -> None:
        if self.session is not None:
            self.session.say(said.LeaveTable())

    def open_table(self, table: TableId) -> None:
        """Return to a table at which the person has a seat or watches."""
        self.go(said.OpenTable(table=table))

    def join(self, code: str = "", table: TableId | None = None) -> None:
        self.go(said.JoinTable(code=code) if code else said.JoinTable(table=table))

    def watch(self, code: str = "", table: TableId | None = None) -> None:
        self.go(said.WatchTable(code=code) if code else said.WatchTable(table=table))

    def play_again(self) -> None:
        """Play again with the people of the finished table: open the next one, or sit down there."""
        self.go(Rematch())

    def take_seat(self, code: str) -> None:
        """Take over, by its code, a seat that the person held on another device."""
        self.go(said.UseSeatCode(code=code))

    def create(self, system: str, scenario: str, name: str, *, private: bool) -> None:
        self.go(said.CreateTable(system=system, scenario=scenario, name=name, private=private))

    def go(self, message: said.Message) -> None:
        """Send the request to come to a table, or for what a link leads to."""
        if self.session is not None:
            self.session.notice = ""
            self.session.match_search.leave()
            self.session.door.go(message)
            self.to_table()
            self.session.say(message)

    def quick_start(self) -> None:
        """Open a table of the first scenario with easy bots in all other seats, and start at once."""
        if self.session is not None:
            self.quick = QuickStart(self.session, self.open_table, self.go, bots=True)
            self.quick.go_on()

    def learn(self, system: SystemChoice, lesson: Lesson) -> None:
        """Begin a lesson."""
        if self.session is not None:
            self.quick = QuickStart(self.session, self.open_table, self.go, (system, lesson))
            self.quick.go_on()

    def fill_with_bots(self) -> None:
        """Put the system's best bots into all free seats of the table."""
        conversation = self.session.conversation if self.session is not None else None
        if self.session is None or conversation is None or conversation.table is None or conversation.systems is None:
            return
        bots = next((s.bots for s in conversation.systems.systems if s.id == conversation.table.system), ())
        for seat in conversation.table.seats:
            if not (seat.who or seat.bot or seat.kept_for or seat.locked) and bots:
                self.session.say(said.AddBot(kind=best_bot(bots), seat=seat.seat))

    def replay_folder(self) -> Path:
        return Path(platformdirs.user_data_dir("eschaton")) / "replays"

    def own_data_folder(self) -> Path:
        return Path(platformdirs.user_data_dir("eschaton")) / "my-data"

    def tick(self, seconds: float) -> bool:
        """Take in what came, follow the arrival plan and show the fitting screen; return True if it must be drawn
        anew."""
        session = self.session
        if session is None:
            return False
        if self.local is not None and session.state == "lost" and session.address.name == THIS_COMPUTER:
            self.local.keep_running()
        notice = session.notice
        is_due = self.links.is_due or (self.quick is not None and self.quick.is_due)
        if not session.pump() and session.changes == self.seen and not is_due:
            return False
        self.seen = session.changes
        if session.state == "lost" and not session.reached:
            where = session.address.key
            self.to_address(phrase("unreached", where=where, why=session.why), "" if session.address.name else where)
            return True
        if session.away in OUTSIDE:
            self.to_address(session.why)
            return True
        self._follow_plan(session)
        self.links.tick(session)
        if not isinstance(self.app.front, ReplayScreen):
            self._show_fitting(session, notice)
        return True

    def _notice(self) -> WindowNotice | None:
        """Return what waits for the person wherever they are."""
        if self.session is None:
            return None
        return notice_of(self.session, self, in_lobby=isinstance(self.app.front, LobbyScreen))

    def _ring(self) -> None:
        self.app.sounds.play("invitation")
        self.app.call_person()

    def _follow_plan(self, session: ClientSession) -> None:
        """Take the next step of the arrival plan, if the server has said enough for it."""
        conversation, plan = session.conversation, self.plan
        if not conversation.is_welcome or conversation.lobby is None or conversation.systems is None:
            return
        if plan.join:
            self.plan = ArrivalPlan()
            self.links.follow(plan.join, plan.act)
        elif plan.watch:
            self.plan = ArrivalPlan()
            known = next((row.id for row in conversation.lobby.tables if row.id == plan.watch), None)
            self.watch(table=known) if known else self.watch(code=plan.watch)
        elif plan.quick or plan.learn:
            self.plan = ArrivalPlan()
            lesson = first_lesson(conversation.systems.systems) if plan.learn else None
            self.quick = QuickStart(session, self.open_table, self.go, lesson)
        if self.quick is not None:
            self.quick.go_on()
            self.quick = None if self.quick.is_done else self.quick

    def _show_fitting(self, session: ClientSession, notice: str) -> None:
        """Show the screen for the session's present state. `notice`: what the screen before has told."""
        table = session.conversation.table
        front = self.app.front
        wanted: type[SessionScreen]
        if table is None or self.in_lobby or session.door.is_shut:
            wanted = LobbyScreen
        elif table.state == "open":
            wanted = SetupScreen
        elif self._over(session):
            wanted = ResultScreen
            session.lessons.finish()
        else:
            wanted = TableScreen
        # what was begun at one table must not go on at another
        is_elsewhere = (
            isinstance(front, SetupScreen | ResultScreen | TableScreen) and front.made_for != session.at_table
        )
        if is_elsewhere or not isinstance(front, wanted):
            if session.notice == notice != self.unsaved:
                session.notice = ""
            front = wanted(self.app, session, self)
            self.app.show(front)
        front.sync()

    def _over(self, session: ClientSession) -> bool:
        """Return True if the result is to be shown; its table can still be looked at afterwards."""
        story, table = session.story, session.conversation.table
        if story.scene.is_behind:
            return False
        has_result = "result" in story.scene.nodes
        is_ended = table is not None and table.state == "finished"
        return (has_result or is_ended) and table is not None and self.result_closed != table.id

    def leave_replay(self) -> None:
        """Go from a replay to the screen that fits."""
        if self.session is not None:
            self.app.show(LobbyScreen(self.app, self.session, self))
            self.seen = -1

    def look_at_table(self) -> None:
        """Go from the result to the table as it was at the end."""
        table = self.session.conversation.table if self.session is not None else None
        self.result_closed = table.id if table is not None else ""
        self.seen = -1

    def to_result(self) -> None:
        self.result_closed = ""
        self.seen = -1
