"""Client's side of a connection, over any number of links: an object without socket and clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

from msgspec.structs import replace

from protocol.english import ENGLISH
from protocol.errors import BadFrame
from protocol.ids import NodeId, PromptId
from protocol.limits import Limits
from protocol.scene.cue_templates import TemplateBody
from protocol.scene.nodes import NO_PROMPT, Reply
from protocol.text import Text, text
from protocol.text_format import format_text
from protocol.version import VERSION
from protocol.wire import from_server as told, table_lists
from protocol.wire.codec import checked, decode_message, encode_request
from protocol.wire.faction_pages import GetFaction
from protocol.wire.found_tables import FoundTables
from protocol.wire.from_client import (
    DetailRequest,
    Entropy,
    FindTables,
    GetHistory,
    GetLeaders,
    GetLobbyChat,
    GetPeople,
    GetPerson,
    GetResults,
    Hello,
    Intent,
    ListTables,
    Message,
    OpenTable,
    Ping,
    Propose,
    Resume,
    Resync,
    Speak,
    Survey,
    Tip,
    TokenKept,
)
from protocol.wire.on_now import GetOnNow
from protocol.wire.order_requests import GetAudit, GetReports, GetSanctions
from protocol.wire.previews import GetPreview
from protocol.wire.scene_model import Drift, SceneModel
from protocol.wire.seating import GetInvitations
from protocol.wire.webhooks import GetWebhook

STAY_AWAY: Final = frozenset(
    {
        "session/taken-over",
        "session/moved",
        "session/logged-out",
        "session/deleted",
        "session/banned",
        "session/name-banned",
        "session/password-changed",
        "session/not-signed-in",
        "session/sign-in-busy",
    }
)
"""Codes after which a program must not connect again unless the person wishes it."""
MOST_CATALOGUES: Final = 32
MOST_WRONG_SNAPSHOTS: Final = 8
"""Wrong snapshots in a row, after which the conversation ends."""
_OF_ONE_LINK: Final = (
    Hello,
    TokenKept,
    OpenTable,
    Intent,
    DetailRequest,
    Survey,
    Propose,
    Resync,
    Speak,
    Tip,
    Entropy,
    GetPreview,
    GetFaction,
    Ping,
)
"""Messages that a new link does not carry on from the old one."""
_NEWEST_ALONE: Final = (
    FindTables,
    GetAudit,
    GetHistory,
    GetInvitations,
    GetLeaders,
    GetLobbyChat,
    GetOnNow,
    GetPeople,
    GetPerson,
    GetReports,
    GetResults,
    GetSanctions,
    GetWebhook,
    ListTables,
)
"""Questions about what is looked at: of those that wait for a new link, the newest of each kind is said."""


class ClientConversation:
    """Conversation with a server: it keeps the picture of the lobby and the table, and sends every intent until it is
    answered.

    The shell calls `connected` for every new link, `receive` for every frame, and sends what `outgoing` gives.
    `adds`: the program adds to dice (protocol/fairness/proof_client.py).
    `ended` is set when the server has closed the conversation for good (or cannot be understood): the shell closes
    the link and shows the problem; it does not connect again by itself when its code is one of `STAY_AWAY`. A shell
    that keeps the token keeps it before it sends what follows the Welcome: the server then forgets the one before.
    """

    def __init__(
        self,
        name: str,
        token: str | None,
        language: str = "en",
        known_catalogues: Iterable[told.Catalogue] = (),
        password: str | None = None,
        *,
        adds: bool = False,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self.name = name
        self.token = token
        self.password = password
        """Password to sign in with, until the server has answered."""
        self.language = language
        self.adds = adds
        self.limits = limits
        self.you = ""
        self.welcome: told.Welcome | None = None
        self.table: told.TableView | None = None
        self.lobby: table_lists.Lobby | None = None
        self.found = FoundTables()
        self.systems: told.Systems | None = None
        self.scene: SceneModel | None = None
        self.catalogues = {catalogue.hash: catalogue for catalogue in known_catalogues}
        self._templates: dict[int, TemplateBody] = {}
        self._learn_templates()
        self.ended: told.Problem | None = None
        self.drifts = 0
        self._pending: dict[bytes, Intent] = {}
        self._queue: list[Message] = []
        self._resumed = False
        self._resyncing = False
        self._wrong_snapshots = 0
        self._details = 0

    @property
    def pending(self) -> Mapping[bytes, Intent]:
        """Intents that have neither been acknowledged nor refused, by id, in the order said."""
        return MappingProxyType(self._pending)

    @property
    def is_welcome(self) -> bool:
        """True where the server has answered on this link."""
        return self.welcome is not None

    def connected(self) -> None:
        """Begin on a new link: what was said on the old one and is not known to have arrived is said again.

        Commands and chat that were not taken by `outgoing` yet follow the Hello, but of questions about what is looked
        at the newest of each kind alone; intents follow the Welcome.
        """
        waiting = _with_newest_questions([message for message in self._queue if not isinstance(message, _OF_ONE_LINK)])
        resume = self._resume()
        self.welcome = self.ended = None
        self.found.begin()
        self._resumed, self._resyncing, self._wrong_snapshots = resume is not None, False, 0
        known = [
            catalogue.hash
            for catalogue in self.catalogues.values()
            if catalogue.language == self.language and 0 < len(catalogue.hash) <= 64
        ][-MOST_CATALOGUES:]
        hello = Hello(
            version=VERSION,
            name=self.name,
            token=self.token if self.password is None else None,
            password=self.password,
            language=self.language,
            catalogues=known,
            resume=resume,
            adds=self.adds,
        )
        self._queue = [hello, *waiting]

    def _resume(self) -> Resume | None:
        if self.table is None or self.scene is None or not self._is_whole(self.scene):
            return None
        public, private = self.scene.numbers
        try:
            return checked(Resume(self.table.id, self.scene.stream, public, private))
        except ValueError:  # names that a server made up and would itself refuse
            return None

    def speak(self, language: str) -> None:
        """Have the texts of all systems in this language from now on. Where the server cannot send them anew
        (Welcome.speaks) they come with the next link."""
        self.language = language
        if self.welcome is not None and self.welcome.speaks:
            self.say(Speak(language=language))

    def receive(self, frame: bytes) -> list[told.FromServer]:
        """Take a frame. Returns what the views must still look at, in order: every message that changed something
        shown or that answers something, with the cues of frames that were shown. Never raises: a frame that cannot
        be read ends the conversation with a fatal Problem, which is returned."""
        if self.ended is not None:
            return []
        try:
            return self._take(decode_message(frame, self.limits))
        except BadFrame as bad:
            self.ended = told.Problem(bad.code, bad.text, fatal=True)
            return [self.ended]

    def _take(self, message: told.FromServer) -> list[told.FromServer]:
        match message:
            case told.Snapshot() | told.Delta():
                return self._take_scene(message)
            case told.Welcome():
                self._take_welcome(message)
            case told.Catalogue():
                self._take_catalogue(message)
            case told.Systems():
                self.systems = message
            case table_lists.Lobby():
                self.lobby = message
            case table_lists.Found() | table_lists.FoundChange() | table_lists.MyGames():
                self.found.take(message)
                if self.found.counts is not None:
                    self.lobby = self.found.lobby
            case told.TableView():
                if self.table is None or self.table.id != message.id:
                    self._forget_table()
                self.table = message
            case told.Clocks():
                if self.table is None or self.table.id != message.table:
                    return []
                self.table = replace(self.table, clocks=message.clocks, watching=message.watching)
            case told.Left():
                if self.table is not None and self.table.id == message.table:
                    self._forget_table()
            case told.Ack() | told.Reject():
                self._pending.pop(message.id, None)
            case told.Problem() if message.fatal:
                self.ended = message
            case told.Problem(code="busy"):
                self._resyncing = False  # perhaps it was the Resync that was refused
        return [message]

    def _take_welcome(self, message: told.Welcome) -> None:
        if self.welcome is not None:
            return
        self.welcome, self.you, self.token, self.password = message, message.you, message.token, None
        self._queue.append(TokenKept())
        if self.table is not None and not self._resumed:
            try:
                self._queue.append(checked(OpenTable(table=self.table.id)))
            except ValueError:
                self._forget_table()
        self._queue.extend(self._pending.values())

    def stay_with(self, token: str) -> None:
        """Go on with the token before, where the new one could not be kept: the server forgets it only if it is
        told."""
        self.token = token
        self._queue = [message for message in self._queue if not isinstance(message, TokenKept)]

    def _take_catalogue(self, message: told.Catalogue) -> None:
        self.catalogues.pop(message.hash, None)
        self.catalogues[message.hash] = message
        while len(self.catalogues) > MOST_CATALOGUES:
            del self.catalogues[next(iter(self.catalogues))]
        self._learn_templates()

    def _learn_templates(self) -> None:
        """Learn the cue templates of all catalogues: an id stands for the same one in each."""
        self._templates.clear()
        for catalogue in self.catalogues.values():
            self._templates.update({template.id: template.cues for template in catalogue.forms})

    def _forget_table(self) -> None:
        self.table = self.scene = None
        self._pending.clear()

    def _take_scene(self, frame: told.Snapshot | told.Delta) -> list[told.FromServer]:
        if self.scene is None:
            self.scene = SceneModel(self._templates)
        taken = self.scene.take(frame)
        part: Literal["public", "private"] | None = None
        why = ""
        if isinstance(taken, Drift):
            part, why = "private" if taken.part == "private" else "public", taken.why
            self.drifts += 1
            self._wrong_snapshots += isinstance(frame, told.Snapshot)
            self._resyncing &= isinstance(frame, told.Delta)  # a snapshot was the answer, and it was of no use
            taken = taken.taken
        if self._is_whole(self.scene):
            self._resyncing, self._wrong_snapshots = False, 0
        elif self.scene.is_lost and not self._resyncing:
            self._resyncing = True
            self._queue.append(Resync(part=part, why=why))
        if self._wrong_snapshots >= MOST_WRONG_SNAPSHOTS:
            self.ended = told.Problem("session/drifting", text("session.drifting"), fatal=True)
            return [*taken, self.ended]
        return list(taken)

    def ask_anew(self) -> None:
        """Forget the table's picture and have both parts of it sent whole."""
        if self.table is not None:
            self.scene, self._resyncing = None, True
            self._queue.append(Resync())

    def _is_whole(self, scene: SceneModel) -> bool:
        is_seated = self.table is not None and self.table.seat >= 0
        return scene.is_whole and (scene.has_private or not is_seated)

    def say(self, message: Message) -> None:
        """Say a command or chat. Acts go through `intend`, which keeps them until they are answered."""
        self._queue.append(message)

    def intend(self, reply: Reply, random_id: bytes) -> bytes:
        """Make the choice of `reply` at the prompt shown now. `random_id`: 16 bytes that were never used before.

        The intent stays in `pending`, and is said again on every new link, until the server has answered it.
        Raises ValueError for a reply that no message can carry.
        """
        fields: Any = dict(reply.fields)
        intent = checked(Intent(random_id, self._prompt_id(), reply.choice, fields))
        self._pending[intent.id] = intent
        if self.welcome is not None:
            self._queue.append(intent)
        return intent.id

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        """Ask for the next field of a choice at the prompt shown now; the Detail with the id returned answers it.

        Not asked again after a reconnect. Raises ValueError for fields that no message can carry.
        """
        self._details += 1
        filled: Any = dict(fields)
        self._queue.append(checked(DetailRequest(self._details, self._prompt_id(), choice, filled)))
        return self._details

    def ask_survey(self, subject: NodeId) -> int:
        """Ask what a thing could do at the prompt shown now; each Surveyed with the id returned answers it.

        Not asked again after a reconnect. Raises ValueError for an id that no message can carry.
        """
        self._details += 1
        self._queue.append(checked(Survey(self._details, self._prompt_id(), subject)))
        return self._details

    def ask_proposal(self, choice: str, fields: Mapping[str, object]) -> int:
        """Ask for a choice of the prompt shown now filled in; each Proposed with the id returned answers it.

        Not asked again after a reconnect. Raises ValueError for fields that no message can carry.
        """
        self._details += 1
        given: Any = dict(fields)
        self._queue.append(checked(Propose(self._details, self._prompt_id(), choice, given)))
        return self._details

    def _prompt_id(self) -> PromptId:
        prompt = self.scene.prompt if self.scene is not None else None
        return NO_PROMPT if prompt is None else prompt.id

    def outgoing(self) -> list[bytes]:
        """Return the frames to send on the link now; they count as sent."""
        frames = [encode_request(message) for message in self._queue]
        self._queue.clear()
        return frames

    def format(self, text: Text) -> str:
        """Return the words of a text by all catalogues known."""
        entries = dict(ENGLISH)
        for catalogue in self.catalogues.values():
            entries.update(catalogue.entries)
        return format_text(text, entries)


def _with_newest_questions(messages: Sequence[Message]) -> list[Message]:
    """Return the messages without the questions that a later one of the same kind replaces."""
    newest = {type(message): place for place, message in enumerate(messages)}
    return [
        message
        for place, message in enumerate(messages)
        if not isinstance(message, _NEWEST_ALONE) or newest[type(message)] == place
    ]
