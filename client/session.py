"""A person on a server: link, conversation, profile, and what was heard so far, for the views to show. Needs no window.

The window calls `pump` each frame; `changes` counts up whenever something that is shown has changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from client import link as links
from client.address import Address
from client.aftermath import Aftermath, in_thread
from client.fair_play import FairPlay
from client.files import FileDownload, save
from client.news import table_news
from client.phrases import phrase
from client.profile import Profile
from client.shown import ChatShown, LogLine
from client.table_talk import TableTalk
from client.texts import Texts
from protocol.client_conversation import STAY_AWAY, ClientConversation
from protocol.from_client import Chat, GetReplay, Message
from protocol.from_server import (
    Ack,
    Catalogue,
    ChatLine,
    Clocks,
    ClockWarning,
    Delta,
    Detail,
    FilePart,
    FromServer,
    Left,
    ListShown,
    NameKept,
    OfferView,
    Problem,
    Reject,
    SeatCode,
    Snapshot,
    TableView,
    Welcome,
)
from protocol.limits import Limits
from protocol.scene import Cue, Reply
from protocol.text import text

UNKNOWN_TOKEN = "session/unknown-token"
LOGGED_OUT = "session/logged-out"
PASSWORD_CHANGED = "session/password-changed"
NOT_SIGNED_IN = "session/not-signed-in"
SIGN_IN_BUSY = "session/sign-in-busy"
OUTSIDE = (LOGGED_OUT, PASSWORD_CHANGED, NOT_SIGNED_IN, SIGN_IN_BUSY)
"""After these one has to say anew who one is."""


class Session:
    """One identity on one server. `keep` is called when the profile has something new to remember; `clock` gives
    seconds; `connect` makes the link; `receipts`: the folder for what the host signs; `password`: to sign in with,
    by the profile's name, instead of the token."""

    def __init__(
        self,
        address: Address,
        profile: Profile,
        keep: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        connect: Callable[[Address], links.Carrier] = links.Link,
        receipts: Path | None = None,
        password: str | None = None,
    ) -> None:
        self.address = address
        self.profile = profile
        self.keep = keep
        self.clock = clock
        self.connect = connect
        self.link = connect(address)
        profile.links = profile.links or os.urandom(32).hex()
        self.conversation = ClientConversation(
            profile.name or phrase("guest"),
            profile.tokens.get(address.key),
            link_secret=bytes.fromhex(profile.links),
            password=password,
        )
        self.fair_play = FairPlay(self.conversation, receipts)
        self.aftermath: Aftermath | None = None
        self._all_receipts = receipts.parent if receipts is not None else None
        self.beside = in_thread
        self._asked_replay = False
        self._save_to: Path | None = None
        self.fair_play.pinned = bytes.fromhex(profile.hosts.get(address.key, ""))
        self.texts = Texts()
        self.talk = TableTalk()
        self.at_table = ""
        self.table_at = 0.0
        self.clocks_at = 0.0
        self.detail: Detail | None = None
        """The newest answer to `ask_detail`."""
        self.sealed = b""
        """The intent that was acknowledged last as an answer to a question that is still open."""
        self.notice = ""
        self.state = "connecting"
        self.why = ""
        self.away = ""
        """Why the server has closed for good (a code of STAY_AWAY); empty otherwise."""
        self.seat_code: SeatCode | None = None
        self.names_kept = 0
        self.list_shown: ListShown | None = None
        """The form of an army list that came last."""
        self.problems = 0
        self.problem = ""
        """What was refused last."""
        self.kept_name = ""
        """The name that is mine on this server by a password."""
        self.left = ""
        self.warned_until = 0.0
        self.table_seen: TableView | None = None
        self.download: FileDownload | None = None
        self.saved_replay: Path | None = None
        self.changes = 0
        self.links_made = 0
        self.on_scene: Callable[[ClientConversation], None] | None = None

    def start(self) -> None:
        self.link.start()

    def close(self) -> None:
        self.link.close()
        if self.aftermath is not None:
            self.aftermath.close()

    def take_back(self) -> None:
        """Connect again after another window took the identity over (which is told in turn), or a device the seat."""
        self.link.close()
        self.link = self.connect(self.address)
        self.away, self.state = "", "connecting"
        self.link.start()
        self.changes += 1

    def say(self, message: Message) -> None:
        """Send a lobby command."""
        self.conversation.say(message)
        self._send()

    def chat(self, words: str, to: int = -1) -> None:
        """Say something at the table, to one seat alone where `to` names it."""
        if words.strip():
            self.say(Chat(text=words.strip()[: Limits().chat_length], to=to if to >= 0 else None))

    def intend(self, reply: Reply) -> bytes:
        """Play a reply to the current prompt; returns the intent's id."""
        self.notice = ""
        intent = self.conversation.intend(reply, os.urandom(16))
        self._send()
        self.changes += 1
        return intent

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        """Ask for a field's options; the answer will be in `detail`, by the number returned."""
        number = self.conversation.ask_detail(choice, fields)
        self._send()
        return number

    def fetch_replay(self, table: str, folder: Path) -> None:
        """Ask for a finished table's replay; `saved_replay` is set when it has come."""
        self.saved_replay = None
        after = self.aftermath
        if after is not None and after.match == table and not after.is_done:
            self._save_to = folder
        elif after is not None and after.match == table and after.data:
            self._keep_replay(lambda: save(folder, after.name, after.data))
        else:
            self.download = FileDownload(folder)
            self.say(GetReplay(table=table))

    def _check_match(self, view: TableView) -> None:
        """A match of which one has seen something is over: check its replay as soon as there is one."""
        check = self.fair_play.check
        if view.state != "finished" or check is None or check.match != view.id:
            return
        if self.aftermath is None or self.aftermath.match != view.id:
            if self.aftermath is not None:
                self.aftermath.close()
            self.aftermath = Aftermath(view.id, self.fair_play.key, self._all_receipts, self.beside)
            self._asked_replay = False
        if view.replay and not self._asked_replay and self.download is None:
            self._asked_replay = True
            self.say(GetReplay(table=view.id))

    def pump(self) -> bool:
        """Take what the link brought and send what there is to say; whether anything shown changed."""
        before = self.changes
        for news in self.link.news():
            match news:
                case links.Up():
                    self.state, self.why = "up", ""
                    self.links_made += 1
                    self.conversation.connected()
                    self.fair_play.link_up()
                    self.changes += 1
                case links.Down() if not self.away:
                    self.state, self.why = "lost", news.why
                    self.changes += 1
                case links.Frame():
                    self.hear(news.data)
        self._send()
        if self.aftermath is not None and self.aftermath.is_done and not self.aftermath.is_told:
            self.aftermath.is_told = True
            self.changes += 1
        return self.changes != before

    def hear(self, frame: bytes) -> None:
        """Take one message from the server."""
        pending = dict(self.conversation.pending)
        for message in self.conversation.receive(frame):
            self._take(message)
            self.fair_play.hear(message)
            if isinstance(message, TableView):
                self._check_match(message)
            if isinstance(message, Ack) and message.id in pending:
                self.fair_play.acknowledged(pending[message.id], message)
            self._log_fairness()

    def _log_fairness(self) -> None:
        for line in self.fair_play.news:
            self.talk.log.append(LogLine(self.texts.say(line), kind="proof"))
        self.fair_play.news.clear()

    def _send(self) -> None:
        if self.state == "up":
            for data in self.conversation.outgoing():
                self.link.send(data)

    def _take(self, message: FromServer) -> None:
        self.changes += 1
        match message:
            case Welcome():
                self._welcome(message)
            case Catalogue():
                self.texts.learn(message.entries)
            case TableView():
                self._table(message)
            case Clocks():
                self.clocks_at = self.clock()
            case NameKept():
                self.kept_name, self.names_kept = message.name, self.names_kept + 1
                self.notice = self.texts.say(text("name.done", name=message.name))
            case SeatCode():
                self.seat_code = message
            case ListShown():
                self.list_shown = message
            case ClockWarning():
                table = self.conversation.table
                if table is not None and table.id == message.table and table.seat in message.seats:
                    self.warned_until = self.clock() + message.left / 1000
            case Left():
                self.left = self.texts.say(message.text)
                self.talk = TableTalk()
            case Snapshot() | Delta():
                if isinstance(message, Delta):
                    for cue in message.cues:
                        self._cue(cue)
                if self.on_scene is not None:
                    self.on_scene(self.conversation)
            case Detail():
                self.detail = message
            case Ack() if message.question >= 0:
                self.sealed = message.id
            case Reject() | Problem():
                self._refused(message)
            case ChatLine():
                self.talk.chat.append(ChatShown(message.name, message.text, self._seat_of(message.who), message.to))
            case OfferView():
                self.talk.offered(message, self.texts, self.conversation.table)
            case FilePart():
                self._file_part(message)
            case _:
                pass

    def _welcome(self, message: Welcome) -> None:
        self.profile.tokens[self.address.key] = message.token
        self.profile.name = self.profile.name or message.name
        self.kept_name = message.name if message.kept else ""
        if self.fair_play.is_stranger:
            self.notice = self.texts.say(text("fair.other_host"))
        elif message.key:
            self._pin(message.key)
        self.keep()

    def _pin(self, key: bytes) -> None:
        self.profile.hosts[self.address.key] = key.hex()
        self.fair_play.pinned = key

    def trust_host(self) -> None:
        """The person knows why the server has another key: it is this one from now on."""
        self._pin(self.fair_play.key)
        self.keep()
        self.changes += 1

    def _table(self, view: TableView) -> None:
        if self.at_table != view.id:
            self.at_table, self.seat_code = view.id, None
            self.talk = TableTalk()
        elif self.table_seen is not None:
            self.talk.log.extend(table_news(self.table_seen, view))
        self.table_seen = view
        self.table_at = self.clocks_at = self.clock()
        self.left = ""

    def _cue(self, cue: Cue) -> None:
        words = self.texts.say(cue.text)
        if words:
            self.talk.log.append(LogLine(words, cue.rule, cue.seat, cue.kind))
        if cue.dice is not None:
            self.talk.dice.append(cue.dice)
            self.talk.rolled_at = self.clock()

    def _refused(self, message: Reject | Problem) -> None:
        self.notice = self.texts.say(message.text)
        if isinstance(message, Problem):
            self.problem, self.download = self.notice, None
            self.problems += 1
            if message.code.startswith("replay/") and self.aftermath is not None and not self.aftermath.data:
                self.aftermath.refused()
            if message.fatal:
                self._ended(message)

    def _ended(self, problem: Problem) -> None:
        """The server closes next. The link connects again by itself, unless that would only disturb."""
        self.why = self.notice
        if problem.code in STAY_AWAY:
            self.away, self.state = problem.code, "away"
            self.link.close()
        if problem.code in (UNKNOWN_TOKEN, LOGGED_OUT, PASSWORD_CHANGED):
            self.profile.tokens.pop(self.address.key, None)
            self.conversation.token = None
            self.keep()

    def _seat_of(self, who: str) -> int:
        seats = self.conversation.table.seats if self.conversation.table is not None else ()
        return next((seat.seat for seat in seats if seat.who == who), -1)

    def _file_part(self, part: FilePart) -> None:
        download, after = self.download, self.aftermath
        if download is None and after is not None and self._asked_replay and not after.data:
            after.take(part)
            if self._save_to is not None and after.data:
                folder, self._save_to = self._save_to, None
                self._keep_replay(lambda: save(folder, after.name, after.data))
        elif download is not None:
            self._keep_replay(lambda: download.take(part))

    def _keep_replay(self, write: Callable[[], Path | None]) -> None:
        try:
            done = write()
        except OSError as error:
            self.download, self.notice = None, phrase("replay.not_kept", why=error.strerror or str(error))
            return
        if done is not None:
            self.saved_replay, self.download = done, None
            self.notice = phrase("replay.saved", name=done.name, folder=_short(done.parent))

    def status(self) -> tuple[str, bool]:
        """The state of the link in words, and whether all is well."""
        match self.state:
            case "up" if self.conversation.is_welcome:
                waiting = len(self.conversation.pending)
                return phrase("status.sending", waiting=waiting) if waiting else phrase("status.connected"), True
            case "away":
                return self.why, False
            case "lost":
                return phrase("status.lost", why=self.why), False
            case _:
                return phrase("status.connecting"), True


def _short(folder: Path) -> str:
    """A folder as its owner knows it, from his home."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
