"""Messages of a server: msgspec Structs with the tag `t`, decoded by type, with limits, since a server may be
hostile."""

from __future__ import annotations

from typing import Any

import msgspec

from protocol.ids import BEGINNING, NodeId, Seq, TableId
from protocol.proof.facts import AnyFact
from protocol.redaction import redacted_repr
from protocol.scene.advice import Forecast, Target
from protocol.scene.cue_templates import CatalogueTemplate
from protocol.scene.fields import AnyField, Band
from protocol.scene.nodes import NO_NODE, Act, Cue, Point
from protocol.text import Text
from protocol.wire.choices import OptionValue, SystemChoice
from protocol.wire.dates import DateTold
from protocol.wire.faction_pages import FactionShown
from protocol.wire.from_client import DetailRequest, Fields, Propose, Survey
from protocol.wire.host_claim import HostClaim
from protocol.wire.links import LinkedReplay
from protocol.wire.list_form import ListForm
from protocol.wire.on_now import OnNow
from protocol.wire.order import Announcements, AuditPage, Moderating, OrderDone, ReportPage, SanctionPage
from protocol.wire.own_data import OwnDataPart
from protocol.wire.people import PeoplePage, PersonCard
from protocol.wire.previews import Preview
from protocol.wire.quick_match import MatchOffered, Seeking
from protocol.wire.results import Leaders, Results
from protocol.wire.seating import Invitation
from protocol.wire.server_message import ServerMessage
from protocol.wire.table_lists import Found, FoundChange, Lobby, MyGames
from protocol.wire.webhooks import TurnTold, WebhookState


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """Answer to Hello. `token` is the secret to come back with: keep it, it replaces the one that was sent. `key` is
    the host's public key (32 bytes). `kept`: the name is the receiver's by a password. `claim`: what the host says of
    its matches so far. `people`: it keeps lists of people (GetPeople); `lobby_chat`: people talk in its lobby
    (GetLobbyChat); `accounts`: they may change and delete their accounts (Rename, DeleteAccount); `finds`: it finds
    tables (FindTables) and players (SeekMatch); `reports`: it takes a Report; `links`: it knows where links lead
    (FollowLink); `seating`: it keeps and exchanges seats (KeepSeat, SwapSeats), and tells what is on (GetOnNow);
    `moderates`: the receiver is one of its moderators; `own_data`: it sends what it keeps of the receiver
    (GetOwnData); `webhooks`: it tells people of their turns where they want (SetWebhook); `speaks`: it sends its texts
    anew in another language (Speak); `previews`: it shows scenarios before they are set up (GetPreview);
    `factions`: it shows factions (GetFaction)."""

    you: str
    name: str
    token: str
    server: str
    version: str
    pings: int = 20
    key: bytes = b""
    kept: bool = False
    claim: HostClaim | None = None
    people: bool = False
    lobby_chat: bool = False
    accounts: bool = False
    finds: bool = False
    reports: bool = False
    links: bool = False
    seating: bool = False
    moderates: bool = False
    own_data: bool = False
    webhooks: bool = False
    speaks: bool = False
    previews: bool = False
    factions: bool = False

    def __repr__(self) -> str:
        return redacted_repr(self, ("token",))


class NameKept(ServerMessage, frozen=True, tag="name_kept"):
    """Answer to KeepName: the name is the receiver's now, by the password that was given."""

    name: str


class Renamed(ServerMessage, frozen=True, tag="renamed"):
    """The receiver has this name now: answer to Rename, on all connections of its sender."""

    name: str


class SeatCode(ServerMessage, frozen=True, tag="seat_code"):
    """Answer to GetSeatCode: whoever says `code` within `seconds` gets the seat at this table, the first one only."""

    table: TableId
    code: str
    seconds: int

    def __repr__(self) -> str:
        return redacted_repr(self, ("code",))


