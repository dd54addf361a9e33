"""A person's session on a server: link, conversation, profile, and all received so far. Needs no window.

The window calls `pump` each frame.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final, Literal

from client.fairness.host_book import HostBook
from client.fairness.host_watch import HostWatch
from client.fairness.table_check import TableCheck
from client.model.lessons import SessionLessons
from client.model.lobby.announcements import AnnouncementsHeard
from client.model.lobby.invitations import SeatInvitations
from client.model.lobby.lobby_feed import LobbyFeed
from client.model.lobby.match_search import MatchSearch
from client.model.lobby.moderation import ModeratorLists
from client.model.lobby.own_data import OwnData
from client.model.lobby.own_webhook import OwnWebhook
from client.model.lobby.people_lists import PeopleLists
from client.model.lobby.scenario_previews import SeenPreviews
from client.model.lobby.seen_factions import SeenFactions
from client.model.lobby.table_changes import table_changes
from client.model.lobby.table_door import TableDoor
from client.model.lobby.table_search import TableSearch
from client.model.replay.replays import Replays
from client.model.session_state import SessionState
from client.model.sound.cue_sounds import CueSounds
from client.model.sound.mixer import SoundMixer
from client.model.sound.session_sounds import SessionSounds
from client.model.table.pointed import PointedMarks
from client.model.table.story import Story
from client.model.table.time_warning import time_up
from client.model.table.view_model import ChatEntry, LogLine
from client.net import connection
from client.net.address import Address
from client.net.silence import Silence
from client.storage.profile import UserProfile
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from protocol.fairness.contributor import ChainStore, MemoryChains
from protocol.game_links import GameLink, read_link
from protocol.ids import NodeId
from protocol.limits import Limits
from protocol.scene.nodes import TURN, Prompt, Reply
from protocol.text import text
from protocol.wire import dates, from_server as told, order, people, quick_match, results, seating, table_lists
from protocol.wire.client_conversation import STAY_AWAY, ClientConversation
from protocol.wire.faction_pages import FactionShown
from protocol.wire.from_client import Chat, GetHistory, Message, Ping
from protocol.wire.links import LinkedReplay
from protocol.wire.on_now import OnNow
from protocol.wire.own_data import OwnDataPart
from protocol.wire.previews import Preview
from protocol.wire.webhooks import TurnTold, WebhookState

GIVEN = "answer/given"
TOO_LATE: Final = "table/started"
"""Code of the refusal of what can be done before the start only."""
RESERVED = "core:"
"""Beginning of choices that are no acts: settings, and taking one back."""
UNKNOWN_TOKEN = "session/unknown-token"
LOGGED_OUT = "session/logged-out"
DELETED = "session/deleted"
PASSWORD_CHANGED = "session/password-changed"
NOT_SIGNED_IN = "session/not-signed-in"
SIGN_IN_BUSY = "session/sign-in-busy"
BANNED = "session/banned"
NAME_BANNED = "session/name-banned"
OUTSIDE = (LOGGED_OUT, DELETED, PASSWORD_CHANGED, NOT_SIGNED_IN, SIGN_IN_BUSY, BANNED, NAME_BANNED)
"""Codes after which the person must sign in again, or cannot for now."""
FIRST_MARK: Final = 1 << 20
"""Number above those by which the link is tried."""
NOTICE_SECONDS: Final = 15.0
"""Seconds after which a notice goes by itself."""


class ClientSession(SessionState):
    """Session of one identity on one server.

    `keep` is called when the profile has something new to remember, and returns False if it could not be written;
    `read_again` takes into the profile what other windows have written; `clock` gives seconds; `connect` makes the
    link; `receipts`: the folder for what the host signs; `password`: to sign in with, by the profile's name, instead of
    the token; `hosts`: the file for the records of hosts; `today`: the day now; `chains` keeps the program's entropy
    chains (else in memory alone); `sounds`: what plays the sounds of the table.
    """

    def __init__(
        self,
        address: Address,
        profile: UserProfile,
        keep: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
        connect: Callable[[Address], connection.Transport] = connection.ReconnectingSocket,
        receipts: Path | None = None,
        password: str | None = None,
        hosts: Path | None = None,
        today: Callable[[], date] = date.today,
        chains: ChainStore | None = None,
        read_again: Callable[[], None] = lambda: None,
        sounds: SoundMixer | None = None,
    ) -> None:
        super().__init__()
        self.address = address
        self.profile = profile
        self.keep = keep
        self.read_again = read_again
        self.clock = clock
        mixer = sounds or SoundMixer(profile)
        self.story = Story(self.texts, clock, CueSounds(mixer, self.texts))
        self.marks = PointedMarks(self.say, clock)
        self.connect = connect
        self.today = today
        self.link = connect(address)
        self.silence = Silence()
        self._noticed = "", 0.0
        self._marks = FIRST_MARK
        token = profile.tokens.get(address.key)
        self.conversation = ClientConversation(self.name, token, SPOKEN.language, password=password, adds=True)
        self.sounds = SessionSounds(mixer, self.conversation)
        self.table_check = TableCheck(self.conversation, chains or MemoryChains(), partial(os.urandom, 32), receipts)
        self.table_check.pinned = bytes.fromhex(profile.hosts.get(address.key, ""))
        self.door = TableDoor()
        self.match_search = MatchSearch(self.say, lambda ended: self._tell(self.texts.say(ended)), clock)
        self.invitations = SeatInvitations(self.say)
        self.webhook = OwnWebhook(
            self.say, self._tell, self.texts.say, GameLink(address.host.lower(), address.port, "").place
        )
        self.search = TableSearch(self.say, self.conversation.found)
        self.people = PeopleLists(self.say, self._tell, clock)
        self.lobby_feed = LobbyFeed(self.say)
        self.replays = Replays(
            self.table_check, receipts.parent if receipts is not None else None, self.say, self._tell, clock
        )
        self.moderation = ModeratorLists(self.say, self._tell)
        self.announcements = AnnouncementsHeard(clock)
        self.own_data = OwnData(ask=self.say, tell=self._tell)
        self.lessons = SessionLessons(profile, keep)
        self.previews = SeenPreviews(self.say, clock)
        self.factions = SeenFactions(self.say, clock)
        self.hosts = HostWatch(HostBook(hosts, today), self.table_check)
        self.on_scene: Callable[[ClientConversation], None] | None = None
        self._catalogues: dict[tuple[str, str], Mapping[str, str]] = {}
        """Entries by system and language."""
        self._words_of = ""
        """System whose words go before those of others."""

    @property
    def prompt(self) -> Prompt | None:
        """The prompt that is put to the person: none of a finished match, or of another's seat."""
        conversation = self.conversation
        table = conversation.table
        if conversation.scene is None or (table is not None and (table.state == "finished" or table.seat < 0)):
            return None
        return conversation.scene.prompt

    @property
    def is_connected(self) -> bool:
        """True where the link is up and the server has let the person in on it."""
        return self.state == "up" and self.conversation.is_welcome

    @property
    def name(self) -> str:
        """Name by which the person wishes to be called."""
        return self.profile.name or phrase("guest")

    @property
    def table_name(self) -> str:
        """Default name of a table that the person opens."""
        return phrase("new_table.own", name=self.name)[: Limits().table_name_length]

    def start(self) -> None:
        self.link.start()

    def close(self) -> None:
        self.link.close()
        self.replays.close()

    def reconnect(self) -> None:
        """Connect again after another window took over the identity, or another device the seat; that one is told in
        turn."""
        self.link.close()
        self.link = self.connect(self.address)
        self.away, self.state = "", "connecting"
        self.seat_code.forget()
        self.link.start()
        self.changes += 1

    def say(self, message: Message) -> None:
        """Send a lobby command."""
        self.conversation.say(message)
        self._send()

    def mark(self) -> int:
        """Ask the server to say when it has heard all that was said before; `heard_until` is this number then. What
        came of it may come later, but not the refusal of a command."""
        self._marks += 1
        self.say(Ping(self._marks))
        return self._marks

    def speak(self) -> None:
        """Have the texts of the server in the language that the program speaks."""
        self.conversation.speak(SPOKEN.language)
        self._send()

    def link_to(self, code: str, act: int = 0) -> GameLink | None:
        """Return the link to a table or to an act of a replay of this server; None where others could not follow it,
        since the server is this computer's own, or knows no links."""
        address = self.address
        link = GameLink(address.host.lower(), address.port, code, act)
        return link if self.knows_links and not address.name and read_link(link.words) == link else None

    def ask_anew(self) -> None:
        """Ask for the table's whole scene: the one held here may be incomplete after a fault."""
        self.conversation.ask_anew()
        self._send()
        self.changes += 1

    def chat(self, words: str, to: int = -1, *, is_to_side: bool = False) -> None:
        """Send a line of chat to the table, to one seat alone where `to` names it, or to the person's side."""
        if words.strip():
            where: Literal["side", "table"] = "side" if is_to_side else "table"
            self.say(Chat(text=words.strip()[: Limits().chat_length], to=to if to >= 0 else None, where=where))

    def intend(self, reply: Reply) -> bytes:
        """Send a reply to the current prompt as an intent; return the intent's id."""
        self.notice = ""
        prompt = self.conversation.scene.prompt if self.conversation.scene is not None else None
        if prompt is not None and prompt.window == TURN and not reply.choice.startswith(RESERVED):
            self.story.acted()
        intent = self.conversation.intend(reply, os.urandom(16))
        self._send()
        self.changes += 1
        return intent

    def ask_older(self) -> None:
        """Ask for the page of the table's history before those in the log, unless all is there or on its way."""
        before, table = self.feed.page_wanted(), self.conversation.table
        if before and table is not None:
            self.say(GetHistory(table.id, before))

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        """Ask for a field's options; return the number by which the answer in `detail` is known."""
        number = self.conversation.ask_detail(choice, fields)
        self._send()
        return number

    def ask_survey(self, subject: NodeId) -> int:
        """Ask what a thing could do; return the number by which the answers in `advice` are known."""
        number = self.conversation.ask_survey(subject)
        self._send()
        return number

    def ask_proposal(self, choice: str, fields: Mapping[str, object]) -> int:
        """Ask for a choice filled in; return the number by which the answers in `advice` are known."""
        number = self.conversation.ask_proposal(choice, fields)
        self._send()
        return number

    def take_advice(self) -> list[told.Surveyed | told.Proposed | told.Reject]:
        """Return the answers in `advice`, and take them out of it, with the refusals that have a place."""
        taken = list(self.advice)
        self.advice.clear()
        return taken

    def pump(self) -> bool:
        """Take in what the link brought and send what is waiting; return True if anything visible changed."""
        before = self.changes
        for news in self.link.news():
            match news:
                case connection.Up():
                    self.state, self.why, self.told_why = "up", "", ""
                    self.silence.heard()
                    self.links_made += 1
                    self._read_token()
                    self.conversation.connected()
                    self.story.returned()
                    self.table_check.proof_client.link_up()
                    self.replays.link_lost()
                    self.changes += 1
                case connection.Down() if not self.away:
                    self.state, self.why = "lost", self.told_why or news.why
                    self.replays.link_lost()
                    self.silence.heard()
                    self.changes += 1
                case connection.Frame():
                    self.silence.heard()
                    self.receive(news.data)
        if self.silence.asks(self.clock()):
            self.conversation.say(Ping(self.links_made))
        self._send()
        if self.is_silent != self.silence.is_long(self.clock()):
            self.is_silent = not self.is_silent
            self.changes += 1
        if self.is_connected:
            self.people.refresh()
        self._let_notice_go()
        if self.seat_code.told is not None:
            self.changes += self.seat_code.count(self.clock())
        if self.replays.look():
            self.changes += 1
        if self.replays.finished_check is not None and self.replays.has_found():
            self.hosts.note_check(self.replays.finished_check)
            self.changes += 1
        return self.changes != before

    def receive(self, frame: bytes) -> None:
        """Take in one frame from the server."""
        pending = dict(self.conversation.pending)
        for message in self.conversation.receive(frame):
            self._take(message)
            self.sounds.hear(message, self.prompt)
            self.table_check.hear(message)
            self.hosts.hear(message)
            if isinstance(message, told.TableView):
                self.replays.check(message)
            if isinstance(message, told.Ack) and message.id in pending:
                self.table_check.acknowledged(pending[message.id], message)
                self.lessons.chose(pending[message.id].choice)
            self._log_fairness()

    def _tell(self, words: str) -> None:
        self.notice = words

    def _log_fairness(self) -> None:
        for line in self.table_check.news:
            self.feed.add([LogLine(self.texts.say(line), kind="proof")])
        self.table_check.news.clear()

    def _send(self) -> None:
        if self.state == "up":
            for data in self.conversation.outgoing():
                self.link.send(data)
                self.frames_said += 1
                self.silence.said(self.clock())

    def _let_notice_go(self) -> None:
        """Take a notice away that has been there for long."""
        now = self.clock()
        if self.notice != self._noticed[0]:
            self._noticed = self.notice, now
        elif self.notice and now - self._noticed[1] > NOTICE_SECONDS:
            self.notice = ""
            self.changes += 1

    def _take(self, message: told.FromServer) -> None:
        self.changes += 1
        match message:
            case told.Welcome():
                self._welcome(message)
            case told.Catalogue():
                self._catalogues[message.system, message.language] = message.entries
                self.texts.learn(message.entries, message.language)
                self._words_of = message.system
                self._prefer_own_words()
            case told.TableView():
                self._table(message)
            case told.Clocks():
                self._clocks()
            case told.NameKept():
                self.registered_name, self.names_registered = message.name, self.names_registered + 1
                self.notice = self.texts.say(text("name.done", name=message.name))
            case told.Renamed():
                self._renamed(message.name)
            case told.SeatCode():
                self.seat_code.take(message, self.clock())
            case told.ListShown():
                self.list_shown = message
            case results.Results():
                self.results = message
            case OnNow():
                self.on_now = message
            case Preview():
                self.previews.take(message)
            case FactionShown():
                self.factions.take(message)
            case results.Leaders():
                self.leaders = message
            case told.ClockWarning():
                table = self.conversation.table
                if table is not None and table.id == message.table and table.seat in message.seats:
                    self.warning.take(self.clock() + message.left / 1000, time_up(table, self.clocks_at))
            case told.Left():
                self.left = self.texts.say(message.text)
                self.search.ask()
                self.table_seen = None
                self.seat_code.forget()
                self.story.forget()
                self.marks.forget()
            case told.Snapshot() | told.Delta():
                self._scene(message)
                if self.on_scene is not None:
                    self.on_scene(self.conversation)
            case told.History() if message.table == self.at_table:
                self.story.history(message)
            case told.ChatHistory() if message.table == self.at_table:
                self.feed.take_chat([self._said(line) for line in message.lines])
            case told.Detail():
                self.detail = message
            case told.Surveyed() | told.Proposed():
                self.advice.append(message)
            case told.Ack() if message.question >= 0:
                self.sealed = message.id
            case told.Reject() | told.Problem():
                self._refused(message)
            case told.LobbyChat():
                self.lobby_feed.take(message)
            case told.ReportTaken():
                self.notice = phrase("report.taken")
            case told.ChatLine() if message.where == "lobby":
                self.lobby_feed.add(message)
            case told.ChatLine():
                self.feed.chat.append(self._said(message))
            case told.OfferView():
                self.feed.record_offer(message, self.texts, self.conversation.table)
            case told.Pong() if message.n > FIRST_MARK:
                self.heard_until = message.n
            case told.PointedAt():
                self.marks.take(message)
            case quick_match.Seeking() | quick_match.MatchOffered():
                self.match_search.take(message)
            case seating.Invitation() | dates.DateTold() | TurnTold():
                self.invitations.take(message)
            case WebhookState():
                self.webhook.take(message)
            case people.PeoplePage() | people.PersonCard():
                self.people.take(message)
                if isinstance(message, people.PersonCard) and not message.news:
                    # who is muted or not decides which lines are read
                    self.lobby_feed.ask()
            case table_lists.Found() | table_lists.FoundChange():
                self.search.heed()
            case LinkedReplay():
                self.linked_replay = message.table
            case order.Announcements():
                self.announcements.take(message)
            case order.OrderDone():
                self.moderation.take(message)
                if message.what == "announce":
                    self.announcements.read_own(message.name)
                if self.people.card is not None:
                    self.people.look_at(self.people.card.who)
            case order.ReportPage() | order.SanctionPage() | order.AuditPage() | order.Moderating():
                self.moderation.take(message)
            case OwnDataPart():
                self.own_data.take(message)
            case told.FilePart():
                self.replays.take(message)
            case _:
                pass

    def _read_token(self) -> None:
        """Take the token from the profile, since another window of it may have been given a newer one."""
        self.read_again()
        self.conversation.token = self.profile.tokens.get(self.address.key)

    def _welcome(self, message: told.Welcome) -> None:
        if not self.reached and not self.address.name:
            self.profile.remember_server(self.address.key)
        self.reached = True
        written = self.profile.tokens.get(self.address.key)
        # a second welcome on one link brings no other token
        self.profile.tokens[self.address.key] = self.conversation.token or message.token
        self.profile.name = self.profile.name or message.name
        self.registered_name = message.name if message.kept else ""
        self.own_name, self.has_accounts = message.name, message.accounts
        if self.table_check.is_stranger:
            self.notice = self.texts.say(text("fair.other_host"))
        elif message.key and message is self.conversation.welcome:
            # a second welcome on one link brings no other key
            self._pin(message.key)
        if not self.keep() and written is not None:
            # the token on the disk must stay good: the next start has no other
            self.profile.tokens[self.address.key] = written
            self.conversation.stay_with(written)
        self.people.begin(is_kept=message.people)
        self.match_search.begin(is_known=message.finds)
        self.search.begin(is_known=message.finds, is_at_table=self.conversation.table is not None)
        self.invitations.begin(is_known=message.seating)
        self.previews.begin(is_known=message.previews)
        self.factions.begin(is_known=message.factions)
        self.webhook.begin(is_known=message.webhooks)
        self.lobby_feed.begin(is_kept=message.lobby_chat)
        self.moderation.begin(moderates=message.moderates)
        self.announcements.begin()
        self.takes_reports, self.knows_links, self.has_own_data = message.reports, message.links, message.own_data
        self.own_data.refused()
        self.replays.begin()

    def _renamed(self, name: str) -> None:
        """Be called so on this server, and ask for the same name when coming back."""
        self.conversation.name = self.profile.name = self.own_name = name
        if self.registered_name:
            self.registered_name = name
        self.notice = phrase("account.renamed", name=name)
        self.keep()

    def _pin(self, key: bytes) -> None:
        self.profile.pin(self.address, key, self.today())
        self.table_check.pinned = key

    def trust_host(self) -> None:
        """Pin the server's new key: the person knows why it has changed."""
        self._pin(self.table_check.key)
        self.keep()
        self.changes += 1

    def _table(self, view: told.TableView) -> None:
        if self.at_table != view.id:
            self.at_table = view.id
            self.seat_code.forget()
            self.warning.forget()
            self.story.forget()
            self.marks.forget()
        self.invitations.close(view.id)
        self.feed.add(list(table_changes(self.table_seen, view)))
        systems = self.conversation.systems
        self.lessons.sit(view, systems.systems if systems is not None else ())
        self.table_seen = view
        self._prefer_own_words()
        self.table_at = self.clock()
        self._clocks()
        self.left = ""

    def _clocks(self) -> None:
        """Take the clocks of the present table."""
        self.clocks_at = self.clock()
        self.warning.heed(time_up(self.conversation.table, self.clocks_at))

    def _prefer_own_words(self) -> None:
        """Let the words of the open table's system go before those of others, which may have the same keys."""
        system = self.table_seen.system if self.table_seen is not None else ""
        known = {language: words for (name, language), words in self._catalogues.items() if name == system}
        if system != self._words_of and known:
            for language, words in known.items():
                self.texts.learn(words, language)
            self._words_of = system

    def _scene(self, message: told.Snapshot | told.Delta) -> None:
        nodes = self.conversation.scene.nodes if self.conversation.scene is not None else {}
        if isinstance(message, told.Delta):
            self.story.frame(message, nodes)
            self.lessons.told(message.cues)
        else:
            self.story.picture(nodes, is_public=message.part == "public")

    def _said(self, line: told.ChatLine) -> ChatEntry:
        return ChatEntry(
            line.name,
            line.text,
            self._seat_of(line.who),
            line.to,
            who=line.who,
            at=line.at,
            to_name=line.to_name,
            is_to_side=line.where == "side",
        )

    def _refused(self, message: told.Reject | told.Problem) -> None:
        self.notice = self.texts.say(message.text)
        if isinstance(message, told.Reject):
            self.lessons.refused()
            if message.at or message.by:
                self.advice.append(message)
        if isinstance(message, told.Reject) and message.code == GIVEN:
            self.already_answered = message.id
        if isinstance(message, told.Problem):
            self.problem, self.problem_code = self.notice, message.code
            self.problems += 1
            self.replays.refused(message.code)
            self.door.refused(message.code)
            self.own_data.refused()
            self.webhook.refused()
            if message.fatal:
                self._ended(message)

    def _ended(self, problem: told.Problem) -> None:
        """Note that the server closes next; stay away where connecting again would only disturb."""
        self.why, self.told_why = self.notice, self.notice.rstrip(".")
        if problem.code in STAY_AWAY:
            self.away, self.state = problem.code, "away"
            self.link.close()
        if problem.code in (UNKNOWN_TOKEN, LOGGED_OUT, DELETED, PASSWORD_CHANGED):
            self._give_up(self.conversation.token)

    def _give_up(self, refused: str | None) -> None:
        """Forget the token that the server refuses, unless another window has been given a newer one since."""
        self.read_again()
        if self.profile.tokens.get(self.address.key) == refused:
            self.profile.tokens.pop(self.address.key, None)
            self.keep()
        self.conversation.token = self.profile.tokens.get(self.address.key)

    def _seat_of(self, who: str) -> int:
        seats = self.conversation.table.seats if self.conversation.table is not None else ()
        return next((seat.seat for seat in seats if seat.who == who), -1)

    def status(self) -> tuple[str, bool]:
        """Return the state of the link in words, and True if all is well."""
        match self.state:
            case "up" if self.is_silent:
                return phrase("status.silent"), False
            case "up" if self.conversation.is_welcome:
                waiting = len(self.conversation.pending)
                return phrase("status.sending", waiting=waiting) if waiting else phrase("status.connected"), True
            case "away":
                return self.why, False
            case "lost":
                return phrase("status.lost", why=self.why), False
            case _:
                return phrase("status.connecting"), True