class Systems(ServerMessage, frozen=True, tag="systems"):
    """Rule systems and scenarios of this server."""

    systems: tuple[SystemChoice, ...]


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Seat at a table: its holder, and their connection. With `who` and `bot` a bot stands in for the person. `away`:
    milliseconds since the link was lost (-1: connected, or nobody's); `trip`: milliseconds a message takes there and
    back, as last measured (-1: not yet); `bank`: milliseconds in reserve (-1: no clock); `brings`: the army list of the
    seat, where lists are brought; `delayed_view`: before the start, this person is ready and agrees that spectators see
    everything, late; `side`: the number of its side, -1 where it stands alone. Before the start: `kept_for`: the person
    for whom it is kept while it is free, of this `name`; `locked`: nobody may take it; `swap_with`: the seat that its
    person wishes in exchange."""

    seat: int
    who: str = ""
    name: str = ""
    faction: str = ""
    faction_name: Text | None = None
    ready: bool = False
    bot: str = ""
    connected: bool = False
    away: int = -1
    trip: int = -1
    bank: int = -1
    brings: Text | None = None
    delayed_view: bool = False
    side: int = -1
    kept_for: str = ""
    locked: bool = False
    swap_with: int = -1


class VoteView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Open vote: on what (pause, resume, adjourn, end, bot, play_on), about which seat, called by which (-1: by the
    table). `asked`: the seats whose votes count; `left`: milliseconds until it closes, at the moment of sending."""

    what: str
    seat: int = -1
    by: int = -1
    asked: tuple[int, ...] = ()
    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()
    left: int = 0


class Role(msgspec.Struct, frozen=True, omit_defaults=True):
    """View of a spectator, in `sees`: public, or also what `seat` sees, or all, late. `wants`: the seat that they have
    asked to look into, and for whose side's answer they wait (-1: none); `agreed`: the seats of that side that said
    yes."""

    sees: str = "public"
    seat: int = -1
    wants: int = -1
    agreed: tuple[int, ...] = ()


class Watcher(msgspec.Struct, frozen=True, omit_defaults=True):
    """Spectator, with the view that they have: no secret to those at the table. `asks`: the seat that they would like
    to take over, -1 for none."""

    who: str
    name: str
    role: Role = Role()
    asks: int = -1


class ClockView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Clock of a seat that the table waits for: milliseconds its holder has had so far, and milliseconds until the
    default is played (-1: no limit), both at the moment of sending. `bank`: how many of those that are left come out of
    their bank."""

    seat: int
    since: int
    left: int = -1
    bank: int = 0


class TableView(ServerMessage, frozen=True, tag="table"):
    """Table of the receiver, whole, whenever something about it changed but the clocks (see Clocks). `seat` is theirs,
    -1 for a spectator. `watching` counts the spectators, of whom `watchers` may name the first only; `seat_views`: they
    may ask to look into a seat, `all_views`: they may see all, late, if every person seated at the start agrees;
    `delayed_view`: the match has begun, and they may. `role` is that of a receiver who watches; `behind`: for how many
    milliseconds what they see has not been the newest, where they see all (-1: nothing to be seen yet). `bank`: seconds
    each seat has in reserve at the start; `mail`: no clock runs; `solo_clock`: it runs for one person among bots, too;
    `bot_pace`: milliseconds that a bot waits before each of its acts, as the players wish now; `late`: a person may
    take a bot's seat; `rest`: "paused" or "adjourned"; `parked`: why a live match does not go on ("parked": it cannot,
    "comparing", "other_rules"); `result`: why the match ended; `replay`: it can be asked for, `replay_coming`: the
    match is over, and its replay is being written; `options`: the values of the rules' options that are not at their
    default; `lesson`: the id of the one that is held here, "" for none; `rated`: a match without bots that ends by its
    rules counts for ratings; `strict`: each step that rolls waits for parts of its own, unless it is played by mail;
    `ranked`: for named people alone, with settings that nobody chooses; `staying`: percent of staying power that
    whoever takes a seat needs (0: none); `again`: those who played here have gone on to a table with the same settings;
    `begins`: before the start, unix seconds at which the match is to begin, 0 for no time; `guarded`: whoever comes
    without a code needs a password."""

    id: TableId
    name: str
    system: str
    scenario: str
    state: str
    seat: int
    owner: str
    seats: tuple[SeatView, ...]
    watchers: tuple[Watcher, ...] = ()
    code: str = ""
    private: bool = False
    seconds: int = 60
    reaction_seconds: int = 3
    bank: int = 600
    mail: bool = False
    solo_clock: bool = False
    bot_pace: int = 1500
    late: bool = True
    watchers_heard: bool = False
    clocks: tuple[ClockView, ...] = ()
    rest: str = ""
    vote: VoteView | None = None
    result: Text | None = None
    replay: bool = False
    replay_coming: bool = False
    parked: str = ""
    watching: int = 0
    seat_views: bool = True
    all_views: bool = False
    delayed_view: bool = False
    role: Role = Role()
    behind: int = -1
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    lesson: str = ""
    rated: bool = True
    strict: bool = False
    ranked: bool = False
    staying: int = 0
    again: bool = False
    begins: int = 0
    guarded: bool = False

    def __repr__(self) -> str:
        return redacted_repr(self, ("code",))


class Clocks(ServerMessage, frozen=True, tag="clocks"):
    """Clocks of the seats that the table waits for now, and the number of spectators, in place of `clocks` and
    `watching` of its last view; the rest of that view still holds."""

    table: TableId
    clocks: tuple[ClockView, ...] = ()
    watching: int = 0


class ClockWarning(ServerMessage, frozen=True, tag="clock_warning"):
    """Warning to these seats: in `left` milliseconds the default is played for those that have not acted."""

    table: TableId
    seats: tuple[int, ...]
    left: int


class Left(ServerMessage, frozen=True, tag="left"):
    """End of the receiver's stay at this table; `code` says why (left, removed, gone)."""

    table: TableId
    code: str
    text: Text


class Catalogue(ServerMessage, frozen=True, tag="catalogue"):
    """Texts of a system in a language, and its cue templates (protocol/scene/cue_templates.py), sent once for each
    `hash`."""

    system: str
    language: str
    hash: str
    entries: dict[str, str]
    forms: tuple[CatalogueTemplate, ...] = ()


class ListShown(ServerMessage, frozen=True, tag="list"):
    """Answer to BuildList: the form as it stands. `seat`: whose list it is to be."""

    seat: int
    form: ListForm


class Snapshot(ServerMessage, frozen=True, tag="snapshot"):
    """Part of the scene, whole. `part`: public or private. `n`: number of its last delta. `stream`: names this run of
    numbers; numbers of another stream mean nothing. `hash`: see delta.py. Nodes as maps, decoded by type later. A
    private part at `n` belongs to the public part at `after`."""

    part: str
    stream: str
    n: Seq
    nodes: dict[NodeId, dict[str, object]]
    hash: int
    after: Seq = BEGINNING


class Delta(ServerMessage, frozen=True, tag="delta", kw_only=True, rename={"told": "cues"}):
    """Change from number n - 1 to n of one part. The private one of a step is shown together with the public number
    `after` that it names. `told`: its cues, each whole, or as a list of the id of its template and the arguments of
    that (protocol/scene/cue_templates.py). `acts`: those that began or ended; `of`: the act that each of the
    cues is part of, 0 for none, and what lacks at its end is 0. What is told of no act is an act of its own, as each
    frame of an older replay is."""

    part: str = "public"
    n: Seq
    patch: dict[NodeId, dict[str, object] | None]
    hash: int
    told: tuple[Cue | tuple[Any, ...], ...] = ()
    after: Seq = BEGINNING
    acts: tuple[Act, ...] = ()
    of: tuple[int, ...] = ()

    @property
    def cues(self) -> tuple[Cue, ...]:
        """Cues, all filled. Raises ValidationError where one is still to be filled (`SceneModel.take` does)."""
        return msgspec.convert(self.told, tuple[Cue, ...])


class ToldFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """Entry of a history, which one frame told: the acts that began or ended in it, and its cues, each with its act."""

    acts: tuple[Act, ...] = ()
    cues: tuple[Cue, ...] = ()


class History(ServerMessage, frozen=True, tag="history"):
    """Page of what happened at a table, as far as the receiver may know it: entries from number `first` (0: nothing
    came before) on. It is sent unasked at joining, with all that the first picture comes after."""

    table: TableId
    first: int
    frames: tuple[ToldFrame, ...] = ()


class Ack(ServerMessage, frozen=True, tag="ack"):
    """Acknowledgement of an intent that is durable; a resend is acknowledged too. `signature`, `place`, `path`: of a
    receipt for it and the log's `head` after step `version` (protocol/proof/signed_texts.py). `question`: of a sealed
    answer, closed or not, else -1."""

    id: bytes
    version: int = 0
    head: bytes = b""
    signature: bytes = b""
    question: int = -1
    place: int = 0
    path: bytes = b""


class Expired(ServerMessage, frozen=True, tag="expired"):
    """Notice that time ran out for the receiver's seat, at this question or (-1) in its turn: signed for them alone
    (protocol/proof/signed_texts.py)."""

    table: TableId
    seat: int
    question: int
    version: int
    head: bytes
    signature: bytes


class Reject(ServerMessage, frozen=True, tag="reject"):
    """Refusal of an intent (16 bytes), which changed nothing. `code` is stable, `text` says what to do. `at`: the node
    or the point at fault, `by`: the node that is in the way, where the rules know them."""

    id: bytes
    code: str
    text: Text
    at: NodeId | Point | None = None
    by: NodeId = NO_NODE


class Detail(ServerMessage, frozen=True, tag="detail"):
    """Answer to a DetailRequest: the next field with its options, or `code` and `text` if there is none."""

    id: int
    field: AnyField | None = None
    code: str = ""
    text: Text | None = None


class Surveyed(ServerMessage, frozen=True, tag="surveyed"):
    """Answer to a Survey about one `choice`, the cheapest first, or `code` and `text` where there is none. `why`: the
    subject cannot make it at all. `reach`: ground within reach; `targets`: its possible objects. `more`: another answer
    comes."""

    id: int
    choice: str = ""
    why: Text | None = None
    reach: tuple[Band, ...] = ()
    targets: tuple[Target, ...] = ()
    more: bool = False
    code: str = ""
    text: Text | None = None


class Proposed(ServerMessage, frozen=True, tag="proposed"):
    """Answer to a Propose: all fields that an Intent needs, with those that were given, or `code`, `text`, the node or
    point `at` fault, and the node that is in the way (`by`).

    `open`: the fields that may be changed, as a Detail has them; `ghosts`: where pieces would stand. `more`: a second
    answer comes, with the `targets` from there, and the ground that is `seen` from there: outlines that may lie over
    one another, each around a place from which it is seen.
    """

    id: int
    fields: Fields = msgspec.field(default_factory=dict)
    open: tuple[AnyField, ...] = ()
    ghosts: dict[NodeId, Point] = msgspec.field(default_factory=dict)
    forecast: Forecast | None = None
    targets: tuple[Target, ...] = ()
    seen: tuple[tuple[Point, ...], ...] = ()
    more: bool = False
    code: str = ""
    text: Text | None = None
    at: NodeId | Point | None = None
    by: NodeId = NO_NODE


class ChatLine(ServerMessage, frozen=True, tag="said"):
    """Words said by a person or by the table. `role`: player, watcher, table (the server itself). `at`: unix seconds.
    `to`: the seat that alone heard it beside the speaker, -1 for all; `to_name`: the name of who held it. `where`:
    table, side (its people alone heard it) or lobby, whose lines have a `number` that counts up."""

    who: str
    name: str
    role: str
    text: str
    at: int
    to: int = -1
    where: str = "table"
    number: int = 0
    to_name: str = ""


class ChatHistory(ServerMessage, frozen=True, tag="chat_history"):
    """The newest lines of chat at a table, as far as the receiver may read them: sent unasked at joining."""

    table: TableId
    lines: tuple[ChatLine, ...] = ()


class LobbyChat(ServerMessage, frozen=True, tag="lobby_chat"):
    """Answer to GetLobbyChat: lines in the order in which they were said. `older`: the number to ask for those before
    them with, 0 where there are none."""

    lines: tuple[ChatLine, ...] = ()
    older: int = 0


class ReportTaken(ServerMessage, frozen=True, tag="report_taken"):
    """Answer to a Report about this person: it is kept for the host."""

    who: str


class OfferView(ServerMessage, frozen=True, tag="offer"):
    """Offer of seat `by` to seat `to`, of which kind (truce, leave, help, share, other) and in which words, as it
    stands now. `state`: open, accepted, declined, withdrawn. `open`: all at the table see it, else only the two."""

    id: str
    by: int
    to: int
    kind: str
    text: str
    state: str
    at: int
    open: bool = False


class PointedAt(ServerMessage, frozen=True, tag="pointed_at"):
    """Mark of a seat on the table, to be shown for 4 seconds from now; `at`: its place in hundredths."""

    seat: int
    at: Point


class EntropyWanted(ServerMessage, frozen=True, tag="entropy_wanted"):
    """Request for this seat's part in a round of dice, within 3 seconds, or in a step that is put off at a strict
    table, within 1 second. Step `version` of the match's log has called it; `signature`: the host's of the log's head
    after that step (protocol/proof/signed_texts.py)."""

    table: TableId
    round: int
    version: int
    head: bytes
    signature: bytes


class Proof(ServerMessage, frozen=True, tag="proof"):
    """Facts of the match at `table` from number `first` on (counted from 0 for each audience: that of `seat`, or -1
    for what everyone may know); see protocol/proof/facts.py. `more`: others that happened before now follow."""

    table: TableId
    first: int
    facts: tuple[AnyFact, ...] = ()
    more: bool = False
    seat: int = -1


class FilePart(ServerMessage, frozen=True, tag="file"):
    """Part `part` (from 0) of `parts` of a file."""

    name: str
    part: int
    parts: int
    data: bytes


class Problem(ServerMessage, frozen=True, tag="problem"):
    """Refusal of what was said (a lobby command, an unreadable frame). Nothing changed.

    `fatal`: the server closes the connection next.
    """

    code: str
    text: Text
    fatal: bool = False


class Pong(ServerMessage, frozen=True, tag="pong"):
    """Answer to a Ping."""

    n: int


FromServer = (
    Welcome
    | NameKept
    | Renamed
    | OwnDataPart
    | WebhookState
    | SeatCode
    | Systems
    | Lobby
    | Found
    | FoundChange
    | MyGames
    | Seeking
    | MatchOffered
    | OnNow
    | Preview
    | FactionShown
    | Invitation
    | DateTold
    | TurnTold
    | TableView
    | Clocks
    | ClockWarning
    | Left
    | LinkedReplay
    | Catalogue
    | ListShown
    | Snapshot
    | Delta
    | History
    | Ack
    | Expired
    | Reject
    | Detail
    | Surveyed
    | Proposed
    | ChatLine
    | ChatHistory
    | LobbyChat
    | ReportTaken
    | ReportPage
    | SanctionPage
    | AuditPage
    | OrderDone
    | Moderating
    | Announcements
    | OfferView
    | PointedAt
    | PeoplePage
    | PersonCard
    | Results
    | Leaders
    | EntropyWanted
    | Proof
    | FilePart
    | Problem
    | Pong
)


def unanswered(question: DetailRequest | Survey | Propose, code: str, text: Text) -> Detail | Surveyed | Proposed:
    """Return the refusal of a question of the rules, in the form that its sender waits for."""
    if isinstance(question, DetailRequest):
        return Detail(question.id, None, code, text)
    if isinstance(question, Survey):
        return Surveyed(question.id, code=code, text=text)
    return Proposed(question.id, code=code, text=text)
